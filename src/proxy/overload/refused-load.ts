import { refuse } from "../../contract/errors.ts";
import { overloadPeriodMs, overloadRetrySecondsMax } from "../../contract/limits.ts";
import type { Answer, RequestHead } from "../../exchange/exchange.ts";
import { isOfMessages, refusalAnswer } from "../../exchange/refusal.ts";
import type { Overload } from "./admission.ts";

/** A second in which requests were refused. */
export interface RefusedPeriod {
  readonly admitted: number;
  /** The number of refused requests, by the resource that was overloaded. */
  readonly by: ReadonlyMap<Overload, number>;
}

export interface RefusedLoadOptions {
  /** Called for each period in which requests were refused. */
  readonly refusing?: (period: RefusedPeriod) => void;
  /** Calls repeatedly until it is stopped. */
  readonly every?: (call: () => void, ms: number) => { stop: () => void };
}

/** Made once: a refusal must cost far less than the request that it refuses. */
const answers = refusals(null);
const typedAnswers = refusals({
  method: "POST",
  path: "/v1/messages",
  query: "",
  headers: [],
});

/** Indexed by the seconds after which the client may retry, from 1. */
function refusals(head: RequestHead | null): readonly Answer[] {
  return Array.from({ length: overloadRetrySecondsMax }, (_, i) =>
    refusalAnswer(
      refuse("detector_unavailable", "The gateway gets more requests than it can scan in time.", {
        retryAfterSeconds: i + 1,
      }).refusal,
      head,
    ),
  );
}

/**
 * Answers requests that were not admitted. Their retries are spread over several seconds. At three times the
 * possible load, clients that follow `Retry-After` come back over three seconds, at a rate that can be
 * served.
 */
export class RefusedLoad {
  readonly #refusing: (period: RefusedPeriod) => void;
  readonly #every: (call: () => void, ms: number) => { stop: () => void };
  #period: { stop: () => void } | null = null;
  #refused = 0;
  #by = new Map<Overload, number>();
  #admitted = 0;
  #spreadSeconds = 1;
  #next = 0;

  constructor({ refusing, every }: RefusedLoadOptions = {}) {
    this.#refusing = refusing ?? (() => undefined);
    this.#every = every ?? everyMs;
  }

  admitted(): void {
    this.#admitted += 1;
  }

  /** Counts one refused request and returns its answer. */
  answer(overload: Overload, head: RequestHead): Answer {
    if (this.#period === null) {
      this.#admitted = 0;
      this.#period = this.#every(() => this.#periodOver(), overloadPeriodMs);
    }
    this.#refused += 1;
    this.#by.set(overload, (this.#by.get(overload) ?? 0) + 1);
    this.#next = (this.#next + 1) % this.#spreadSeconds;
    return (isOfMessages(head) ? typedAnswers : answers)[this.#next] ?? answerOfLast;
  }

  #periodOver(): void {
    const [refused, admitted, by] = [this.#refused, this.#admitted, this.#by];
    this.#refused = 0;
    this.#admitted = 0;
    this.#by = new Map();
    if (refused === 0) {
      this.#period?.stop();
      this.#period = null;
      this.#spreadSeconds = 1;
      return;
    }
    const excess = Math.ceil((refused + admitted) / Math.max(1, admitted));
    this.#spreadSeconds = Math.min(overloadRetrySecondsMax, Math.max(2, excess));
    this.#refusing({ admitted, by });
  }
}

const answerOfLast = answers.at(-1) ?? { status: 503, headers: [], body: "" };

function everyMs(call: () => void, ms: number): { stop: () => void } {
  const timer = setInterval(call, ms).unref();
  return { stop: () => clearInterval(timer) };
}
