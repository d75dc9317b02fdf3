import { upstreamHeadBytesMax, upstreamInterimMax } from "../../contract/limits.ts";
import { hasNoBody } from "../../exchange/exchange.ts";
import { ChunkedBody } from "./chunked-body.ts";
import { readHead, type ResponseHead } from "./response-head.ts";
import { InvalidResponse } from "./upstream-failure.ts";

/** Receives the parts of a response in their order. Bytes are views of the parser's input. */
export interface ParsedResponse {
  head(head: ResponseHead): void;
  data(bytes: Buffer): void;
  end(): void;
  /** True if the taker wants no more. Then nothing more is told. */
  readonly isOver: boolean;
}

const none = Buffer.alloc(0);
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Reads the responses on one connection, one for each request (RFC 9112). It is strict: a response that two
 * readers might read differently is an error (`InvalidResponse`). It keeps at most `upstreamHeadBytesMax`
 * bytes.
 */
export class ResponseParser {
  #taker: ParsedResponse | null = null;
  #method = "";
  /** The beginning of a head that is not complete. */
  #partial: Buffer = none;
  #partialLength = 0;
  #interims = 0;
  #head: ResponseHead | null = null;
  /** Bytes of a body with a length that are still to come. */
  #left = 0;
  readonly #chunks = new ChunkedBody();

  /** The next response answers a request with this method. */
  begin(method: string, taker: ParsedResponse): void {
    this.#taker = taker;
    this.#method = method;
    this.#interims = 0;
    this.#head = null;
  }

  /** Takes one read of the socket. Bytes that no request waits for are an error. */
  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const taker = this.#taker;
      if (taker === null) throw new InvalidResponse("bytes behind the end of a response");
      if (taker.isOver) return;
      at =
        this.#head === null ? this.#readHead(taker, bytes, at) : this.#readBody(taker, bytes, at);
    }
  }

  /**
   * The provider has closed its side. True if that ends a response that has no other end. Otherwise the
   * response, if one is expected, is incomplete.
   */
  closed(): boolean {
    const taker = this.#taker;
    if (taker === null || this.#head?.framing !== "close") return false;
    this.#end(taker);
    return true;
  }

  #readHead(taker: ParsedResponse, bytes: Buffer, from: number): number {
    const text = this.#headText(bytes, from);
    if (text === null) return bytes.length;
    const { head, end } = text;
    const { status } = head;
    if (status < 200) {
      if (status === 101) throw new InvalidResponse("another protocol was not asked for");
      this.#interims += 1;
      if (this.#interims > upstreamInterimMax) throw new InvalidResponse("too many interim heads");
      return end;
    }
    this.#head = head;
    taker.head(head);
    const framing = hasNoBody(this.#method, status) ? 0 : head.framing;
    if (framing === 0) this.#end(taker);
    else if (framing === "chunked") this.#chunks.begin();
    else this.#left = framing === "close" ? Number.POSITIVE_INFINITY : framing;
    return end;
  }

  #readBody(taker: ParsedResponse, bytes: Buffer, from: number): number {
    if (this.#head?.framing === "chunked") {
      const end = this.#chunks.push(bytes, from, taker);
      if (this.#chunks.isOver) this.#end(taker);
      return end;
    }
    const end = Math.min(bytes.length, from + this.#left);
    this.#left -= end - from;
    taker.data(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end));
    if (this.#left === 0) this.#end(taker);
    return end;
  }

  #end(taker: ParsedResponse): void {
    this.#taker = null;
    if (!taker.isOver) taker.end();
  }

  /** The head that ends in these bytes, and where it ends; null if it is not whole. */
  #headText(bytes: Buffer, from: number): { head: ResponseHead; end: number } | null {
    if (this.#partialLength === 0) {
      const end = bytes.indexOf(headEnd, from);
      if (end >= 0 && end - from <= upstreamHeadBytesMax) {
        return { head: readHead(bytes.toString("latin1", from, end)), end: end + headEnd.length };
      }
    }
    const before = this.#partialLength;
    this.#keep(bytes.subarray(from, from + upstreamHeadBytesMax + headEnd.length - before));
    const partial = this.#partial.subarray(0, this.#partialLength);
    const end = partial.indexOf(headEnd, Math.max(0, before - headEnd.length + 1));
    if (end < 0) {
      if (partial.length > upstreamHeadBytesMax) throw new InvalidResponse("the head is too large");
      assertBeginsHead(partial);
      return null;
    }
    const head = readHead(partial.toString("latin1", 0, end));
    this.#partial = none;
    this.#partialLength = 0;
    return { head, end: from + end + headEnd.length - before };
  }

  #keep(bytes: Buffer): void {
    const length = this.#partialLength + bytes.length;
    if (length > this.#partial.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#partial.length));
      larger.set(this.#partial.subarray(0, this.#partialLength));
      this.#partial = larger;
    }
    this.#partial.set(bytes, this.#partialLength);
    this.#partialLength = length;
  }
}

const begins = "HTTP/1.";

/** Fails at once if a peer speaks another protocol, or ends its lines in another way. */
function assertBeginsHead(partial: Buffer): void {
  const start = partial.toString("latin1", 0, begins.length);
  if (!begins.startsWith(start)) throw new InvalidResponse("the response is not HTTP/1");
  const lineFeed = partial.indexOf(0x0a);
  if (lineFeed > 0 && partial[lineFeed - 1] !== 0x0d)
    throw new InvalidResponse("a line without CR");
  if (lineFeed > 0) readHead(partial.toString("latin1", 0, lineFeed - 1));
}
