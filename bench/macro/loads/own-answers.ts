import { inOrder, measured, type Bench } from "../bench.ts";
import { smallChat } from "../bodies.ts";
import type { JsonCall } from "../generator/json-loads.ts";
import { uniqueMark, type Target } from "../generator/request.ts";
import { attempt } from "./attempt.ts";
import { jsonBehaviour } from "./small-json.ts";

const connections = 16;
const group = "What Weir answers by itself, 16 connections";
/** A text in the form of a service key, which belongs to nobody. */
const unknownKey = `sk-gw-${"0".repeat(48)}`;
const inputBytes = 1_024;

/**
 * Answers without a call to a provider: refusals of a missing and of a wrong key, and scans of a new text of
 * 1 KiB for injection alone. The figures are the CPU time of all threads for each.
 */
export async function ownAnswers(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const subject of inOrder(
      bench.weirs.map(({ payThrough }) => payThrough),
      round,
    )) {
      const target = subject.target(jsonBehaviour);
      const keyless = without(target, "Authorization");
      const chat = smallChat(subject.model(jsonBehaviour), "seen");
      const wrong = {
        ...target,
        headers: { ...keyless.headers, Authorization: `Bearer ${unknownKey}` },
      };
      const calls: readonly (readonly [what: string, label: string, call: JsonCall])[] = [
        ["no-key", "refusal of a missing key", refused(keyless, chat)],
        ["wrong-key", "refusal of a wrong key", refused(wrong, chat)],
        ["scan", "scan of 1 KiB, injection alone", scan(target)],
      ];
      await attempt(bench, { load: "own-answers", subject: subject.name, group }, async (note) => {
        for (const [what, label, call] of calls) {
          const run = await measured(bench, subject, () =>
            bench.generator.run("closedLoop", call, connections, bench.scale.jsonMs),
          );
          const { answered, failed, firstFailure } = run.value.value;
          if (failed > 0) throw new Error(firstFailure ?? "a request failed");
          note(`cpu-${what}`, label, "µs", ((run.cpuMs ?? Number.NaN) * 1_000) / answered);
        }
      });
    }
  }
}

function without(target: Target, header: string): Target {
  const kept = Object.entries(target.headers).filter(([name]) => name !== header);
  return { ...target, headers: Object.fromEntries(kept) };
}

function refused(target: Target, body: string): JsonCall {
  return { target, body, status: 401, answerBytes: null };
}

function scan(target: Target): JsonCall {
  const words = "The quick brown fox of the harbour likes the slow boats and the rain. ";
  const text = `${uniqueMark} ${words.repeat(Math.ceil(inputBytes / words.length))}`;
  const body = JSON.stringify({
    input: text.slice(0, inputBytes),
    categories: ["prompt_injection"],
  });
  return { target: { ...target, path: "/v1/security/scan" }, body, answerBytes: null };
}
