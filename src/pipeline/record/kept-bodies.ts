import { contentBodyBytesMax } from "../../contract/limits.ts";
import type { AnswerObserver, FlatHeaders } from "../../exchange/exchange.ts";
import type { KeptBody } from "../../store/content/content.ts";

/** The beginnings of a model request's body and of its answer, and the time when the answer began. */
export class KeptBodies implements AnswerObserver {
  #request: KeptBody | null = null;
  /** A buffer whose first `#kept` bytes are the beginning of the answer. */
  #answer: Buffer = nothing;
  #kept = 0;
  #answerLength = 0;
  readonly #arrivedAtMs: number;
  /** Milliseconds from the request's arrival to the first byte of the answer. */
  #firstByteMs: number | null = null;
  #other: AnswerObserver | null = null;

  /** `arrivedAtMs` is the request's arrival, by `performance.now()`. */
  constructor(arrivedAtMs: number) {
    this.#arrivedAtMs = arrivedAtMs;
  }

  /** null if the body was not taken. */
  get request(): KeptBody | null {
    return this.#request;
  }

  /** null if there was no answer. */
  get response(): KeptBody | null {
    if (this.#firstByteMs === null) return null;
    return { bytes: this.#answer.subarray(0, this.#kept), length: this.#answerLength };
  }

  /** Milliseconds after arrival at which the answer began; null if there was none. */
  get firstByteMs(): number | null {
    return this.#firstByteMs;
  }

  keepRequest(body: Uint8Array): void {
    this.#request = keptBody(body);
  }

  /** Also shows the answer to another observer. */
  showTo(other: AnswerObserver): void {
    this.#other = other;
  }

  begun(status: number, headers: FlatHeaders): void {
    this.#other?.begun(status, headers);
  }

  sent(chunk: Uint8Array): void {
    this.#other?.sent(chunk);
    this.#firstByteMs ??= performance.now() - this.#arrivedAtMs;
    this.#answerLength += chunk.length;
    if (this.#kept < contentBodyBytesMax) this.#keep(chunk);
  }

  /** Copies, because a chunk may be a small view of a large buffer and would keep it alive. */
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

/** A copy of the beginning, because a body's memory goes back to its budget with the request. */
export function keptBody(bytes: Uint8Array): KeptBody {
  return { bytes: Buffer.from(bytes.subarray(0, contentBodyBytesMax)), length: bytes.length };
}

/** Like `keptBody`, for a text in UTF-8. */
export function keptText(text: string): KeptBody {
  const bytes = Buffer.from(text.slice(0, contentBodyBytesMax)).subarray(0, contentBodyBytesMax);
  return { bytes, length: Buffer.byteLength(text) };
}
