import { expect } from "vitest";
import type { Exchange, ExchangeState } from "../../src/exchange/exchange.ts";

/** A client that takes a number of writes and then needs a pause. */
export class SlowClient implements Exchange {
  readonly requestId = "r";
  readonly head = { method: "POST", path: "/", query: "", headers: [] };
  readonly remoteAddress = "";
  readonly arrivedAtMs = 0;
  readonly bytesSent = 0;
  status = 0;
  state: ExchangeState = "open";
  readonly written: string[] = [];
  /** Writes that came during its pause. */
  forced = 0;
  readonly #takes: number;
  #resting = false;
  #drained: () => void = () => undefined;
  #gone: () => void = () => undefined;

  constructor(takes = Infinity) {
    this.#takes = takes;
  }

  readBody(): ReturnType<Exchange["readBody"]> {
    throw new Error("an answer reads no body");
  }
  holdBody(): never {
    throw new Error("an answer reads no body");
  }
  reserve(): boolean {
    throw new Error("nothing of its answer is held");
  }
  keepHeaders(): void {}
  observe(): void {}
  respond(): void {
    throw new Error("a stream is no whole answer");
  }
  begin(status: number): void {
    expect(this.state).toBe("open");
    this.state = "streaming";
    this.status = status;
  }
  write(chunk: Uint8Array): boolean {
    if (this.state !== "streaming") return true;
    if (this.#resting) this.forced += 1;
    this.written.push(Buffer.from(chunk).toString());
    if (this.written.length % this.#takes !== 0) return true;
    this.#resting = true;
    return false;
  }
  end(last?: Uint8Array): void {
    expect(this.state).toBe("streaming");
    if (last !== undefined && last.length > 0) this.written.push(Buffer.from(last).toString());
    this.state = "done";
  }
  cut(): void {
    this.state = "done";
  }
  onDrained(listener: () => void): void {
    this.#drained = listener;
  }
  onGone(listener: () => void): void {
    this.#gone = listener;
  }

  rested(): void {
    this.#resting = false;
    this.#drained();
  }

  leave(): void {
    this.state = "gone";
    this.#gone();
  }
}
