import { upstreamKeepAliveMs, upstreamKeepAliveMsMax } from "../../contract/limits.ts";
import { hasNoBody, type UpstreamCall } from "../../exchange/exchange.ts";
import type { ResponseControl, ResponseReader } from "./provider-connection.ts";
import type { ResponseHead } from "./response-head.ts";
import type { ParsedResponse } from "./response-parser.ts";

/** The operations of a connection that a response uses. */
export interface ResponseSource {
  headCame(response: HttpResponse): void;
  pause(): void;
  resume(): void;
  abort(response: HttpResponse): void;
  endSoon(): void;
}

/**
 * The idle time that providers name is shortened by this, so that a connection is not called while its
 * provider closes it.
 */
const keepAliveMarginMs = 2_000;

/**
 * One call's response. It outlives its use of the connection: a reader may hold it longer, and can then do
 * nothing to the connection's next call.
 */
export class HttpResponse implements ParsedResponse, ResponseControl {
  readonly call: UpstreamCall;
  readonly reader: ResponseReader;
  readonly #source: ResponseSource;
  #head: ResponseHead | null = null;
  #isOver = false;

  constructor(source: ResponseSource, call: UpstreamCall, reader: ResponseReader) {
    this.#source = source;
    this.call = call;
    this.reader = reader;
  }

  /** True if the reader gets no further call. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * How long the connection may be kept for another call, in milliseconds; 0 or less if it may not. Must be
   * asked after the response's end.
   */
  get keepAliveMs(): number {
    const head = this.#head;
    if (head?.isKept !== true) return 0;
    if (head.framing === "close" && !hasNoBody(this.call.method, head.status)) return 0;
    if (head.keepAliveSeconds === null) return upstreamKeepAliveMs;
    return Math.min(head.keepAliveSeconds * 1_000 - keepAliveMarginMs, upstreamKeepAliveMsMax);
  }

  head(head: ResponseHead): void {
    this.#head = head;
    this.#source.headCame(this);
    this.reader.head(head.status, head.headers);
  }

  data(bytes: Buffer): void {
    this.reader.data(bytes);
  }

  end(): void {
    this.#isOver = true;
    this.reader.end();
  }

  fail(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.reader.failed(error);
  }

  pause(): void {
    if (!this.#isOver) this.#source.pause();
  }

  resume(): void {
    if (!this.#isOver) this.#source.resume();
  }

  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#source.abort(this);
  }

  endSoon(): void {
    if (!this.#isOver) this.#source.endSoon();
  }
}
