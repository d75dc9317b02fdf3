import type { FreeHeaders } from "../money/payment.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type {
  Attempt,
  BodyObserver,
  BufferedAnswer,
  FlatHeaders,
} from "../../exchange/exchange.ts";
import type { RequestBody } from "../body/request-body.ts";
import type { CacheSubject } from "../cache/cache-subject.ts";
import type { CallerPolicy } from "../policy/caller-policy.ts";

/**
 * Who pays the provider, with all that depends on it. Model requests differ in nothing else. `request.ts`
 * calls the steps in the order in which they stand here, each at most once.
 */
export interface Mode {
  /** Refuses requests that need not be read, before the client is asked for the body. */
  admit(): Outcome<null>;

  /** What looks at the body while it arrives; null if nothing does. Errors: `invalid_request`. */
  observeBody(): Outcome<BodyObserver | null>;

  /** Reads the whole body. Errors: `invalid_request`. */
  read(bytes: Uint8Array): Outcome<RequestBody>;

  /** Finds who may serve the request. Errors: those of routing, including `model_not_allowed`. */
  route(body: RequestBody): Outcome<null> | Promise<Outcome<null>>;

  /** What determines an answer, besides body and organization; null if this request uses no cache. */
  cacheSubject(): CacheSubject | null;

  /** The headers of an answer from the cache. Refuses callers whom the service would not serve at all. */
  admitFree(): Outcome<FreeHeaders>;

  /**
   * Reserves the worst case: usage limits and budgets, and under pay-through the balance. It waits only where a shared
   * store must be asked.
   */
  reserve(body: RequestBody): Outcome<null> | Promise<Outcome<null>>;

  /**
   * Calls the provider. `isCached` says that the answer may go into the cache; the client is then told that
   * the answer did not come from there.
   */
  forward(body: RequestBody, policy: CallerPolicy, isCached: boolean): Attempt | Promise<Attempt>;

  /** The result of the call with an answer that the gateway and the client can read. */
  readable(attempt: Attempt): Attempt | Promise<Attempt>;

  /** Settles the cost of an answer that the relay has brought to the client. */
  settleRelayed(): void;

  /** Settles the cost of a good answer that is still buffered here, and returns the headers that tell it. */
  settleBuffered(buffered: BufferedAnswer): FlatHeaders | Promise<FlatHeaders>;

  /** Tells the model that has answered, where several could; else empty. */
  servedHeaders(): FlatHeaders;

  /** The headers of an answer that is not charged, once the worst case is reserved. */
  unchargedHeaders(): FlatHeaders;

  /** Gives back what was reserved and not settled. Must be called however the request ends. */
  close(): void;
}
