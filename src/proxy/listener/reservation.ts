import type { ByteBudget } from "./byte-budget.ts";

/** What one exchange has reserved in the byte budget; all of it is given back when it is over. */
export class Reservation {
  readonly #budget: ByteBudget;
  #bytes = 0;
  #isReleased = false;
  #stopWaiting: (() => void) | null = null;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /**
   * Reserves more. False: there is no room now; `later` is called once there is, or with false where it
   * takes too long, and never after `stopWaiting`, `release` or the next call: an answer that came to its
   * end all the same waits no more when that of another account is buffered.
   */
  reserve(bytes: number, later: (granted: boolean) => void): boolean {
    this.stopWaiting();
    if (this.#isReleased) return false;
    if (this.#budget.tryReserve(bytes)) {
      this.#bytes += bytes;
      return true;
    }
    this.#stopWaiting = this.#budget.wait(bytes, (granted) => {
      this.#stopWaiting = null;
      if (granted) this.#bytes += bytes;
      later(granted);
    });
    return false;
  }

  /** True where somebody waited. */
  stopWaiting(): boolean {
    if (this.#stopWaiting === null) return false;
    this.#stopWaiting();
    this.#stopWaiting = null;
    return true;
  }

  /** Gives back what is beyond so many bytes. */
  keep(bytes: number): void {
    if (this.#bytes <= bytes) return;
    this.#budget.release(this.#bytes - bytes);
    this.#bytes = bytes;
  }

  release(): void {
    this.#isReleased = true;
    this.stopWaiting();
    this.keep(0);
  }
}
