import { STATUS_CODES } from "node:http";
import { hasNoBody, header, type Answer, type FlatHeaders } from "../../exchange/exchange.ts";
import type { ResponseSocket } from "./last-response.ts";

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([code, phrase]) => [Number(code), `${code} ${phrase ?? ""}`]),
);

/**
 * Writes an answer's status and headers. `kept` stand before `headers`, and replace headers of the same name.
 * For the responder, in a cork.
 */
export function writeHead(
  res: ResponseSocket,
  requestId: string,
  status: number,
  kept: FlatHeaders,
  headers: FlatHeaders,
): void {
  res.writeStatus(statusLines.get(status) ?? `${status} Unknown`);
  // uWS writes a value unchanged, and a call into uWS costs more than joining strings. So all header lines go
  // as one value, after each was checked.
  const lines = headerLines(res, kept, none) + headerLines(res, headers, kept);
  res.writeHeader("X-Svc-Request-Id", requestId + lines);
}

/** uWS writes this after a header line. */
const lineBreak = "\r\n";

/**
 * Writes a whole answer that closes its connection, but does not tell uWS that it has ended: uWS 20.51.4
 * would close at once, and the rest of the request's body would then reset the connection. So uWS is given
 * only header lines. The last one contains the end of the head and the body. The line break that uWS writes
 * after it counts as part of the body. Returns the number of body bytes. For the responder, in a cork.
 */
export function writeOpenAnswer(
  res: ResponseSocket,
  requestId: string,
  method: string,
  kept: FlatHeaders,
  { status, headers, body }: Answer,
): number {
  const bytes = Buffer.from(body);
  const isBodiless = hasNoBody(method, status);
  const head = method === "HEAD" ? withLength(headers, bytes.length) : headers;
  writeHead(res, requestId, status, kept, head);
  const length = bytes.length + lineBreak.length;
  const rest = isBodiless
    ? Buffer.from(`close${lineBreak}`)
    : Buffer.concat([Buffer.from(`close\r\nContent-Length: ${length}\r\n\r\n`), bytes]);
  res.writeHeader("Connection", rest);
  res.sendHead?.();
  return isBodiless ? 0 : bytes.length;
}

/** Adds the length of a GET's answer, unless the headers have it. */
export function withLength(headers: FlatHeaders, length: number): FlatHeaders {
  if (header(headers, "content-length") !== undefined) return headers;
  return [...headers, "Content-Length", String(length)];
}

const none: FlatHeaders = [];

/**
 * Header lines, each after a line break, without those whose names `except` has. A line that is not ASCII is
 * written directly.
 */
function headerLines(res: ResponseSocket, headers: FlatHeaders, except: FlatHeaders): string {
  let lines = "";
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (hasName(except, name)) continue;
    const value = headers[i + 1] ?? "";
    // uWS does not check values: a line break in a value would start another header.
    if (!headerName.test(name) || !headerValue.test(value)) continue;
    if (isAscii(value)) lines += `\r\n${name}: ${value}`;
    else res.writeHeader(name, Buffer.from(value, "latin1"));
  }
  return lines;
}

function isAscii(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    if (value.charCodeAt(i) > 0x7e) return false;
  }
  return true;
}

/** Ignores case, and makes no strings for names of different lengths. */
function hasName(headers: FlatHeaders, name: string): boolean {
  for (let i = 0; i < headers.length; i += 2) {
    const other = headers[i] ?? "";
    if (other.length === name.length && other.toLowerCase() === name.toLowerCase()) return true;
  }
  return false;
}
