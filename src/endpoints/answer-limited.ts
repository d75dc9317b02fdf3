import type { Outcome } from "../contract/outcome.ts";
import type { FindKey } from "../pipeline/caller/authenticate.ts";
import type { Answer, Exchange, RequestHead } from "../exchange/exchange.ts";
import { RequestRecord } from "../pipeline/record/record.ts";
import { serve, type FrameServices } from "../pipeline/serve.ts";
import type { RateLimits } from "../pipeline/limits/rate-limits.ts";

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
    await serve(record, exchange, services, async (findKey) =>
      answer(exchange.head, limitedFindKey(exchange, findKey, services.rateLimits)),
    );
  };
}

/** Finds a key, or returns the refusal of its rate limits. A platform key has no limits. */
export function limitedFindKey(
  exchange: Exchange,
  findKey: FindKey,
  rateLimits: RateLimits,
): FindKey {
  return (secret) => {
    const found = findKey(secret);
    if (!found.ok) return found;
    const { orgId } = found.value;
    if (orgId === null) return found;
    const limited = rateLimits.request(exchange, { ...found.value, orgId });
    return limited.ok ? found : limited;
  };
}
