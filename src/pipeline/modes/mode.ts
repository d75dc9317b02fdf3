import type { FreeHeaders } from "../money/payment.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { Attempt, FlatHeaders, BufferedAnswer } from "../../exchange/exchange.ts";
import type { RequestBody } from "../body/request-body.ts";
import type { CacheSubject } from "../cache/cache-subject.ts";
import type { CallerPolicy } from "../policy/caller-policy.ts";

/**
 * Who pays the provider, and all that follows from it: the only difference between one model request and
 * another. `request.ts` calls the steps in the order in which they stand here, each at most once.
 */
export interface Mode {
  /** Refuses what need not be read: before the body is asked for. */
  admit(): Outcome<null>;

  /** Takes the body. To be called before the first `await`. Errors: `Exchange.readBody`'s, `invalid_request`. */
  read(): Promise<Outcome<RequestBody>>;

  /** Finds who may serve the request. Errors: those of routing, `model_not_allowed` among them. */
  route(body: RequestBody): Outcome<null>;

  /** What decides on an answer besides body and organization; null: this request uses no cache. */
  cacheSubject(): CacheSubject | null;

  /** What an answer says that comes from the cache. Refuses callers whom the service would not serve at all. */
  admitFree(): Outcome<FreeHeaders>;

  /** Reserves the worst case: usage limits and budgets, and under pay-through the balance. */
  reserve(body: RequestBody): Outcome<null>;

  /**
   * Calls the provider. `isCached`: the answer may go into the cache, so a client is told that it
   * did not come from there.
   */
  forward(body: RequestBody, policy: CallerPolicy, isCached: boolean): Promise<Attempt>;

  /** Settles what an answer has cost that the relay has brought to the client. */
  settleRelayed(): void;

  /** Settles what a good answer costs that is still in our hands; the headers tell of it. */
  settleBuffered(buffered: BufferedAnswer): FlatHeaders | Promise<FlatHeaders>;

  /** What an answer says for which nothing is charged, once the worst case is reserved. */
  unchargedHeaders(): FlatHeaders;

  /** Gives back what was reserved and not settled. To be called however the request ends. */
  close(): void;
}
