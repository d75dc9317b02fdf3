/** Numbers the turns of the event loop, until `stop`. */
export class LoopTurns {
  /** The turn that runs now. */
  now = 0;
  #next: NodeJS.Immediate;

  constructor() {
    this.#next = setImmediate(() => this.#turn());
  }

  stop(): void {
    clearImmediate(this.#next);
  }

  #turn(): void {
    this.now += 1;
    this.#next = setImmediate(() => this.#turn());
  }
}
