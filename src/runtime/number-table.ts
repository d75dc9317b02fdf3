/** Places in which one key may stand. */
const waysMax = 8;

/**
 * Numbers by 128-bit keys, a bounded count of them, in memory that is taken once and never grows: a Map
 * that changes with every text would keep the garbage collector busy. A key has eight possible places;
 * if all are taken, the entry that was unused for longest is dropped.
 */
export class NumberTable {
  readonly #ways: number;
  readonly #setMask: number;
  /** Four words of each key. */
  readonly #keys: Uint32Array;
  readonly #numbers: Float64Array;
  /** The last use of a place, by the count of `#uses`; 0: it is free. */
  readonly #usedAt: Float64Array;
  #uses = 0;
  #size = 0;

  /** Has room for at most `entriesMax` numbers, and for at least half as many. */
  constructor(entriesMax: number) {
    this.#ways = Math.min(waysMax, entriesMax);
    const sets = 2 ** Math.floor(Math.log2(entriesMax / this.#ways));
    const places = sets * this.#ways;
    this.#setMask = sets - 1;
    this.#keys = new Uint32Array(places * 4);
    this.#numbers = new Float64Array(places);
    this.#usedAt = new Float64Array(places);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the key; the read counts as a use. undefined: the key is not here. */
  get(key: NumberKey): number | undefined {
    const first = (key[0] & this.#setMask) * this.#ways;
    for (let place = first; place < first + this.#ways; place += 1) {
      if (this.#usedAt[place] === 0 || !this.#isAt(place, key)) continue;
      this.#usedAt[place] = ++this.#uses;
      return this.#numbers[place];
    }
    return undefined;
  }

  /** Adds a key that does not stand here. */
  add(key: NumberKey, number: number): void {
    const first = (key[0] & this.#setMask) * this.#ways;
    let chosen = first;
    for (let place = first; place < first + this.#ways; place += 1) {
      if ((this.#usedAt[place] ?? 0) < (this.#usedAt[chosen] ?? 0)) chosen = place;
    }
    if (this.#usedAt[chosen] === 0) this.#size += 1;
    this.#keys.set(key, chosen * 4);
    this.#numbers[chosen] = number;
    this.#usedAt[chosen] = ++this.#uses;
  }

  #isAt(place: number, key: NumberKey): boolean {
    const keys = this.#keys;
    const word = place * 4;
    return (
      keys[word] === key[0] &&
      keys[word + 1] === key[1] &&
      keys[word + 2] === key[2] &&
      keys[word + 3] === key[3]
    );
  }
}

/** 128 bits, in words without a sign. */
export type NumberKey = readonly [number, number, number, number];
