import { setImmediate as turn } from "node:timers/promises";
import type { Refusal } from "../../contract/errors.ts";
import { cacheEventsPerTurn } from "../../contract/limits.ts";
import { streamErrorEvent } from "../../contract/stream-error.ts";
import type { Wire } from "../../contract/wire.ts";
import type {
  AnswerGate,
  Exchange,
  FlatHeaders,
  GateSink,
  StreamRules,
} from "../../exchange/exchange.ts";

export interface ReplayOptions {
  readonly exchange: Exchange;
  readonly wire: Wire;
  readonly headers: FlatHeaders;
  readonly events: readonly Buffer[];
  /** The asking key's rules for answers. */
  readonly rules: StreamRules | null;
}

/** `blocked` with `refused` false: the client was told in the stream. */
export type ReplayEnd =
  | { readonly end: "complete" | "abandoned" }
  | { readonly end: "blocked"; readonly refusal: Refusal; readonly refused: boolean };

/**
 * Writes a cached stream, event by event and as fast as the client takes it, through the rules of the
 * key that asks. It does to a client what the relay does with a provider's stream (design: Relay).
 */
export class StreamReplay implements GateSink {
  readonly #options: ReplayOptions;
  readonly #gate: AnswerGate | null;
  /** The gate alone writes. */
  readonly #isGated: boolean;
  #clientIsFull = false;
  #gateIsFull = false;
  #gateIsDone = false;
  #blocked: Refusal | null = null;
  #wake: (() => void) | null = null;

  constructor(options: ReplayOptions) {
    this.#options = options;
    const { exchange, wire, rules } = options;
    this.#gate = rules?.open(wire, this) ?? null;
    this.#isGated = rules?.watches === false;
    exchange.onDrained(() => {
      this.#clientIsFull = false;
      this.#wake?.();
    });
    exchange.onGone(() => this.#wake?.());
  }

  async run(): Promise<ReplayEnd> {
    const { events } = this.#options;
    for (const [index, event] of events.entries()) {
      if (index > 0 && index % cacheEventsPerTurn === 0) await turn();
      if (!this.#hasRoom) await this.#until(() => this.#hasRoom);
      if (this.#isOver) break;
      this.#pass(event);
    }
    if (this.#gate !== null && !this.#isOver) {
      this.#gate.finish();
      await this.#until(() => this.#gateIsDone);
    }
    return this.#end();
  }

  write(bytes: Buffer): void {
    const { exchange, headers } = this.#options;
    if (exchange.state === "open") exchange.begin(200, headers);
    if (!exchange.write(bytes)) this.#clientIsFull = true;
  }

  roomAgain(): void {
    this.#gateIsFull = false;
    this.#wake?.();
  }

  blocked(refusal: Refusal): void {
    this.#blocked = refusal;
    this.#wake?.();
  }

  finished(): void {
    this.#gateIsDone = true;
    this.#wake?.();
  }

  /** Nothing more is to be written: the client has left or was cut off, or a rule stops the answer. */
  get #isOver(): boolean {
    const { state } = this.#options.exchange;
    return this.#blocked !== null || state === "gone" || state === "done";
  }

  get #hasRoom(): boolean {
    return !this.#clientIsFull && !this.#gateIsFull;
  }

  #pass(event: Buffer): void {
    if (!this.#isGated) this.write(event);
    if (this.#gate?.push(event) === false) this.#gateIsFull = true;
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo() && !this.#isOver) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #end(): ReplayEnd {
    const { exchange, wire, headers } = this.#options;
    const refusal = this.#blocked;
    if (refusal === null) {
      if (this.#isOver) return { end: "abandoned" };
      // All of it may have been dropped; an answer without a body has not begun yet.
      if (exchange.state === "open") exchange.begin(200, headers);
      exchange.end();
      return { end: "complete" };
    }
    if (exchange.state === "open") return { end: "blocked", refusal, refused: true };
    exchange.write(Buffer.from(streamErrorEvent(wire, refusal)));
    exchange.end();
    return { end: "blocked", refusal, refused: false };
  }
}
