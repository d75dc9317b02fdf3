/** A list of a report as JSON. It holds the first items, as many as fit into its bound. */
export class BoundedList {
  readonly #bytesMax: number;
  readonly #items: string[] = [];
  #bytes = 2;
  #isFull = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** True if an item did not fit. No later item is added then, so that the list has no gaps. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get json(): string {
    return `[${this.#items.join(",")}]`;
  }

  add(item: object): void {
    if (this.#isFull) return;
    const json = JSON.stringify(item);
    const bytes = Buffer.byteLength(json) + 1;
    this.#isFull = this.#bytes + bytes > this.#bytesMax;
    if (this.#isFull) return;
    this.#bytes += bytes;
    this.#items.push(json);
  }
}
