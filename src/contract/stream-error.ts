import { errorRules, type Refusal } from "./errors.ts";
import type { Wire } from "./wire.ts";

/**
 * The event that tells a client of a stream that it failed, in the form each wire's SDK raises as
 * an error (design section 7, "A stream that fails"): chat has a `data:` line with an error object
 * and no `[DONE]`, messages has `event: error`.
 */
export function streamErrorEvent(wire: Wire, refusal: Refusal): string {
  const { source } = errorRules[refusal.code];
  const error = { code: refusal.code, message: refusal.message, source };
  const type = refusal.details?.type ?? "api_error";
  return wire === "chat"
    ? `data: ${JSON.stringify({ error: { ...error, type, param: null } })}\n\n`
    : `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, ...error } })}\n\n`;
}
