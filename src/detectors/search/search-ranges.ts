/**
 * Parts of a text to be searched, as offsets. They are added in the order of their ends; what
 * overlaps or adjoins another is merged with it.
 */
export class SearchRanges {
  #froms: number[] = [];
  #tos: number[] = [];

  get isEmpty(): boolean {
    return this.#froms.length === 0;
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
