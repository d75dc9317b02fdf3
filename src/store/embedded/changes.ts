import type { Generation } from "./tables.ts";

/** A committed change of a table that is kept in memory, on its way to another thread's copy. */
export interface StoreChange {
  readonly name: Generation;
  /** The change; only sender and receiver know its type. */
  readonly change: unknown;
}

/** The destination of changes. */
export interface ChangesSink {
  send(change: StoreChange): void;
  /** Resolves once every other thread has applied everything that was sent before the call. */
  takenIn(): Promise<void>;
}

/**
 * Keeps the copies of all threads equal. The thread that writes the store sends each change when it
 * commits it, in the order of commits. A change is done only when every other thread has applied it: a
 * revoked key works in no thread once its revocation is answered.
 */
export class StoreChanges {
  readonly #copies = new Map<Generation, (change: unknown) => void>();
  #sink: ChangesSink | null = null;
  #told = 0;
  #takenIn = 0;

  /** From here on changes are sent to other threads. */
  sendTo(sink: ChangesSink): void {
    this.#sink = sink;
  }

  /** In the thread that writes: a change was committed. */
  tell(name: Generation, change: unknown): void {
    if (this.#sink === null) return;
    this.#told += 1;
    this.#sink.send({ name, change });
  }

  /** In the writing thread: resolves once every thread has all changes that this one has now. */
  async spread(): Promise<void> {
    const upTo = this.#told;
    if (this.#sink === null || this.#takenIn >= upTo) return;
    await this.#sink.takenIn();
    this.#takenIn = Math.max(this.#takenIn, upTo);
  }

  /** The copy of a table in this thread. */
  keeps(name: Generation, takeIn: (change: unknown) => void): void {
    this.#copies.set(name, takeIn);
  }

  /** In a thread that does not write. */
  receive({ name, change }: StoreChange): void {
    this.#copies.get(name)?.(change);
  }
}
