const blockBits = 6;

/** Counts the digits in parts of a text, exact to a block of 64 bytes at each end. */
export class DigitCount {
  /** The number of digits before each block. */
  readonly #before: Uint32Array;

  constructor(bytes: number) {
    this.#before = new Uint32Array((bytes >> blockBits) + 2);
  }

  /** Adds a run of digits. */
  add(from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const next = (at >> blockBits) + 1;
      this.#before[next] = (this.#before[next] ?? 0) + 1;
    }
  }

  /** Call this after the last run of the text. */
  end(): void {
    const before = this.#before;
    for (let block = 1; block < before.length; block += 1) {
      before[block] = (before[block] ?? 0) + (before[block - 1] ?? 0);
    }
  }

  /** An upper bound on the digits from `from` to before `to`. */
  atMost(from: number, to: number): number {
    const before = this.#before;
    const last = Math.min((to >> blockBits) + 1, before.length - 1);
    return (before[last] ?? 0) - (before[from >> blockBits] ?? 0);
  }
}
