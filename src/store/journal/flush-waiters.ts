/** A place in the journal: everything appended up to it, it included. */
export type JournalMark = number;

interface Waiter {
  readonly mark: JournalMark;
  readonly resolve: (durable: boolean) => void;
}

/** Callers that wait until what they appended is durable. */
export class FlushWaiters {
  #waiters: Waiter[] = [];

  get count(): number {
    return this.#waiters.length;
  }

  /**
   * Resolves true when `mark` is durable, false where `waitMsMax` passed before; null: it waits for as
   * long as the gateway runs.
   */
  wait(mark: JournalMark, waitMsMax: number | null): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        mark,
        resolve: (durable) => {
          clearTimeout(timeout);
          resolve(durable);
        },
      };
      // Who waits no longer is forgotten: while the disk is full, waiters would gather.
      const giveUp = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      };
      const timeout = waitMsMax === null ? undefined : setTimeout(giveUp, waitMsMax);
      this.#waiters.push(waiter);
    });
  }

  /** All up to `mark` is durable. */
  reached(mark: JournalMark): void {
    const waiting = this.#waiters;
    this.#waiters = waiting.filter((waiter) => waiter.mark > mark);
    for (const waiter of waiting) {
      if (waiter.mark <= mark) waiter.resolve(true);
    }
  }
}
