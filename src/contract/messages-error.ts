import { errorObject, errorRules, type Refusal } from "./errors.ts";

/**
 * A refusal in the form that clients of the messages wire read: the contract's envelope, and two more members
 * by which these clients recognize an error. Without them, a client shows only the status.
 * A security block has the form that the contract gives it (spec: Errors).
 */
export function messagesEnvelope(refusal: Refusal): string {
  const type = messagesErrorType(errorRules[refusal.code].status);
  if (refusal.code === "security_blocked") {
    return JSON.stringify({ type: "error", error: { type, message: refusal.message } });
  }
  return typedEnvelope(refusal);
}

/**
 * The same for other endpoints than those of messages. There a security block is an envelope too
 * (spec: Errors).
 */
export function typedEnvelope(refusal: Refusal): string {
  const type = messagesErrorType(errorRules[refusal.code].status);
  return JSON.stringify({ type: "error", error: { type, ...errorObject(refusal) } });
}

/** The provider's name for an error of a status, on that wire. */
function messagesErrorType(status: number): string {
  return typeOfStatus.get(status) ?? (status < 500 ? "invalid_request_error" : "api_error");
}

const typeOfStatus: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
]);
