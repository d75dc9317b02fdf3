/**
 * Parts of a text, as offsets. They are added in the order of their ends. A range that overlaps or
 * adjoins another is merged with it.
 */
export class SearchRanges {
  #froms: number[] = [];
  #tos: number[] = [];

  get isEmpty(): boolean {
    return this.#froms.length === 0;
  }

  /** The end of the last range; 0 if there is none. */
  get end(): number {
    return this.#tos.at(-1) ?? 0;
  }

  add(from: number, to: number): void {
    let mergedFrom = from;
    let mergedTo = to;
    for (let last = this.#tos.length - 1; from <= (this.#tos[last] ?? -1); last -= 1) {
      mergedFrom = Math.min(mergedFrom, this.#froms.pop() ?? from);
      mergedTo = Math.max(mergedTo, this.#tos.pop() ?? to);
    }
    this.#froms.push(mergedFrom);
    this.#tos.push(mergedTo);
  }

  clear(): void {
    if (this.isEmpty) return;
    this.#froms = [];
    this.#tos = [];
  }

  /** Drops the ranges that the test refuses. */
  filter(keeps: (from: number, to: number) => boolean): void {
    const kept = this.#froms.map((from, index) => keeps(from, this.#tos[index] ?? from));
    this.#froms = this.#froms.filter((_, index) => kept[index]);
    this.#tos = this.#tos.filter((_, index) => kept[index]);
  }

  /** Keeps only the parts that are also in one of the others. */
  intersect(others: SearchRanges): void {
    const froms: number[] = [];
    const tos: number[] = [];
    let other = 0;
    for (const [index, rangeFrom] of this.#froms.entries()) {
      const rangeTo = this.#tos[index] ?? rangeFrom;
      while ((others.#tos[other] ?? Infinity) <= rangeFrom) other += 1;
      for (let at = other; (others.#froms[at] ?? Infinity) < rangeTo; at += 1) {
        froms.push(Math.max(rangeFrom, others.#froms[at] ?? 0));
        tos.push(Math.min(rangeTo, others.#tos[at] ?? 0));
      }
    }
    this.#froms = froms;
    this.#tos = tos;
  }

  /**
   * Calls `search` for each range and forgets the range. `search` returns how far it came, and the
   * next range begins after that.
   */
  drain(search: (from: number, to: number) => number): void {
    const froms = this.#froms;
    const tos = this.#tos;
    this.clear();
    let searchedTo = 0;
    for (const [index, rangeFrom] of froms.entries()) {
      const from = Math.max(rangeFrom, searchedTo);
      const to = tos[index] ?? from;
      if (from < to) searchedTo = search(from, to);
    }
  }
}
