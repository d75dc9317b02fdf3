import { sharedLockWaitMs, sharedLockWaitsMax } from "../contract/limits.ts";

/** Tries before a thread sleeps: some microseconds, longer than a critical section takes. */
const spinsMax = 500;
const ticketBits = 23;
/** Threads that may attach to one set of locks over its life. */
const lockMembersMax = 255;

/**
 * Mutual exclusion between threads, by two 32-bit words a lock in shared memory: who holds it, and how
 * many sleep for it. A lock is held for microseconds and never over an `await`.
 *
 * A thread can die with a lock in its hand (it is terminated, or runs out of memory). Every taking
 * of a lock has a ticket; who has slept `sharedLockWaitsMax` times for one and the same ticket takes
 * the lock over. Sleeps are counted and not time, so that a process that stood still as a whole
 * does not look like one dead thread. A thread that comes back after all finds another ticket and
 * releases nothing.
 */
export class SharedLocks {
  readonly #words: Int32Array;
  readonly #stride: number;
  readonly #member: number;
  #ticket = 0;

  /**
   * The words of lock n stand at n times `stride`. `member`: 1 to `lockMembersMax`, another one for
   * every thread.
   */
  constructor(words: Int32Array, stride: number, member: number) {
    if (member < 1 || member > lockMembersMax) throw new Error("too many threads share one table");
    this.#words = words;
    this.#stride = stride;
    this.#member = member;
  }

  /** True where the lock was taken over from a thread that died in the middle of its work. */
  acquire(lock: number): boolean {
    const word = lock * this.#stride;
    const ticket = this.#nextTicket();
    for (let spins = 0; spins < spinsMax; spins++) {
      if (Atomics.compareExchange(this.#words, word, 0, ticket) === 0) return false;
    }
    return this.#sleepFor(word, ticket);
  }

  tryAcquire(lock: number): boolean {
    return Atomics.compareExchange(this.#words, lock * this.#stride, 0, this.#nextTicket()) === 0;
  }

  release(lock: number): void {
    const word = lock * this.#stride;
    const holder = Atomics.load(this.#words, word);
    if (holder >>> ticketBits !== this.#member) return;
    if (Atomics.compareExchange(this.#words, word, holder, 0) !== holder) return;
    if (Atomics.load(this.#words, word + 1) > 0) Atomics.notify(this.#words, word, 1);
  }

  #sleepFor(word: number, ticket: number): boolean {
    Atomics.add(this.#words, word + 1, 1);
    try {
      let seen = 0;
      let sleeps = 0;
      while (true) {
        const holder = Atomics.compareExchange(this.#words, word, 0, ticket);
        if (holder === 0) return false;
        if (holder >>> ticketBits === this.#member) {
          throw new Error("a thread asked for a shared lock that it holds");
        }
        if (holder !== seen) {
          seen = holder;
          sleeps = 0;
        } else if (sleeps >= sharedLockWaitsMax) {
          if (Atomics.compareExchange(this.#words, word, holder, ticket) === holder) return true;
          continue;
        }
        if (Atomics.wait(this.#words, word, holder, sharedLockWaitMs) === "timed-out") sleeps++;
      }
    } finally {
      Atomics.sub(this.#words, word + 1, 1);
    }
  }

  #nextTicket(): number {
    this.#ticket = (this.#ticket + 1) & ((1 << ticketBits) - 1);
    return (this.#member << ticketBits) | this.#ticket;
  }
}
