import type { AnswerGate, GateSink, StreamRules } from "../../src/exchange/exchange.ts";

/** A gate that passes events on only when the test says so. */
export class StoppedGate implements AnswerGate {
  readonly sink: GateSink;
  readonly #room: number;
  readonly #held: Buffer[] = [];
  isFinishing = false;

  constructor(sink: GateSink, room: number) {
    this.sink = sink;
    this.#room = room;
  }

  push(bytes: Buffer): boolean {
    this.#held.push(bytes);
    return this.#held.length < this.#room;
  }

  finish(): void {
    this.isFinishing = true;
  }

  get held(): number {
    return this.#held.length;
  }

  letGo(): void {
    for (const bytes of this.#held.splice(0)) this.sink.write(bytes);
    this.sink.roomAgain();
    if (this.isFinishing) this.sink.finished();
  }
}

/** Rules that add their gates to `gates`. Each gate has room for `room` pushes. */
export function gateOf(gates: StoppedGate[], room = 4, watches = false): StreamRules {
  return {
    watches,
    unreadable: null,
    open: (_wire, sink) => {
      const gate = new StoppedGate(sink, room);
      gates.push(gate);
      return gate;
    },
  };
}
