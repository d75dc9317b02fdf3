/**
 * The number of 64-bit words before those of the threads, and the number for each thread. Both are
 * one cache line.
 */
const wordsAtFirst = 8;
const wordsOfThread = 8;
const failing = 0;
const full = 1;
const ofThread = { durable: 0, notesTaken: 1, scanned: 2, closed: 3 } as const;

/** Facts that the main thread and the proxy threads share without a message. */
export class SharedFlags {
  readonly buffer: SharedArrayBuffer;
  readonly #words: BigInt64Array;
  readonly #threads: number;

  /** `buffer` comes from another thread, with the same number of proxy threads beside the main one. */
  constructor(
    threads: number,
    buffer = new SharedArrayBuffer((wordsAtFirst + threads * wordsOfThread) * 8),
  ) {
    this.#threads = threads;
    this.buffer = buffer;
    this.#words = new BigInt64Array(buffer);
  }

  /** True if a flush of the journal has failed or takes too long, until it is written. */
  get journalFails(): boolean {
    return Atomics.load(this.#words, failing) !== 0n;
  }

  set journalFails(fails: boolean) {
    Atomics.store(this.#words, failing, fails ? 1n : 0n);
  }

  /** True if so much waits to be written that nothing more may be recorded. */
  get journalFull(): boolean {
    return Atomics.load(this.#words, full) !== 0n;
  }

  set journalFull(isFull: boolean) {
    Atomics.store(this.#words, full, isFull ? 1n : 0n);
  }

  /** The number of the last batch of a thread that is durable, together with all earlier ones. */
  durable(thread: number): number {
    return Number(Atomics.load(this.#words, at(thread, ofThread.durable)));
  }

  setDurable(thread: number, batch: number): void {
    Atomics.store(this.#words, at(thread, ofThread.durable), BigInt(batch));
  }

  /** Bytes of log lines and readable content that were taken from a thread so far. */
  notesTaken(thread: number): number {
    return Number(Atomics.load(this.#words, at(thread, ofThread.notesTaken)));
  }

  addNotesTaken(thread: number, bytes: number): void {
    Atomics.add(this.#words, at(thread, ofThread.notesTaken), BigInt(bytes));
  }

  /** Notes that a request's scan began in a thread. */
  scanned(thread: number, wallMs: number): void {
    Atomics.store(this.#words, at(thread, ofThread.scanned), BigInt(wallMs));
  }

  /** A thread has no connections any more, and is about to end. */
  closed(thread: number): void {
    Atomics.store(this.#words, at(thread, ofThread.closed), 1n);
    Atomics.notify(this.#words, at(thread, ofThread.closed));
  }

  /** Blocks until the thread has closed its connections; false if `waitMsMax` passed before. */
  awaitClosed(thread: number, waitMsMax: number): boolean {
    return Atomics.wait(this.#words, at(thread, ofThread.closed), 0n, waitMsMax) !== "timed-out";
  }

  /** When the last scan of any thread except the main one began; 0 if there was none. */
  lastScannedWallMs(): number {
    let last = 0n;
    for (let thread = 0; thread < this.#threads; thread += 1) {
      const scanned = Atomics.load(this.#words, at(thread, ofThread.scanned));
      if (scanned > last) last = scanned;
    }
    return Number(last);
  }
}

function at(thread: number, word: number): number {
  return wordsAtFirst + thread * wordsOfThread + word;
}
