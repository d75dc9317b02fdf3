/** The number of writes before the table is renewed, in addition to its size. */
const renewedAfter = 64;

/**
 * A map whose entries come and go all the time. In V8 a Map's outgrown table keeps a reference to the
 * next one. Once the first is in the old generation, all later tables and their content live until the
 * next major collection. So a new Map takes over before that chain gets long.
 */
export class RenewedMap<Value> {
  #entries = new Map<string, Value>();
  #set = 0;

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** In the order in which they were set. */
  values(): Iterable<Value> {
    return this.#entries.values();
  }

  set(key: string, value: Value): void {
    if (++this.#set > this.#entries.size + renewedAfter) {
      this.#entries = new Map(this.#entries);
      this.#set = 0;
    }
    this.#entries.set(key, value);
  }

  /** Whether there was one. */
  delete(key: string): boolean {
    return this.#entries.delete(key);
  }
}
