import { errorRules, type Refusal } from "./errors.ts";
import type { Wire } from "./wire.ts";

/**
 * A security block on the messages wire, whose shape the contract gives (spec: Errors): as an
 * answer, and as the event that ends a stream.
 */
export function messagesSecurityBlock({ message }: Refusal): string {
  return JSON.stringify({ type: "error", error: { type: "permission_error", message } });
}

/**
 * The event that tells a client of a stream that it failed, in the form each wire's SDK raises as
 * an error (design section 7, "A stream that fails"): chat has a `data:` line with an error object
 * and no `[DONE]`, messages has `event: error`.
 */
export function streamErrorEvent(wire: Wire, refusal: Refusal): string {
  const { code, message } = refusal;
  const { source } = errorRules[code];
  const type = refusal.details?.type ?? "api_error";
  if (wire === "chat") {
    return `data: ${JSON.stringify({ error: { code, message, source, type, param: null } })}\n\n`;
  }
  const error =
    code === "security_blocked"
      ? messagesSecurityBlock(refusal)
      : JSON.stringify({ type: "error", error: { type, code, message, source } });
  return `event: error\ndata: ${error}\n\n`;
}
