/** Lets a fixed number run at a time; the others follow in the order of their arrival. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atATime: number) {
    this.#free = atATime;
  }

  /**
   * True: it is the caller's turn until it calls `done`. False: the turn did not come within that time.
   */
  async wait(msMax: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        resolve(false);
      }, msMax);
      this.#waiting.push(begin);
    });
  }

  /** Ends a turn that `wait` gave. */
  done(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
