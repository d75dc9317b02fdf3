import { envelope, errorRules, isRetriedInVain, refuse, type Refusal } from "../contract/errors.ts";
import { vainRetryAfterSecondsMax } from "../contract/limits.ts";
import { messagesEnvelope, typedEnvelope } from "../contract/messages-error.ts";
import { shapeOfPath } from "../contract/wire.ts";
import type { Outcome } from "../contract/outcome.ts";
import { header, type Answer, type Exchange, type RequestHead } from "./exchange.ts";

/**
 * A refusal as it is answered: the contract's envelope, and to clients of the messages wire as they read
 * it. `head`: of the request; null: there is none to tell its client by.
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
  // What SDKs go by before the status. Said twice it says nothing to them, and the provider may have said it.
  if (isInVain && !headers.includes(shouldRetry)) headers.push(shouldRetry, "false");
  const body = head === null ? envelope(refusal) : envelopeFor(refusal, head);
  return { status: errorRules[refusal.code].status, headers, body };
}

function envelopeFor(refusal: Refusal, head: RequestHead): string {
  if (!isOfMessages(head)) return envelope(refusal);
  return shapeOfPath(head.path) === "messages" ? messagesEnvelope(refusal) : typedEnvelope(refusal);
}

/**
 * Whether a request's client reads errors as the messages wire has them: by its path, and off the wires
 * by the version that such clients name with all that they ask for, such as files and lists of models.
 */
export function isOfMessages({ path, headers }: RequestHead): boolean {
  const wire = shapeOfPath(path);
  if (wire !== null) return wire === "messages";
  return header(headers, "anthropic-version") !== undefined;
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
    exchange.respond(outcome.ok ? outcome.value : refusalAnswer(outcome.refusal, exchange.head));
  };
}
