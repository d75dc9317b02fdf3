import { envelope, errorRules, isRetriedInVain, refuse, type Refusal } from "../contract/errors.ts";
import { messagesEnvelope } from "../contract/messages-error.ts";
import type { Wire } from "../contract/wire.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Answer, Exchange, RequestHead } from "./exchange.ts";

/** A refusal as it is answered: the contract's envelope, and on the messages wire as its clients read it. */
export function refusalAnswer(refusal: Refusal, wire: Wire | null = null): Answer {
  const headers = [
    "Content-Type",
    "application/json",
    "X-Svc-Error-Source",
    errorRules[refusal.code].source,
  ];
  if (refusal.upstreamStatus !== undefined) {
    headers.push("X-Svc-Upstream-Status", String(refusal.upstreamStatus));
  }
  if (refusal.retryAfterSeconds !== undefined) {
    headers.push("Retry-After", String(refusal.retryAfterSeconds));
  }
  if (refusal.headers !== undefined) headers.push(...refusal.headers);
  // What SDKs go by before the status. Said twice it says nothing to them, and the provider may have said it.
  if (isRetriedInVain(refusal) && !headers.includes(shouldRetry))
    headers.push(shouldRetry, "false");
  const body = wire === "messages" ? messagesEnvelope(refusal) : envelope(refusal);
  return { status: errorRules[refusal.code].status, headers, body };
}

const shouldRetry = "x-should-retry";

/** Of a bug: the client is told nothing of it. */
export const { refusal: unexpected } = refuse("internal_error", "Something unexpected went wrong.");

/** A JSON answer of the service itself. */
export function jsonAnswer(body: string): Answer {
  return { status: 200, headers: ["Content-Type", "application/json"], body };
}

/** An endpoint without a body: answers with what `answer` returns or refuses. */
export function answerWith(
  answer: (head: RequestHead) => Outcome<Answer> | Promise<Outcome<Answer>>,
): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const outcome = await answer(exchange.head);
    exchange.respond(outcome.ok ? outcome.value : refusalAnswer(outcome.refusal));
  };
}
