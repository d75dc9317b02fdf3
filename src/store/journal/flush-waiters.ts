/** A place in the journal: it stands for everything appended up to and including it. */
export type JournalMark = number;

interface Waiter {
  readonly mark: JournalMark;
  readonly resolve: (durable: boolean) => void;
  readonly timeout: NodeJS.Timeout | undefined;
}

/**
 * Callers that wait until their entries are durable. If the disk hangs, thousands of callers give up in
 * one turn of the loop. So the cost of giving up must not depend on the number of callers.
 */
export class FlushWaiters {
  /** In the order of arrival; a waiter can be removed without a look at the others. */
  readonly #waiters = new Set<Waiter>();

  get count(): number {
    return this.#waiters.size;
  }

  /**
   * Resolves true when `mark` is durable, false if `waitMsMax` passed before. null: it waits as long as
   * the gateway runs.
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

  /**
   * Everything up to `mark` is durable. Looks at each waiter once; a flush releases nearly all of them.
   */
  reached(mark: JournalMark): void {
    for (const waiter of this.#waiters) {
      if (waiter.mark > mark) continue;
      this.#waiters.delete(waiter);
      clearTimeout(waiter.timeout);
      waiter.resolve(true);
    }
  }
}
