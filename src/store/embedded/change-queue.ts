import { refuse } from "../../contract/errors.ts";
import { storeChangesWaitingMax } from "../../contract/limits.ts";
import type { Outcome } from "../../contract/outcome.ts";

/**
 * Runs changes of the store one after the other. Each reads the result of the previous one. While
 * `storeChangesWaitingMax` changes wait, another one is refused.
 */
export class ChangeQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Changes that have not ended. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `change` after the earlier ones, even if those fail. Errors: those of `change`,
   * `internal_error`.
   */
  run<T>(change: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (this.#waiting >= storeChangesWaitingMax) return Promise.resolve(tooMany);
    this.#waiting += 1;
    const done = this.#last.then(change).finally(() => (this.#waiting -= 1));
    this.#last = done.catch(() => undefined);
    return done;
  }
}

const tooMany = refuse("internal_error", "Too many changes wait for the gateway's store.", {
  details: { retryable: true },
  retryAfterSeconds: 1,
});
