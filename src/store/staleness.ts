/**
 * Tells whether a copy of a table has missed a change. A commit of another thread can be read before
 * the message about it arrives. Loading the table again would block the loop for a second with
 * 100,000 keys. So a copy has missed a change only if it is still behind at its next check.
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
