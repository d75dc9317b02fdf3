import type { Refused } from "../../src/contract/outcome.ts";
import { refusalAnswer } from "../../src/exchange/refusal.ts";
import type { Intercept } from "./tap.ts";

/**
 * The gateway's answer to a model request, made by its own code, in place of those from number `from` on;
 * `times`: of so many, and then the gateway answers. What a real limit takes a minute to say is said at once.
 */
export function refusing({ refusal }: Refused, from: number, times = Infinity): Intercept {
  let asked = 0;
  return ({ method, url }) => {
    const { pathname: path } = new URL(url, "http://tap");
    if (method !== "POST" || !isOfModel(path)) return undefined;
    asked += 1;
    if (asked <= from || asked > from + times) return undefined;
    const { status, headers, body } = refusalAnswer(refusal, {
      ...{ method, path, query: "", headers: [] },
    });
    const pairs: Record<string, string> = {};
    for (let i = 0; i < headers.length; i += 2) pairs[headers[i] ?? ""] = headers[i + 1] ?? "";
    return { status, headers: pairs, body: body.toString() };
  };
}

function isOfModel(path: string): boolean {
  return /\/(?:messages|completions|responses)$/.test(path);
}
