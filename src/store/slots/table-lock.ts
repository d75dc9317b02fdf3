import { tableLockTriesMax } from "../../contract/limits.ts";

/**
 * Mutual exclusion between threads for some microseconds, by a 32-bit word in shared memory. A thread
 * waits for at most `tableLockTriesMax` tries, and never takes the lock from its holder. A stopped
 * thread continues later, and a thread that ends in the middle ends the process.
 */
export class TableLock {
  readonly #words: Int32Array;
  readonly #at: number;
  readonly #holder: number;

  /** `holder` is a different number for every thread, not 0. */
  constructor(words: Int32Array, at: number, holder: number) {
    this.#words = words;
    this.#at = at;
    this.#holder = holder;
  }

  /** Runs `use` with the lock; "busy" if another thread keeps it. */
  hold<T>(use: () => T): T | "busy" {
    if (!this.#acquire()) return "busy";
    try {
      return use();
    } finally {
      Atomics.store(this.#words, this.#at, 0);
    }
  }

  #acquire(): boolean {
    for (let tries = 0; tries < tableLockTriesMax; tries++) {
      const holder = Atomics.compareExchange(this.#words, this.#at, 0, this.#holder);
      if (holder === 0) return true;
      if (holder === this.#holder) throw new Error("a thread asked for a lock that it holds");
    }
    return false;
  }
}
