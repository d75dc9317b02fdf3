import { envelope, errorRules, isRetriedInVain, refuse, type Refusal } from "../contract/errors.ts";
import { vainRetryAfterSecondsMax } from "../contract/limits.ts";
import { messagesEnvelope, typedEnvelope } from "../contract/messages-error.ts";
import { shapeOfPath } from "../contract/endpoints/by-path.ts";
import type { Outcome } from "../contract/outcome.ts";
import { header, type Answer, type Exchange, type RequestHead } from "./exchange.ts";

/**
 * The answer for a refusal: the contract's envelope, or the form of the messages wire for its clients. `head`
 * is the request's; null if there is none that identifies the client.
 */
export function refusalAnswer(refusal: Refusal, head: RequestHead | null = null): Answer {
  const headers = [
    "Content-Type",
    "application/json",
    "X-Svc-Error-Source",
    errorRules[refusal.code].source,
  ];
  if (refusal.upstreamStatus !== undefined) {
    headers.push("X-Svc-Upstream-Status", String(refusal.upstreamStatus));
  }
  const { retryAfterSeconds } = refusal;
  const isInVain = isRetriedInVain(refusal);
  if (
    retryAfterSeconds !== undefined &&
    !(isInVain && retryAfterSeconds > vainRetryAfterSecondsMax)
  ) {
    headers.push("Retry-After", String(retryAfterSeconds));
  }
  if (refusal.headers !== undefined) headers.push(...refusal.headers);
  // SDKs look at this header before the status. They ignore it if it is sent twice, and the provider may have
  // sent it.
  if (isInVain && !headers.includes(shouldRetry)) headers.push(shouldRetry, "false");
  const body = head === null ? envelope(refusal) : envelopeFor(refusal, head);
  return { status: errorRules[refusal.code].status, headers, body };
}

function envelopeFor(refusal: Refusal, head: RequestHead): string {
  if (!isOfMessages(head)) return envelope(refusal);
  return shapeOfPath(head.path) === "messages" ? messagesEnvelope(refusal) : typedEnvelope(refusal);
}

/**
 * True if the client reads errors in the form of the messages wire. Its path decides. Off the wires, for
 * example for files and lists of models, it is the version header that such clients send with every request.
 */
export function isOfMessages({ path, headers }: RequestHead): boolean {
  const wire = shapeOfPath(path);
  if (wire !== null) return wire === "messages";
  return header(headers, "anthropic-version") !== undefined;
}

const shouldRetry = "x-should-retry";

/** The refusal for a bug. The client is told no details. */
export const { refusal: unexpected } = refuse("internal_error", "Something unexpected went wrong.");

/** A JSON answer of the service itself. */
export function jsonAnswer(body: string): Answer {
  return { status: 200, headers: ["Content-Type", "application/json"], body };
}

/** The handler of an endpoint without a body. It sends the answer or refusal of `answer`. */
export function answerWith(
  answer: (head: RequestHead) => Outcome<Answer> | Promise<Outcome<Answer>>,
): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const outcome = await answer(exchange.head);
    exchange.respond(outcome.ok ? outcome.value : refusalAnswer(outcome.refusal, exchange.head));
  };
}
