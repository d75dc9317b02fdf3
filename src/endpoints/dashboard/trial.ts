import { refuse } from "../../contract/errors.ts";
import { trialsAtOnceMax, trialRetryAfterSeconds } from "../../contract/limits.ts";
import { header, type Exchange } from "../../exchange/exchange.ts";
import { answerWith } from "../../exchange/refusal.ts";

type Handler = (exchange: Exchange) => Promise<void> | void;

/**
 * Endpoints of the gateway's listener that the dashboard's page can try, too: a page may call its own origin
 * only. They cost and are recorded as on the gateway's listener. That one sheds load by measuring it; here a few
 * run at a time. Errors: `detector_unavailable` for one more, `forbidden` if the caller names an upstream: nothing is
 * passed through from here.
 */
export class Trials {
  #running = 0;

  /** The same handler, as one of the trials. */
  of(handler: Handler): (exchange: Exchange) => Promise<void> {
    return async (exchange) => {
      if (header(exchange.head.headers, upstreamUrlHeader) !== undefined) {
        await answerWith(() => ownKeys)(exchange);
        return;
      }
      if (this.#running >= trialsAtOnceMax) {
        await answerWith(() => tooMany)(exchange);
        return;
      }
      this.#running += 1;
      try {
        await handler(exchange);
      } finally {
        this.#running -= 1;
      }
    };
  }
}

const upstreamUrlHeader = "x-svc-upstream-url";
const ownKeys = refuse("forbidden", "Own provider keys work on the gateway's port only.");
const tooMany = refuse("detector_unavailable", "The dashboard tries as many requests as it may.", {
  retryAfterSeconds: trialRetryAfterSeconds,
});
