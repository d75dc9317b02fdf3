/**
 * Whether a copy of a table has missed something. What another thread of this process has committed can be
 * read before the change itself arrives, and loading a table anew for it would hold the loop for a second
 * where there are 100,000 keys: only a copy that is still behind at its next check has missed it.
 */
export class StalenessCheck {
  #seen = -1;

  /** `known`: the generation of the copy; `stored`: that of the table. */
  persists(known: number, stored: number): boolean {
    if (stored <= known) return false;
    const wasBehind = this.#seen > known;
    this.#seen = stored;
    return wasBehind;
  }
}
