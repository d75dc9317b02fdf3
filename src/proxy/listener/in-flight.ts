/** Counts work that has begun and not ended, so that a shutdown can wait for it. */
export class InFlight {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  begun(): void {
    this.#count += 1;
  }

  /** Must be called once for each piece of work that has begun. */
  ended(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves true when no work is left, false if `waitMsMax` passed before. */
  async over(waitMsMax: number): Promise<boolean> {
    if (this.#count > 0) {
      const over = new Promise<void>((resolve) => this.#waiting.push(resolve));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMsMax)));
      await Promise.race([over, late]);
      clearTimeout(timer);
    }
    return this.#count === 0;
  }
}
