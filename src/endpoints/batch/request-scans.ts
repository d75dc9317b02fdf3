import { batchYieldWindowMs } from "../../contract/limits.ts";
import type { Clock } from "../../runtime/clock.ts";

/** Knows whether requests are being scanned, so that batches give way to them. */
export class RequestScans {
  readonly #clock: Clock;
  readonly #queued: () => number;
  readonly #lastElsewhereMs: () => number;
  #lastMs = -Infinity;

  /**
   * `queued` counts scans that wait for a worker. `lastElsewhereMs` says when one began in another thread. It
   * uses the wall clock, the only clock that threads share.
   */
  constructor(clock: Clock, queued: () => number, lastElsewhereMs: () => number = () => 0) {
    this.#clock = clock;
    this.#queued = queued;
    this.#lastElsewhereMs = lastElsewhereMs;
  }

  /** Must be called for every scan of a request. */
  began(): void {
    this.#lastMs = this.#clock.monotonicMs();
  }

  /** True if a scan waits for a worker. Then nothing of a batch may begin. */
  get areWaiting(): boolean {
    return this.#queued() > 0;
  }

  /** True if the last scan began a moment ago, so another may follow soon. */
  get areRecent(): boolean {
    if (this.#clock.monotonicMs() - this.#lastMs < batchYieldWindowMs) return true;
    return this.#clock.wallMs() - this.#lastElsewhereMs() < batchYieldWindowMs;
  }
}
