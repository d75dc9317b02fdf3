import type { ErrorCode } from "../contract/errors.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Answer, Exchange } from "../exchange/exchange.ts";
import { refusalAnswer, unexpected } from "../exchange/refusal.ts";
import type { FindKey } from "./caller/authenticate.ts";
import { carriesRateLimits } from "./limits/rate-headers.ts";
import type { Records, RequestRecord } from "./record/record.ts";

export interface FrameServices {
  readonly findKey: FindKey;
  readonly records: Records;
}

/** Returns the answer, or null where it has brought one to the client itself. */
export type Endpoint = (findKey: FindKey) => Promise<Outcome<Answer | null>>;

/**
 * The frame of every endpoint: it answers or refuses with what `endpoint` returns and hands over the
 * record, whatever comes of the request. The endpoint looks for its caller with the `findKey` that it is
 * given, so the record names every key that was presented and is valid, whether it may call the endpoint
 * or not. A bug is answered as one, noted, and thrown on to whoever logs it and cuts an answer that has
 * begun.
 */
export async function serve(
  record: RequestRecord,
  exchange: Exchange,
  { findKey, records }: FrameServices,
  endpoint: Endpoint,
): Promise<void> {
  try {
    const outcome = await endpoint((secret) => {
      const found = findKey(secret);
      if (found.ok) [record.orgId, record.apiKeyId] = [found.value.orgId, found.value.id];
      return found;
    });
    conclude(record, exchange, outcome);
  } catch (error) {
    record.errorCode = unexpected.code;
    exchange.respond(refusalAnswer(unexpected, exchange.head));
    throw error;
  } finally {
    record.clientGone = exchange.state === "gone";
    records(record, exchange);
  }
}

/** Answers with what came of a request, in the form of its path, and notes a refusal. */
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
  exchange.respond(refusalAnswer(refusal, exchange.head));
}

/** Of a request whose answer says this code in whatever form. */
export function noteRefusal(record: RequestRecord, exchange: Exchange, code: ErrorCode): void {
  record.errorCode = code;
  // What an admitted request was told of its rate limits is taken back.
  if (!carriesRateLimits(code)) exchange.keepHeaders([]);
}
