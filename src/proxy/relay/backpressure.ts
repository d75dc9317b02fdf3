import type { Dispatcher } from "undici";

/** Who takes an answer: its client, and the gate that has rules applied to it. */
export type Taker = "client" | "gate";

/** Has a provider's answer read only while everybody who takes it has room. */
export class Backpressure {
  readonly #takers = new Set<Taker>(["client", "gate"]);
  readonly #full = new Set<Taker>();
  #controller: Dispatcher.DispatchController | null = null;

  /** The connection that the answer comes from. */
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

  /** It takes nothing any more, and from now on is not waited for. */
  left(taker: Taker): void {
    this.#takers.delete(taker);
    this.roomAgain(taker);
  }
}
