import { refuse, type Refusal } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Wire } from "../../contract/wire.ts";
import { JsonScanner, type Member } from "../../json/scanner.ts";
import { decodeString } from "../../json/string.ts";
import type { BufferedAnswer } from "../../exchange/exchange.ts";
import { header, type Answer, type FlatHeaders } from "../../exchange/exchange.ts";
import { passedHeaders } from "../../exchange/forward-headers.ts";
import { member } from "../body/inspect.ts";
import { rateLimitNames } from "../../exchange/forward-headers.ts";

/**
 * What the client gets of a whole answer: the provider's own answer, or an envelope (design section 7,
 * "Failures of a provider"). `method` is the request's; `wire` is null for an own-keys path that belongs to
 * neither wire.
 */
export function clientAnswer(
  buffered: BufferedAnswer,
  method: string,
  wire: Wire | null,
  ownKeys: boolean,
): Outcome<Answer> {
  const { status } = buffered;
  if (status === 401 || status === 403) return refuseCredential(buffered, ownKeys);
  if (status >= 500 && wire !== null && wire !== "messages") {
    return { ok: false, refusal: serverFailure(buffered) };
  }
  if (status >= 400) {
    return accept(
      verbatim(buffered, method, [
        "X-Svc-Upstream-Status",
        String(status),
        "X-Svc-Error-Source",
        "provider",
      ]),
    );
  }
  if (status >= 300 && !ownKeys) {
    return refuse(
      "upstream_error",
      "The provider answered with a redirect, which is not followed.",
      {
        upstreamStatus: status,
      },
    );
  }
  if (wire !== null && isErrorPayload(buffered)) {
    return refuse("upstream_error_in_2xx", "The provider answered 2xx with an error in its body.", {
      upstreamStatus: status,
      headers: keptHeaders(buffered.headers),
    });
  }
  return accept(verbatim(buffered, method, []));
}

function verbatim({ status, headers, body }: BufferedAnswer, method: string, ours: FlatHeaders) {
  return { status, headers: passedHeaders(method, headers, ours), body };
}

function refuseCredential(buffered: BufferedAnswer, ownKeys: boolean): Outcome<never> {
  const more = { upstreamStatus: buffered.status, headers: keptHeaders(buffered.headers) };
  return ownKeys
    ? refuse("invalid_byok_credentials", "The provider rejected the key that you sent.", more)
    : refuse("provider_auth_failed", "The provider refused this gateway's own credential.", more);
}

function serverFailure(buffered: BufferedAnswer): Refusal {
  return {
    code: buffered.status === 504 ? "upstream_timeout" : "upstream_error",
    message: `The provider failed with status ${buffered.status}.`,
    upstreamStatus: buffered.status,
    headers: keptHeaders(buffered.headers),
  };
}

/**
 * The provider's headers that also go with an envelope: its rate limits, how long to wait, and the id of its
 * request.
 */
function keptHeaders(headers: FlatHeaders): FlatHeaders {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (rateLimitNames.has(name)) continue;
    if (
      /^(retry-after(-ms)?|x-should-retry|(x-|anthropic-)ratelimit-.*|(x-)?request-id)$/.test(name)
    ) {
      kept.push(name, headers[i + 1] ?? "");
    }
  }
  return kept;
}

/** True for a 2xx body that reports an error: `{"error":{…}}`, `{"error":"…"}`, `{"type":"error",…}`. */
function isErrorPayload({ headers, body }: BufferedAnswer): boolean {
  if (!/\bjson\b/i.test(header(headers, "content-type") ?? "")) return false;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  // Without the word, escaped or not, no member has it as its name or value.
  if (!bytes.includes("error") && !bytes.includes("\\u")) return false;
  const scanned = new JsonScanner().finish(body, body.length);
  if ("reason" in scanned) return false;
  // A response that failed is an answer of its own kind, with an id and a usage.
  const kind = member(scanned, "object");
  if (kind?.type === "string" && textOf(body, kind) === "response") return false;
  const error = member(scanned, "error");
  if (error?.type === "object") return true;
  if (error?.type === "string" && textOf(body, error) !== "") return true;
  const type = member(scanned, "type");
  return type?.type === "string" && textOf(body, type) === "error";
}

function textOf(body: Uint8Array, { valueStart, valueEnd }: Member): string {
  return decodeString(body, valueStart + 1, valueEnd - 1);
}
