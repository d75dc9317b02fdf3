/** An exchange that remembers its index among the open exchanges. */
export interface PlacedExchange {
  place: number;
}

/**
 * The exchanges that are open. This is no Set: with constant additions and deletions, a Set grows into a new
 * table again and again, and V8 keeps a reference in each old table to the next one. Once the first table was
 * in the old generation, every later table followed, with all its exchanges. Nearly all memory that requests
 * had allocated then lived until the next major collection.
 */
export class OpenExchanges<Responder extends PlacedExchange> {
  readonly #responders: Responder[] = [];

  get size(): number {
    return this.#responders.length;
  }

  /** A copy, in no particular order. Exchanges that close later are still in it. */
  all(): readonly Responder[] {
    return [...this.#responders];
  }

  add(responder: Responder): void {
    responder.place = this.#responders.length;
    this.#responders.push(responder);
  }

  /** Must be called once for each exchange that was added. */
  delete({ place }: Responder): void {
    const last = this.#responders.pop();
    if (last === undefined || last.place === place) return;
    this.#responders[place] = last;
    last.place = place;
  }
}
