/** A seeded generator (mulberry32): the same seed gives the same model. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 ≤ x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** 0 ≤ n < end */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }

  /** Prefers the front of a list that is sorted by frequency. */
  pickFront<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() ** 2.5 * items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }

  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      const moved = items[last] as T;
      items[last] = items[other] as T;
      items[other] = moved;
    }
    return items;
  }
}
