/** Told of a stretch of text, from its first digit to behind its last one, and of its digits. */
export type DigitsFound = (from: number, to: number, digits: number) => void;

/** Clusters nearer to each other are reported as one: a call costs as much as so much text. */
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
  /** What is to be reported, unless the next cluster joins it. */
  #foundFrom = 0;
  #foundTo = 0;
  #foundDigits = 0;

  constructor(gapBytesMax: number, digitsMin: number, found: DigitsFound) {
    this.#gapBytesMax = gapBytesMax;
    this.#digitsMin = digitsMin;
    this.#found = found;
  }

  /** The next run of the text; it does not adjoin the one before. */
  add(from: number, to: number): void {
    if (this.#digits > 0 && from - this.#to > this.#gapBytesMax) this.#endCluster();
    if (this.#digits === 0) this.#from = from;
    this.#to = to;
    this.#digits += to - from;
  }

  /** After the last run of a text. */
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

/** Hands over the runs of ASCII digits in UTF-8 text, each as long as it can be, in order. */
export function forEachDigitRun(utf8: Uint8Array, run: (from: number, to: number) => void): void {
  const length = utf8.length;
  for (let at = 0; at < length; at += 1) {
    if (!isDigit(utf8[at])) continue;
    const from = at;
    while (at < length && isDigit(utf8[at])) at += 1;
    run(from, at);
  }
}

function isDigit(byte = 0): boolean {
  return byte <= 0x39 && byte >= 0x30;
}
