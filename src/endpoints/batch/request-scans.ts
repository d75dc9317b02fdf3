import { batchYieldWindowMs } from "../../contract/limits.ts";
import type { Clock } from "../../runtime/clock.ts";

/** Whether requests are being scanned, so that batches make way for them. */
export class RequestScans {
  readonly #clock: Clock;
  readonly #queued: () => number;
  readonly #lastElsewhereMs: () => number;
  #lastMs = -Infinity;

  /**
   * `queued`: scans that wait for a worker; `lastElsewhereMs`: when one began in another thread,
   * wall clock, for threads have no other in common.
   */
  constructor(clock: Clock, queued: () => number, lastElsewhereMs: () => number = () => 0) {
    this.#clock = clock;
    this.#queued = queued;
    this.#lastElsewhereMs = lastElsewhereMs;
  }

  /** To be called with every scan of a request. */
  began(): void {
    this.#lastMs = this.#clock.monotonicMs();
  }

  /** A scan waits for a worker: nothing of a batch may begin. */
  get areWaiting(): boolean {
    return this.#queued() > 0;
  }

  /** The last one began just now, and another may be on its way. */
  get areRecent(): boolean {
    if (this.#clock.monotonicMs() - this.#lastMs < batchYieldWindowMs) return true;
    return this.#clock.wallMs() - this.#lastElsewhereMs() < batchYieldWindowMs;
  }
}
