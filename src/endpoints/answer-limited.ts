import { accept, type Outcome } from "../contract/outcome.ts";
import type { FindKey } from "../pipeline/caller/authenticate.ts";
import type { Answer, Exchange, RequestHead } from "../exchange/exchange.ts";
import { RequestRecord } from "../pipeline/record/record.ts";
import { serve, type FrameServices } from "../pipeline/serve.ts";
import type { Limited, RateLimits } from "../pipeline/limits/rate-limits.ts";

export interface LimitedServices extends FrameServices {
  readonly rateLimits: RateLimits;
}

/** Makes the answer of an endpoint without a body from the request's head. */
export type LimitedAnswer = (
  head: RequestHead,
  findKey: FindKey,
) => Outcome<Answer> | Promise<Outcome<Answer>>;

/**
 * An endpoint without a body that counts against the rate limits of its caller, as soon as `answer` has found
 * the key. `answer` finds either a key or the refusal of a limit.
 */
export function answerLimited(
  answer: LimitedAnswer,
  services: LimitedServices,
): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const record = new RequestRecord("service");
    await serve(record, exchange, services, async (findKey) => {
      const keys = new LimitedKeys(exchange, findKey, services.rateLimits);
      const answered = await answer(exchange.head, keys.find);
      const limited = await keys.limited;
      return limited.ok ? answered : limited;
    });
  };
}

/** Finds the one key of a request, and counts it against its rate limits. A platform key has no limits. */
export class LimitedKeys {
  #limited: Limited = accept(null);
  /** Returns the key, or the refusal of its limits if that is known at once. */
  readonly find: FindKey;

  constructor(exchange: Exchange, findKey: FindKey, rateLimits: RateLimits) {
    this.find = (secret) => {
      const found = findKey(secret);
      if (!found.ok || found.value.orgId === null) return found;
      const { orgId } = found.value;
      const limited = rateLimits.request(exchange, { ...found.value, orgId });
      this.#limited = limited;
      return limited instanceof Promise || limited.ok ? found : limited;
    };
  }

  /** What the limits say of the key that was found. Nothing may be answered without it. */
  get limited(): Limited {
    return this.#limited;
  }
}
