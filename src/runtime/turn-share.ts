import { listCostPerTurn } from "../contract/limits.ts";

/** What a step of a long piece of work came to. */
export interface TurnStep<T> {
  readonly value: T;
  /** In the units of the share. */
  readonly cost: number;
}

/**
 * Runs long work of several callers in steps: once a turn of the loop has had its share, no caller
 * begins another step in it. Steps run one at a time, in the order of arrival. The queue is bounded by
 * the number of callers, which are requests in flight.
 */
export class TurnShare {
  readonly #costPerTurn: number;
  #left: number;
  #isRunning = false;
  #isToBeRenewed = false;
  readonly #waiting: (() => void)[] = [];

  /** A turn has had its share once its steps have cost this much; the last step may exceed it. */
  constructor(costPerTurn: number) {
    this.#costPerTurn = costPerTurn;
    this.#left = costPerTurn;
  }

  /** Runs the step when it is its turn. Rejects if the step throws. */
  async run<T>(step: () => TurnStep<T> | Promise<TurnStep<T>>): Promise<T> {
    if (this.#mayBegin && this.#waiting.length === 0) this.#isRunning = true;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    try {
      const { value, cost } = await step();
      this.#spend(cost);
      return value;
    } finally {
      this.#isRunning = false;
      this.#beginNext();
    }
  }

  get #mayBegin(): boolean {
    return !this.#isRunning && this.#left > 0;
  }

  #beginNext(): void {
    if (!this.#mayBegin) return;
    const begin = this.#waiting.shift();
    if (begin === undefined) return;
    this.#isRunning = true;
    begin();
  }

  #spend(cost: number): void {
    this.#left -= cost;
    if (this.#isToBeRenewed) return;
    this.#isToBeRenewed = true;
    setImmediate(() => {
      this.#isToBeRenewed = false;
      this.#left = this.#costPerTurn;
      this.#beginNext();
    });
  }
}

/** The share of all lists and downloads of this thread in a turn of the loop, in bytes of JSON. */
export const listShare = new TurnShare(listCostPerTurn);
