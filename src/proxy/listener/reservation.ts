import type { ByteBudget } from "./byte-budget.ts";

/** The bytes that one exchange has reserved in the byte budget. All are given back when it is over. */
export class Reservation {
  readonly #budget: ByteBudget;
  #bytes = 0;
  #isReleased = false;
  #stopWaiting: (() => void) | null = null;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /**
   * Reserves more. False means that there is no room now. Then `later` is called once there is room, or with
   * false if that takes too long. It is never called after `stopWaiting`, `release` or the next call: an
   * answer that ended without the room must not wait any more when another account's answer is buffered.
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

  /** True if something was waiting. */
  stopWaiting(): boolean {
    if (this.#stopWaiting === null) return false;
    this.#stopWaiting();
    this.#stopWaiting = null;
    return true;
  }

  /** Gives back everything above this number of bytes. */
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
