import { errorRules, type Refusal } from "./errors.ts";
import { messagesEnvelope } from "./messages-error.ts";
import type { Wire } from "./wire.ts";

/**
 * The event that tells a client of a stream that it failed, in the form each wire's SDK raises as
 * an error (design section 7, "A stream that fails"): chat has a `data:` line with an error object
 * and no `[DONE]`, messages and responses have `event: error`.
 */
export function streamErrorEvent(wire: Wire, refusal: Refusal): string {
  if (wire === "messages") return `event: error\ndata: ${messagesEnvelope(refusal)}\n\n`;
  const { code, message } = refusal;
  const { source } = errorRules[code];
  if (wire === "responses") {
    const event = { type: "error", code, message, param: null };
    return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
  }
  const type = refusal.details?.type ?? "api_error";
  return `data: ${JSON.stringify({ error: { code, message, source, type, param: null } })}\n\n`;
}
