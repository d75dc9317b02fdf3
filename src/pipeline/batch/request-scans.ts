import { batchYieldWindowMs } from "../../contract/limits.ts";
import type { Clock } from "../../store/clock.ts";

/** Whether requests are being scanned, so that batches make way for them. */
export class RequestScans {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #queued: () => number;
  #lastMs = -Infinity;

  /** `queued`: scans that wait for a worker. */
  constructor(clock: Pick<Clock, "monotonicMs">, queued: () => number) {
    this.#clock = clock;
    this.#queued = queued;
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
    return this.#clock.monotonicMs() - this.#lastMs < batchYieldWindowMs;
  }
}
