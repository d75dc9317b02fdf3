import { overloadPaceMs, overloadSampleMs } from "../../contract/limits.ts";

/**
 * The rate at which the gateway finishes requests, and how busy the loop is. If the loop is never idle, the
 * rate is what this machine can do. Then the wait is the number of requests in hand divided by the rate.
 */
export class Pace {
  readonly #loopActiveMs: () => number;
  #perMs = 0;
  #busyShare = 0;
  #admitted = 0;
  #sampledAtMs = -Infinity;
  #activeMs = 0;
  #inHand = 0;

  /** `loopActiveMs` counts the time for which the loop was busy. */
  constructor(loopActiveMs: () => number) {
    this.#loopActiveMs = loopActiveMs;
  }

  /** Requests per millisecond; 0 before the first sample. */
  get perMs(): number {
    return this.#perMs;
  }

  get busyShare(): number {
    return this.#busyShare;
  }

  admitted(): void {
    this.#admitted += 1;
  }

  /** Must be called at the end of a turn; most calls do nothing. */
  sample(nowMs: number, inHand: number): void {
    const elapsedMs = nowMs - this.#sampledAtMs;
    if (elapsedMs < overloadSampleMs) return;
    const activeMs = this.#loopActiveMs();
    // After a period without requests, it is unknown how the time was spent.
    const isFresh = elapsedMs > 2 * overloadPaceMs;
    this.#busyShare = isFresh ? 0 : (activeMs - this.#activeMs) / elapsedMs;
    const done = this.#admitted - (inHand - this.#inHand);
    if (!isFresh) {
      const weight = Math.min(1, elapsedMs / overloadPaceMs);
      this.#perMs += (Math.max(0, done) / elapsedMs - this.#perMs) * weight;
    }
    this.#sampledAtMs = nowMs;
    this.#activeMs = activeMs;
    this.#inHand = inHand;
    this.#admitted = 0;
  }
}
