import type { Outcome } from "../../contract/outcome.ts";
import type { FindKey } from "../authenticate.ts";
import type { Answer, Exchange, RequestHead } from "../exchange.ts";
import { refusalAnswer } from "../refusal.ts";
import type { RateLimits } from "./rate-limits.ts";

/**
 * An endpoint without a body that counts against the rate limits of its caller: from when `answer`
 * has found the key. What it finds is a key or the refusal of a limit.
 */
export function answerLimited(
  answer: (head: RequestHead, findKey: FindKey) => Outcome<Answer> | Promise<Outcome<Answer>>,
  findKey: FindKey,
  rateLimits: RateLimits,
): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const outcome = await answer(exchange.head, limitedFindKey(exchange, findKey, rateLimits));
    exchange.respond(outcome.ok ? outcome.value : refusalAnswer(outcome.refusal));
  };
}

/** Finds a key, or refuses with what its rate limits say; a platform key has none. */
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
