/**
 * Parts of a text to be searched, as offsets. Added from left to right, but for a little; what
 * overlaps or adjoins the last one is merged with it.
 */
export class SearchRanges {
  #froms: number[] = [];
  #tos: number[] = [];

  get isEmpty(): boolean {
    return this.#froms.length === 0;
  }

  add(from: number, to: number): void {
    const last = this.#tos.length - 1;
    const lastTo = this.#tos[last];
    if (lastTo === undefined || from > lastTo) {
      this.#froms.push(from);
      this.#tos.push(to);
      return;
    }
    if (to > lastTo) this.#tos[last] = to;
    if (from < (this.#froms[last] ?? from)) this.#froms[last] = from;
  }

  /**
   * Hands over each range and forgets it. `search` answers how far it came; the next range begins
   * behind that.
   */
  drain(search: (from: number, to: number) => number): void {
    const froms = this.#froms;
    const tos = this.#tos;
    this.#froms = [];
    this.#tos = [];
    let searchedTo = 0;
    for (const [index, rangeFrom] of froms.entries()) {
      const from = Math.max(rangeFrom, searchedTo);
      const to = tos[index] ?? from;
      if (from < to) searchedTo = search(from, to);
    }
  }
}
