/**
 * Receives a part of a text, from its first digit to after its last one, and the number of its
 * digits.
 */
export type DigitsFound = (from: number, to: number, digits: number) => void;

/**
 * Clusters at a smaller distance are reported as one, because a call costs as much as the search of
 * this much text.
 */
const joinedBytesMax = 256;

/** Joins runs of digits that are near to each other, and reports those with enough digits. */
export class DigitClusters {
  readonly #gapBytesMax: number;
  readonly #digitsMin: number;
  readonly #found: DigitsFound;
  /** The cluster that the next run may belong to. */
  #from = 0;
  #to = 0;
  #digits = 0;
  /** The part to be reported, unless the next cluster joins it. */
  #foundFrom = 0;
  #foundTo = 0;
  #foundDigits = 0;

  constructor(gapBytesMax: number, digitsMin: number, found: DigitsFound) {
    this.#gapBytesMax = gapBytesMax;
    this.#digitsMin = digitsMin;
    this.#found = found;
  }

  /** Adds the next run of the text. It does not adjoin the previous run. */
  add(from: number, to: number): void {
    if (this.#digits > 0 && from - this.#to > this.#gapBytesMax) this.#endCluster();
    if (this.#digits === 0) this.#from = from;
    this.#to = to;
    this.#digits += to - from;
  }

  /** Call this after the last run of a text. */
  end(): void {
    this.#endCluster();
    if (this.#foundDigits > 0) this.#found(this.#foundFrom, this.#foundTo, this.#foundDigits);
    this.#foundDigits = 0;
  }

  #endCluster(): void {
    const digits = this.#digits;
    this.#digits = 0;
    if (digits < this.#digitsMin) return;
    if (this.#foundDigits > 0 && this.#from - this.#foundTo > joinedBytesMax) {
      this.#found(this.#foundFrom, this.#foundTo, this.#foundDigits);
      this.#foundDigits = 0;
    }
    if (this.#foundDigits === 0) this.#foundFrom = this.#from;
    this.#foundTo = this.#to;
    this.#foundDigits += digits;
  }
}

/** Calls `run` for each longest run of ASCII digits in UTF-8 text, in order. */
export function forEachDigitRun(utf8: Uint8Array, run: (from: number, to: number) => void): void {
  const length = utf8.length;
  const words = new WordSkip(utf8);
  for (let at = words.from(0); at < length; at = words.from(at + 1)) {
    if (!isDigit(utf8[at])) continue;
    const from = at;
    while (at < length && isDigit(utf8[at])) at += 1;
    run(from, at);
  }
}

const noWords = new Int32Array(0);

/** Skips text without digits four bytes at a time, which takes a fourth of the time. */
class WordSkip {
  readonly #words: Int32Array;
  /** The offset of the first aligned word in the text. */
  readonly #start: number;

  constructor({ buffer, byteOffset, length }: Uint8Array) {
    this.#start = -byteOffset & 3;
    const words = Math.max(0, length - this.#start) >> 2;
    // An empty cluster must not begin after the buffer's end.
    this.#words = words === 0 ? noWords : new Int32Array(buffer, byteOffset + this.#start, words);
  }

  /** The first place from `at` on that may hold a digit, or the text's last few bytes. */
  from(at: number): number {
    const words = this.#words;
    const offset = at - this.#start;
    if ((offset & 3) !== 0 || offset < 0 || words.length === 0) return at;
    let word = offset >> 2;
    while (word < words.length && !mayHoldDigit(words[word] ?? 0)) word += 1;
    return this.#start + (word << 2);
  }
}

/** True if one of the four bytes is from 0x30 to 0x3f: a digit, or one of `:;<=>?`. */
function mayHoldDigit(word: number): boolean {
  const zeroForDigits = (word ^ 0x30303030) & 0xf0f0f0f0;
  // A byte that is 0 borrows from its highest bit (Mycroft, 1987).
  return ((zeroForDigits - 0x01010101) & ~zeroForDigits & 0x80808080) !== 0;
}

function isDigit(byte = 0): boolean {
  return byte <= 0x39 && byte >= 0x30;
}
