import type { Attempt, Exchange, RelayPlan, UpstreamCall } from "../../src/exchange/exchange.ts";
import type { ResponseControl } from "../../src/proxy/upstream/provider-connection.ts";
import { Relay } from "../../src/proxy/relay/relay.ts";
import type { AnswerPart, PlannedAnswer } from "./answers.ts";
import type { Random } from "./random.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** One call as a connection would make it: it drives the real relay. */
class SimulatedCall implements ResponseControl {
  aborted = false;
  paused = false;
  readonly #answer: PlannedAnswer;
  readonly #relay: Relay;
  readonly #random: Random;
  readonly #time: VirtualTime;
  readonly #charged: (microUsd: number) => void;
  #resumed: (() => void) | null = null;

  constructor(
    answer: PlannedAnswer,
    relay: Relay,
    random: Random,
    time: VirtualTime,
    charged: (microUsd: number) => void,
  ) {
    this.#answer = answer;
    this.#relay = relay;
    this.#random = random;
    this.#time = time;
    this.#charged = charged;
  }

  abort(): void {
    this.aborted = true;
    this.resume();
  }

  endSoon(): void {}

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.#resumed?.();
  }

  async run(): Promise<void> {
    const relay = this.#relay;
    await this.#wait(5);
    if (!this.#answer.connects) return relay.failed(new Error("refused"));
    relay.connected(this);
    await this.#wait(500);
    if (this.#isAborted()) return;
    relay.head(this.#answer.status, ["content-type", this.#answer.contentType]);
    for (const part of this.#answer.parts) {
      await this.#send(part);
      if (this.#isAborted()) return;
    }
    await this.#wait(20);
    if (this.#answer.end === "closed") return relay.end();
    if (this.#answer.end === "stalled") await this.#time.sleep(120_000, "process");
    const code = this.#answer.end === "stalled" ? "ERR_UPSTREAM_BODY_TIMEOUT" : "ECONNRESET";
    relay.failed(Object.assign(new Error(code), { code }));
  }

  /** A part arrives in pieces; the provider has charged once the last one is there. */
  async #send({ text, charge }: AnswerPart): Promise<void> {
    const bytes = Buffer.from(text);
    const cutAt = this.#random.integer(0, bytes.length);
    for (const piece of [bytes.subarray(0, cutAt), bytes.subarray(cutAt)]) {
      await this.#wait(30);
      while (this.paused && !this.aborted) {
        await new Promise<void>((resolve) => (this.#resumed = resolve));
      }
      if (this.#isAborted()) return;
      if (piece.length > 0) this.#relay.data(piece);
      this.#relay.readOver();
    }
    if (charge !== null) this.#charged(charge);
  }

  #isAborted(): boolean {
    return this.aborted;
  }

  /** Mostly quick; once in a while long enough for leases to run out. */
  #wait(msMax: number): Promise<void> {
    const isLong = this.#random.chance(0.01);
    return this.#time.sleep(this.#random.between(0, isLong ? 100_000 : msMax), "process");
  }
}

/** What `Upstream.forward` does, with a provider that answers as planned. */
export function forwardTo(
  answer: PlannedAnswer,
  { call, plan, exchange }: { call: UpstreamCall; plan: RelayPlan; exchange: Exchange },
  random: Random,
  time: VirtualTime,
  charged: (microUsd: number) => void,
): Promise<Attempt> {
  return new Promise((settled, reject) => {
    const relay = new Relay(call, plan, exchange, settled);
    new SimulatedCall(answer, relay, random, time, charged).run().catch(reject);
  });
}
