import { bodyBudgetWaitersMax, bodyBudgetWaitMsMax } from "../../contract/limits.ts";

interface Waiter {
  readonly bytes: number;
  readonly granted: (granted: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Memory for bodies in flight, for all exchanges together (design: Intake, Relay). A request's body reserves
 * its whole length before more than the first part is buffered, so running uploads never wait for each other.
 * An answer that is buffered whole reserves as it grows. First come, first served. The queue and the wait are
 * bounded.
 */
export class ByteBudget {
  readonly #bytesMax: number;
  readonly #waitersMax: number;
  readonly #waitMsMax: number;
  readonly #waiters: Waiter[] = [];
  #used = 0;

  constructor(
    bytesMax: number,
    waitersMax: number = bodyBudgetWaitersMax,
    waitMsMax: number = bodyBudgetWaitMsMax,
  ) {
    this.#bytesMax = bytesMax;
    this.#waitersMax = waitersMax;
    this.#waitMsMax = waitMsMax;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** True if the bytes are taken at once; false if there is no room now, or if others are waiting. */
  tryReserve(bytes: number): boolean {
    if (this.#waiters.length > 0 || this.#used + bytes > this.#bytesMax) return false;
    this.#used += bytes;
    return true;
  }

  /**
   * Waits for room. `granted` is called once, later, with false if the queue is full or the wait took too
   * long. Returns a function that gives the place up; after it `granted` is not called.
   */
  wait(bytes: number, granted: (granted: boolean) => void): () => void {
    if (this.#waiters.length >= this.#waitersMax || bytes > this.#bytesMax) {
      const refusal = setImmediate(granted, false);
      return () => clearImmediate(refusal);
    }
    const waiter: Waiter = {
      bytes,
      granted,
      timer: setTimeout(() => {
        this.#remove(waiter);
        granted(false);
      }, this.#waitMsMax),
    };
    this.#waiters.push(waiter);
    return () => this.#remove(waiter);
  }

  release(bytes: number): void {
    this.#used -= bytes;
    this.#grant();
  }

  #remove(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    const index = this.#waiters.indexOf(waiter);
    if (index < 0) return;
    this.#waiters.splice(index, 1);
    this.#grant();
  }

  #grant(): void {
    for (;;) {
      const next = this.#waiters[0];
      if (next === undefined || this.#used + next.bytes > this.#bytesMax) return;
      this.#waiters.shift();
      clearTimeout(next.timer);
      this.#used += next.bytes;
      next.granted(true);
    }
  }
}
