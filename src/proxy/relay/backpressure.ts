import type { Dispatcher } from "undici";

/** The takers of an answer: its client, and the gate that applies rules to it. */
export type Taker = "client" | "gate";

/** Reads a provider's answer only while all takers have room. */
export class Backpressure {
  readonly #takers = new Set<Taker>(["client", "gate"]);
  readonly #full = new Set<Taker>();
  #controller: Dispatcher.DispatchController | null = null;

  /** Sets the connection that the answer comes from. */
  attach(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  full(taker: Taker): void {
    if (!this.#takers.has(taker)) return;
    this.#full.add(taker);
    this.#controller?.pause();
  }

  roomAgain(taker: Taker): void {
    this.#full.delete(taker);
    if (this.#full.size === 0) this.#controller?.resume();
  }

  /** This taker takes nothing more, and is no longer waited for. */
  left(taker: Taker): void {
    this.#takers.delete(taker);
    this.roomAgain(taker);
  }
}
