/** What knows its place among the open exchanges. */
export interface PlacedExchange {
  place: number;
}

/**
 * The exchanges that are open. No Set: one that is added to and deleted from all the time grows into a
 * new table again and again, and V8 keeps in each old table a reference to the next. Once the first of
 * them was moved to the old generation, every later one followed, with all exchanges that were in it:
 * nearly all that requests had allocated lived until the next major collection.
 */
export class OpenExchanges<Responder extends PlacedExchange> {
  readonly #responders: Responder[] = [];

  get size(): number {
    return this.#responders.length;
  }

  /** In no particular order; what closes meanwhile is still among them. */
  all(): readonly Responder[] {
    return [...this.#responders];
  }

  add(responder: Responder): void {
    responder.place = this.#responders.length;
    this.#responders.push(responder);
  }

  /** To be called once for each that was added. */
  delete({ place }: Responder): void {
    const last = this.#responders.pop();
    if (last === undefined || last.place === place) return;
    this.#responders[place] = last;
    last.place = place;
  }
}
