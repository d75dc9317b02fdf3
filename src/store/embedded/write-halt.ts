import { refuse } from "../../contract/errors.ts";

/** The answer to a write after `halt`. */
export const writesHalted = refuse(
  "internal_error",
  "A write to the gateway's disk failed in the middle; nothing is written until it is restarted.",
);

/**
 * Ends all writing to the databases of this process until a restart, in all of its threads, because
 * they share one heap.
 *
 * lmdb 3.5.6 writes past the end of a buffer when a write to the disk fails (mdb_page_flush): the heap
 * may be damaged, and a damaged heap must not reach a database. Waiting entries are lost with the
 * process. That is better than books with wrong content. If the check before the call of LMDB finds
 * the disk full, writing does not end.
 */
export class WriteHalt {
  /** For the other threads. */
  readonly buffer: SharedArrayBuffer;
  readonly #word: Int32Array;

  constructor(buffer = new SharedArrayBuffer(4)) {
    this.buffer = buffer;
    this.#word = new Int32Array(buffer);
  }

  get halted(): boolean {
    return Atomics.load(this.#word, 0) === 1;
  }

  halt(): void {
    Atomics.store(this.#word, 0, 1);
  }
}
