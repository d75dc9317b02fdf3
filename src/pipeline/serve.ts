import type { ErrorCode } from "../contract/errors.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Answer, Exchange } from "../exchange/exchange.ts";
import { refusalAnswer, unexpected } from "../exchange/refusal.ts";
import type { FindKey } from "./caller/authenticate.ts";
import { carriesRateLimits } from "./limits/rate-headers.ts";
import type { Records, RequestRecord } from "./record/record.ts";
import { noTags, readTags } from "./record/tags.ts";

export interface FrameServices {
  readonly findKey: FindKey;
  readonly records: Records;
}

/** Returns the answer, or null if the endpoint has already answered the client itself. */
export type Endpoint = (findKey: FindKey) => Promise<Outcome<Answer | null>>;

/**
 * The frame of every endpoint. It sends the answer or refusal that `endpoint` returns, and it hands over the
 * record however the request ends. The endpoint finds its caller with the `findKey` that it is given, so the
 * record names every valid key that was presented, even one that may not call the endpoint. A caller whose
 * tags are malformed is refused there too (`invalid_request`). A bug is answered
 * as an internal error, noted in the record, and thrown on. The server then logs it and cuts off an answer
 * that has begun.
 */
export function serve(
  record: RequestRecord,
  exchange: Exchange,
  { findKey, records }: FrameServices,
  endpoint: Endpoint,
): Promise<void> {
  const over = (): void => {
    record.clientGone = exchange.state === "gone";
    records(record, exchange);
  };
  const bug = (error: unknown): never => {
    record.errorCode = unexpected.code;
    exchange.respond(refusalAnswer(unexpected, exchange.head));
    over();
    throw error;
  };
  const find: FindKey = (secret) => {
    const found = findKey(secret);
    if (!found.ok) return found;
    record.orgId = found.value.orgId;
    record.apiKeyId = found.value.id;
    record.team = found.value.team?.name ?? null;
    const tags = hasEvent(record) ? readTags(exchange.head.headers) : noTags;
    if (!tags.ok) return tags;
    record.tags = tags.value;
    return found;
  };
  return endpoint(find).then((outcome) => {
    try {
      conclude(record, exchange, outcome);
    } catch (error) {
      bug(error);
    }
    over();
  }, bug);
}

/** Tags stand in events; other endpoints don't read them. */
function hasEvent(record: RequestRecord): boolean {
  return record.isModelCall || record.isScan;
}

/** Sends the answer or refusal in the form that the path uses, and notes a refusal. */
function conclude(
  record: RequestRecord,
  exchange: Exchange,
  outcome: Outcome<Answer | null>,
): void {
  if (outcome.ok) {
    if (outcome.value !== null) exchange.respond(outcome.value);
    return;
  }
  const { refusal } = outcome;
  noteRefusal(record, exchange, refusal.code);
  record.upstreamStatus = refusal.upstreamStatus ?? record.upstreamStatus;
  // The socket does not know it any more once it is answered.
  if (record.orgId === null) record.address ??= exchange.remoteAddress;
  exchange.respond(refusalAnswer(refusal, exchange.head));
}

/** Notes that the answer carries this error code, in whatever form. */
export function noteRefusal(record: RequestRecord, exchange: Exchange, code: ErrorCode): void {
  record.errorCode = code;
  // An admitted request has rate-limit headers to send. This code must not carry them.
  if (!carriesRateLimits(code)) exchange.keepHeaders([]);
}
