import { upstreamSweepMs } from "../../contract/limits.ts";

/** Something with a deadline. */
export interface Swept {
  /** Called about every `upstreamSweepMs`. `nowMs` is the sweep's own time. */
  sweep(nowMs: number): void;
}

/**
 * One timer for the deadlines of all connections. Its time advances by one period for each turn of the timer,
 * so time in which the thread was blocked does not count. The provider's bytes may have arrived meanwhile
 * without being read. A deadline is met up to two periods late.
 */
export class Sweep {
  readonly #swept = new Set<Swept>();
  #timer: NodeJS.Timeout | null = null;
  #nowMs = 0;

  get nowMs(): number {
    return this.#nowMs;
  }

  add(swept: Swept): void {
    this.#swept.add(swept);
    this.#timer ??= setInterval(() => this.#turn(), upstreamSweepMs).unref();
  }

  delete(swept: Swept): void {
    this.#swept.delete(swept);
    if (this.#swept.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #turn(): void {
    this.#nowMs += upstreamSweepMs;
    for (const swept of this.#swept) swept.sweep(this.#nowMs);
  }
}
