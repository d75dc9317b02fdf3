import { backslash, controlEnd, quote } from "./ascii.ts";

// Shared, because making an empty typed array costs 230 ns.
const noBytes: Buffer = Buffer.alloc(0);
const noWords: Int32Array = new Int32Array(0);

/**
 * Skips long runs of plain string bytes (base64, prose) at memory speed: the next quote and the next
 * backslash come from `Buffer.indexOf` and are remembered, control characters are searched four words
 * at a time. Each search reads every byte once, however the buffer grows.
 */
export class PlainRun {
  #view = noBytes;
  #words = noWords;
  readonly #quote = new NextByte(quote);
  readonly #backslash = new NextByte(backslash);

  /**
   * The first quote, backslash or control character in `[at, length)`, or `length`. `at` must not
   * go back from one call to the next.
   */
  end(bytes: Uint8Array, at: number, length: number): number {
    this.#look(bytes, length);
    const stop = Math.min(this.#quote.from(this.#view, at), this.#backslash.from(this.#view, at));
    return this.#control(bytes, at, stop);
  }

  /** `indexOf` has no end bound, so it gets a view of the arrived bytes only. */
  #look(bytes: Uint8Array, length: number): void {
    const { buffer, byteOffset } = bytes;
    const same = this.#view.buffer === buffer && this.#view.byteOffset === byteOffset;
    if (!same || this.#view.length !== length) {
      this.#view = Buffer.from(buffer, byteOffset, length);
    }
    const wordCount = buffer.byteLength >>> 2;
    if (this.#words.buffer !== buffer || this.#words.length !== wordCount) {
      this.#words = new Int32Array(buffer, 0, wordCount);
    }
  }

  /** The first control character in `[at, stop)`, or `stop`. */
  #control(bytes: Uint8Array, at: number, stop: number): number {
    // Words are aligned in the whole ArrayBuffer, wherever the view starts in it.
    const base = bytes.byteOffset;
    const firstWord = (base + at + 3) >>> 2;
    const lastWord = (base + stop) >>> 2;
    if (firstWord >= lastWord) return controlByByte(bytes, at, stop);

    const head = firstWord * 4 - base;
    const early = controlByByte(bytes, at, head);
    if (early < head) return early;
    const clear = this.#wordsClear(firstWord, lastWord) ? lastWord * 4 - base : head;
    return controlByByte(bytes, clear, stop);
  }

  #wordsClear(from: number, until: number): boolean {
    const words = this.#words;
    let found = 0;
    let at = from;
    for (; at + 3 < until; at += 4) {
      found |=
        below0x20(words[at] ?? 0) |
        below0x20(words[at + 1] ?? 0) |
        below0x20(words[at + 2] ?? 0) |
        below0x20(words[at + 3] ?? 0);
    }
    for (; at < until; at++) found |= below0x20(words[at] ?? 0);
    return (found & 0x80808080) === 0;
  }
}

/**
 * A top bit is set in some byte of the result exactly if a byte of `word` is below 0x20: the
 * subtraction borrows into it, and `~word` excludes bytes from 0x80 on. Byte order does not matter.
 */
function below0x20(word: number): number {
  return (word - 0x20202020) & ~word;
}

function controlByByte(bytes: Uint8Array, from: number, stop: number): number {
  for (let at = from; at < stop; at++) {
    if ((bytes[at] ?? 0) < controlEnd) return at;
  }
  return stop;
}

/** Finds the next place of one byte value in a growing buffer. */
class NextByte {
  readonly #byte: number;
  /** There is no such byte between the last `at` and here … */
  #clearUntil = 0;
  /** … and the offset of the next one, unless the bytes ended. */
  #hit = -1;

  constructor(byte: number) {
    this.#byte = byte;
  }

  /** The first position from `at` on, or the view's length. `at` must not go back. */
  from(view: Buffer, at: number): number {
    if (this.#hit >= at) return this.#hit;
    const found = view.indexOf(this.#byte, Math.max(at, this.#clearUntil));
    this.#hit = found;
    this.#clearUntil = found === -1 ? view.length : found;
    return this.#clearUntil;
  }
}
