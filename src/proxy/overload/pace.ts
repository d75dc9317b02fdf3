import { overloadPaceMs, overloadSampleMs } from "../../contract/limits.ts";

/**
 * At what pace requests get out of our hands, and how busy the loop is at it. Where the loop is never
 * idle that pace is what this machine can do, and what is in hand divided by it is the wait.
 */
export class Pace {
  readonly #loopActiveMs: () => number;
  #perMs = 0;
  #busyShare = 0;
  #admitted = 0;
  #sampledAtMs = -Infinity;
  #activeMs = 0;
  #inHand = 0;

  /** `loopActiveMs` counts the time that the loop was at work. */
  constructor(loopActiveMs: () => number) {
    this.#loopActiveMs = loopActiveMs;
  }

  /** Requests a millisecond, 0 before anything was seen. */
  get perMs(): number {
    return this.#perMs;
  }

  get busyShare(): number {
    return this.#busyShare;
  }

  admitted(): void {
    this.#admitted += 1;
  }

  /** To be called when a turn is over; most calls do nothing. */
  sample(nowMs: number, inHand: number): void {
    const elapsedMs = nowMs - this.#sampledAtMs;
    if (elapsedMs < overloadSampleMs) return;
    const activeMs = this.#loopActiveMs();
    // After a time without a request nothing is known of how it was spent.
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
