/*
 * Records from one thread to one other, in shared memory.
 *
 *        tail                       head
 *   ......|rec|record|...|rec|record|..........
 *
 * The writer puts a record behind the last one and moves `head`; the reader reads from `tail` on and
 * moves it once it needs the bytes no longer. A record is a length of four bytes and its bytes; it
 * stands in one piece, so a record that does not fit before the end of the memory begins at its start,
 * and a mark stands where it would have begun. Both positions count on without end (modulo 2^32).
 *
 * Waking a thread costs some microseconds. So the reader is woken only where it sleeps, and then lets
 * records gather before it reads.
 */

/** In place of a length: the next record is at the start of the memory. */
const lapMark = 0xffff_ffff;
const words = { head: 0, tail: 1, refused: 2, sleeping: 3, flushing: 4 } as const;
const wordBytes = 64;

/** @param bytes how many its records may take, a power of two. */
export function ringBuffer(bytes: number): SharedArrayBuffer {
  if (bytes < 64 || (bytes & (bytes - 1)) !== 0) throw new Error("not a power of two");
  return new SharedArrayBuffer(wordBytes + bytes);
}

abstract class RingSide {
  protected readonly words: Int32Array;
  protected readonly bytes: Buffer;
  protected readonly view: DataView;

  constructor(buffer: SharedArrayBuffer) {
    this.words = new Int32Array(buffer, 0, wordBytes / 4);
    this.bytes = Buffer.from(buffer, wordBytes);
    this.view = new DataView(buffer, wordBytes);
  }

  /** Where a position stands in the memory. */
  protected offset(position: number): number {
    return position & (this.bytes.length - 1);
  }
}

/** The side of the one thread that writes. */
export class RingWriter extends RingSide {
  /** Copies a record. False: there is no room, and it counts as refused. Costs about 0.1 µs. */
  write(record: Buffer): boolean {
    const { head } = this;
    const free = this.bytes.length - this.usedBytes;
    const taken = framed(record.length);
    const toEnd = this.bytes.length - this.offset(head);
    const skipped = taken > toEnd ? toEnd : 0;
    if (skipped + taken > free) {
      Atomics.add(this.words, words.refused, 1);
      return false;
    }
    if (skipped > 0) this.view.setUint32(this.offset(head), lapMark);
    const at = this.offset(head + skipped);
    this.view.setUint32(at, record.length);
    record.copy(this.bytes, at + 4);
    Atomics.store(this.words, words.head, (head + skipped + taken) | 0);
    if (Atomics.load(this.words, words.sleeping) === 1) this.#wake();
    return true;
  }

  /** Behind the last record. */
  get head(): number {
    return Atomics.load(this.words, words.head);
  }

  /** Bytes that the reader has not released. */
  get usedBytes(): number {
    return (this.head - Atomics.load(this.words, words.tail)) >>> 0;
  }

  /** Blocks this thread until the reader has dealt with everything; false: it has not in so long. */
  flush(msMax: number): boolean {
    Atomics.store(this.words, words.flushing, 1);
    Atomics.notify(this.words, words.flushing);
    this.#wake();
    return Atomics.wait(this.words, words.flushing, 1, msMax) !== "timed-out";
  }

  #wake(): void {
    Atomics.store(this.words, words.sleeping, 0);
    Atomics.notify(this.words, words.sleeping);
  }
}

/** The side of the one thread that reads. A reader that is made anew begins with what is not released. */
export class RingReader extends RingSide {
  /** Everything before it has been read. */
  #at = Atomics.load(this.words, words.tail);

  /** The next record, valid until it is released; null: there is none before `end`. */
  next(end = Atomics.load(this.words, words.head)): Buffer | null {
    if (this.#at === end) return null;
    const length = this.view.getUint32(this.offset(this.#at));
    if (length === lapMark) {
      this.#at = (this.#at + this.bytes.length - this.offset(this.#at)) | 0;
      return this.next(end);
    }
    const start = this.offset(this.#at) + 4;
    this.#at = (this.#at + framed(length)) | 0;
    return this.bytes.subarray(start, start + length);
  }

  /** Gives the room of everything read back to the writer. */
  release(): void {
    Atomics.store(this.words, words.tail, this.#at);
  }

  /** Blocks this thread until there is something to read, or a flush is wanted. */
  sleep(): void {
    Atomics.store(this.words, words.sleeping, 1);
    // What was written before that line woke nobody.
    const hasNext = this.#at !== Atomics.load(this.words, words.head);
    if (!hasNext && !this.flushWanted) Atomics.wait(this.words, words.sleeping, 1);
    Atomics.store(this.words, words.sleeping, 0);
  }

  /** Blocks this thread for so long, or until a flush is wanted. */
  gather(ms: number): void {
    Atomics.wait(this.words, words.flushing, 0, ms);
  }

  /** Whether the writer waits in `flush`. */
  get flushWanted(): boolean {
    return Atomics.load(this.words, words.flushing) === 1;
  }

  /** Lets the writer go on. */
  flushed(): void {
    Atomics.store(this.words, words.flushing, 0);
    Atomics.notify(this.words, words.flushing);
  }

  /** How many records were refused since the last call. */
  takeRefused(): number {
    return Atomics.exchange(this.words, words.refused, 0);
  }
}

/** The room that a record takes, with its length; positions stay multiples of four. */
function framed(length: number): number {
  return (4 + length + 3) & ~3;
}
