/** Chance that a seed makes repeatable (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Neighbouring seeds differ in a few bits; a few rounds set them apart.
    for (let i = 0; i < 8; i += 1) this.next();
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** A whole number, both ends included. */
  integer(from: number, to: number): number {
    return Math.floor(this.between(from, to + 1));
  }

  pick<T>(first: T, ...more: readonly T[]): T {
    return [first, ...more][this.integer(0, more.length)] ?? first;
  }
}
