import { upstreamHeadersMax } from "../../contract/limits.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";
import { InvalidResponse } from "./upstream-failure.ts";

/** The head of one response. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case, values in latin1, in the order in which they came. */
  readonly headers: FlatHeaders;
  readonly framing: ResponseFraming;
  /** True if the connection may carry another call afterwards, as far as the head tells. */
  readonly isKept: boolean;
  /** How long the provider keeps an idle connection, in seconds; null if it does not say. */
  readonly keepAliveSeconds: number | null;
}

/** How a body ends: after this number of bytes, with its last chunk, or with its connection. */
export type ResponseFraming = number | "chunked" | "close";

/** "HTTP/1.1 200" and a reason, which is ignored. Three digits, as RFC 9112 section 4 has it. */
const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: [^\n\r]*)?$/;
const tokenText = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/**
 * Characters that are forbidden in a head: control characters, and CR or LF outside a line break.
 */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/;

/**
 * Reads a head (RFC 9112): `text` is latin1, without the empty line at its end. Throws `InvalidResponse` for
 * anything that two readers might read differently: folded or nameless headers, spaces before a colon, more
 * than one length, a length beside chunks, a transfer coding other than "chunked".
 */
export function readHead(text: string): ResponseHead {
  if (forbidden.test(text)) throw new InvalidResponse("a forbidden character in the head");
  const firstEnd = lineEnd(text, 0);
  const [, minor, code] = statusLine.exec(text.slice(0, firstEnd)) ?? [];
  if (code === undefined) throw new InvalidResponse("the status line is none");
  const headers: string[] = [];
  let length: number | null = null;
  let isChunked = false;
  let isKept = minor === "1";
  let keepAliveSeconds: number | null = null;
  for (let at = firstEnd + 2; at < text.length;) {
    const end = lineEnd(text, at);
    const name = readHeader(text, at, end, headers);
    const value = headers[headers.length - 1] ?? "";
    if (name === "content-length") {
      if (length !== null) throw new InvalidResponse("two lengths");
      length = readLength(value);
    } else if (name === "transfer-encoding") {
      if (isChunked || value.toLowerCase() !== "chunked") {
        throw new InvalidResponse("a transfer coding that is not chunked");
      }
      isChunked = true;
    } else if (name === "connection") {
      if (/(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(value)) isKept = false;
      else if (/(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i.test(value)) isKept ||= minor === "0";
    } else if (name === "keep-alive") {
      const seconds = /(?:^|[ \t,])timeout=([0-9]{1,9})/i.exec(value)?.[1];
      if (seconds !== undefined) keepAliveSeconds = Number(seconds);
    }
    at = end + 2;
  }
  if (isChunked && length !== null) throw new InvalidResponse("a length beside chunks");
  // HTTP/1.0 has no chunks. A server that sends them may be wrong about the end.
  if (isChunked && minor === "0") isKept = false;
  const framing = isChunked ? "chunked" : (length ?? "close");
  return { status: Number(code), headers, framing, isKept, keepAliveSeconds };
}

/** Reads lines of headers, such as a trailer. Errors: as `readHead`. */
export function readTrailer(text: string): void {
  if (forbidden.test(text)) throw new InvalidResponse("a forbidden character in the trailer");
  const headers: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    readHeader(text, at, end, headers);
    at = end + 2;
  }
}

/** Adds the header of one line, and returns its name. */
function readHeader(text: string, start: number, end: number, headers: string[]): string {
  const colon = text.indexOf(":", start);
  const name = colon < 0 || colon >= end ? "" : text.slice(start, colon).toLowerCase();
  if (!tokenText.test(name)) throw new InvalidResponse("a header without a name");
  if (headers.length >= 2 * upstreamHeadersMax) throw new InvalidResponse("too many headers");
  headers.push(name, withoutSpaces(text, colon + 1, end));
  return name;
}

function withoutSpaces(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function readLength(value: string): number {
  const length = /^[0-9]{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(length)) throw new InvalidResponse("a length that is none");
  return length;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\r\n", from);
  return end < 0 ? text.length : end;
}
