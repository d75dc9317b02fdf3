import type { ResponseControl } from "../upstream/provider-connection.ts";

/** The takers of an answer: its client, and the gate that applies rules to it. */
export const takers = { client: 1, gate: 2 } as const;
export type Taker = (typeof takers)[keyof typeof takers];

/** Reads a provider's answer only while all takers have room. */
export class Backpressure {
  /** Bits of takers. */
  #awaited: number = takers.client | takers.gate;
  #full = 0;
  #response: ResponseControl | null = null;

  /** Sets the response that is read. */
  attach(response: ResponseControl): void {
    this.#response = response;
  }

  full(taker: Taker): void {
    if ((this.#awaited & taker) === 0) return;
    this.#full |= taker;
    this.#response?.pause();
  }

  roomAgain(taker: Taker): void {
    this.#full &= ~taker;
    if (this.#full === 0) this.#response?.resume();
  }

  /** This taker takes nothing more, and is no longer waited for. */
  left(taker: Taker): void {
    this.#awaited &= ~taker;
    this.roomAgain(taker);
  }
}
