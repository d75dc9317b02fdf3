import { contentBodyBytesMax } from "../../contract/limits.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { KeptBody } from "../../store/embedded/content/content-rows.ts";
import type { Answer, BodyObserver, Exchange, FlatHeaders } from "../../exchange/exchange.ts";

/** Sees what a client is sent of a streamed answer. */
export interface AnswerWatch {
  begun(status: number, headers: FlatHeaders): void;
  sent(chunk: Uint8Array): void;
}

/** An exchange that keeps the beginning of both bodies, and when its answer began. */
export class RecordedExchange implements Exchange {
  readonly #exchange: Exchange;
  #request: KeptBody | null = null;
  /** The beginning of the answer in its first `#kept` bytes. */
  #answer: Buffer = nothing;
  #kept = 0;
  #answerLength = 0;
  /** `performance.now()` at the first byte of the answer. */
  #firstByteAtMs: number | null = null;
  #watch: AnswerWatch | null = null;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get requestBody(): KeptBody | null {
    return this.#request;
  }

  get responseBody(): KeptBody | null {
    if (this.#firstByteAtMs === null) return null;
    return { bytes: this.#answer.subarray(0, this.#kept), length: this.#answerLength };
  }

  /** Milliseconds from arrival to the first byte of the answer; null: there was none. */
  get firstByteMs(): number | null {
    return this.#firstByteAtMs === null ? null : this.#firstByteAtMs - this.arrivedAtMs;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }
  get head(): Exchange["head"] {
    return this.#exchange.head;
  }
  get remoteAddress(): string {
    return this.#exchange.remoteAddress;
  }
  get arrivedAtMs(): number {
    return this.#exchange.arrivedAtMs;
  }
  get state(): Exchange["state"] {
    return this.#exchange.state;
  }
  get bytesSent(): number {
    return this.#exchange.bytesSent;
  }
  get status(): number {
    return this.#exchange.status;
  }

  /** To be called before the answer begins. */
  watchAnswer(watch: AnswerWatch): void {
    this.#watch = watch;
  }

  async readBody(observer: BodyObserver | null): Promise<Outcome<Uint8Array>> {
    const body = await this.#exchange.readBody(observer);
    if (body.ok) this.#request = keptBody(body.value);
    return body;
  }

  reserve(bytes: number, later: (granted: boolean) => void): boolean {
    return this.#exchange.reserve(bytes, later);
  }

  keepHeaders(headers: FlatHeaders): void {
    this.#exchange.keepHeaders(headers);
  }

  respond(answer: Answer): void {
    const { status, headers, body } = answer;
    if (this.state === "open") {
      this.#watch?.begun(status, headers);
      this.#sent(typeof body === "string" ? Buffer.from(body) : body);
    }
    this.#exchange.respond(answer);
  }

  begin(status: number, headers: FlatHeaders): void {
    if (this.#watch !== null && this.state === "open") this.#watch.begun(status, headers);
    this.#exchange.begin(status, headers);
  }

  write(chunk: Uint8Array): boolean {
    if (this.state === "streaming") this.#sent(chunk);
    return this.#exchange.write(chunk);
  }

  end(last?: Uint8Array): void {
    if (last !== undefined && this.state === "streaming") this.#sent(last);
    this.#exchange.end(last);
  }

  cut(): void {
    this.#exchange.cut();
  }

  onDrained(listener: () => void): void {
    this.#exchange.onDrained(listener);
  }

  onGone(listener: () => void): void {
    this.#exchange.onGone(listener);
  }

  #sent(chunk: Uint8Array): void {
    this.#watch?.sent(chunk);
    this.#firstByteAtMs ??= performance.now();
    this.#answerLength += chunk.length;
    if (this.#kept < contentBodyBytesMax) this.#keep(chunk);
  }

  /** A copy: a chunk may be a small view of a large buffer, which it would keep alive. */
  #keep(chunk: Uint8Array): void {
    const piece = chunk.subarray(0, contentBodyBytesMax - this.#kept);
    const kept = this.#kept + piece.length;
    if (kept > this.#answer.length) {
      const room = Math.min(Math.max(2 * this.#answer.length, kept), contentBodyBytesMax);
      const larger = Buffer.allocUnsafe(room);
      larger.set(this.#answer.subarray(0, this.#kept));
      this.#answer = larger;
    }
    this.#answer.set(piece, this.#kept);
    this.#kept = kept;
  }
}

const nothing = Buffer.alloc(0);

/** A copy of the beginning: a body's memory goes back to its budget with the request. */
export function keptBody(bytes: Uint8Array): KeptBody {
  return { bytes: Buffer.from(bytes.subarray(0, contentBodyBytesMax)), length: bytes.length };
}

/** As `keptBody`, of a text in UTF-8. */
export function keptText(text: string): KeptBody {
  const bytes = Buffer.from(text.slice(0, contentBodyBytesMax)).subarray(0, contentBodyBytesMax);
  return { bytes, length: Buffer.byteLength(text) };
}
