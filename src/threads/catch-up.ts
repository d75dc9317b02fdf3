import { providerStateCatchUpMsMax } from "../contract/limits.ts";
import type { FromThread } from "./messages.ts";

/**
 * Asks the main thread, on behalf of a proxy thread, to bring into the store what every thread has created. A
 * main thread that does not answer is waited for no longer than `providerStateCatchUpMsMax`.
 */
export class CatchUp {
  readonly #post: (message: FromThread) => void;
  readonly #waiting = new Map<number, () => void>();
  #last = 0;

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  ask(): Promise<void> {
    const number = ++this.#last;
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(late);
        this.#waiting.delete(number);
        resolve();
      };
      const late = setTimeout(over, providerStateCatchUpMsMax).unref();
      this.#waiting.set(number, over);
      this.#post({ kind: "catchUp", number });
    });
  }

  /** The main thread has answered. */
  answered(number: number): void {
    this.#waiting.get(number)?.();
  }
}
