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
  /** The rules for answers of the key that asks. */
  readonly rules: StreamRules | null;
}

/** If the end is `blocked` and `refused` is false, the client was told inside the stream. */
export type ReplayEnd =
  | { readonly end: "complete" | "abandoned" }
  | { readonly end: "blocked"; readonly refusal: Refusal; readonly refused: boolean };

/**
 * Writes a cached stream, event by event and as fast as the client reads, through the rules of the key that
 * asks. The client sees the same as when the relay passes on a provider's stream (design: Relay).
 */
export class StreamReplay implements GateSink {
  readonly #options: ReplayOptions;
  readonly #gate: AnswerGate | null;
  /** True if only the gate writes to the client. */
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

  /**
   * True if nothing more may be written: the client has left or was cut off, or a rule has stopped the
   * answer.
   */
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
      // The rules may have dropped the whole body; then the answer has not begun yet.
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
