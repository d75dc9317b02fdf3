/** A place in the journal: everything appended up to it, it included. */
export type JournalMark = number;

interface Waiter {
  readonly mark: JournalMark;
  readonly resolve: (durable: boolean) => void;
  readonly timeout: NodeJS.Timeout | undefined;
}

/**
 * Callers that wait until what they appended is durable. Thousands give up in one turn where a disk
 * stands still, so one that gives up costs the same however many wait.
 */
export class FlushWaiters {
  /** In the order in which they came; it forgets one without a look at the others. */
  readonly #waiters = new Set<Waiter>();

  get count(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves true when `mark` is durable, false where `waitMsMax` passed before; null: it waits for as
   * long as the gateway runs.
   */
  wait(mark: JournalMark, waitMsMax: number | null): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiters.delete(waiter);
        resolve(false);
      };
      const timeout = waitMsMax === null ? undefined : setTimeout(giveUp, waitMsMax);
      const waiter: Waiter = { mark, resolve, timeout };
      this.#waiters.add(waiter);
    });
  }

  /** All up to `mark` is durable. One look at each that waits, of whom a flush lets nearly all go. */
  reached(mark: JournalMark): void {
    for (const waiter of this.#waiters) {
      if (waiter.mark > mark) continue;
      this.#waiters.delete(waiter);
      clearTimeout(waiter.timeout);
      waiter.resolve(true);
    }
  }
}
