import type { FlatHeaders } from "../../exchange/exchange.ts";

/** How a request's body is delimited and encoded. */
export interface BodyFraming {
  /** Content-Length in bytes, `chunked`, or 0 for a request without a body. */
  readonly length: number | "chunked";
  /** The one content coding, lower case; null for identity. */
  readonly encoding: ContentEncoding | null;
}

export interface Framing extends BodyFraming {
  /**
   * True if later bytes on the connection may belong to this request, and must not run as another request.
   */
  readonly isLast: boolean;
  /** True if uWS closes the connection after the answer, because the client has asked for it. */
  readonly closes: boolean;
  /** True if the client waits for a `100 Continue` before it sends the body, and uWS does not send one. */
  readonly awaitsContinue: boolean;
}

export type ContentEncoding = "gzip" | "br" | "zstd" | "deflate";

/** A request whose extent is ambiguous. `fault` is shown to the client and quotes nothing. */
export interface FramingFault {
  readonly fault: string;
}

const bodyMethods = new Set(["POST", "PUT", "PATCH"]);
const encodings: ReadonlyMap<string, ContentEncoding> = new Map<string, ContentEncoding>([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["br", "br"],
  ["zstd", "zstd"],
  ["deflate", "deflate"],
]);

/**
 * Reads the framing headers as strictly as RFC 9112 section 6 allows. uWS 20.51.4 accepts two
 * Content-Lengths, malformed ones, any Transfer-Encoding and both together. It may then disagree with a proxy
 * in front of it about where the next request begins (request smuggling). A POST without a length has no body
 * (RFC 9112 section 6.3). But an empty header name hides the headers after it, including a length. So such a
 * POST is the last request on its connection, as a chunked one is (docs/decisions/0004).
 */
export function readFraming(method: string, headers: FlatHeaders): Framing | FramingFault {
  let contentLength: string | undefined;
  let transferEncoding: string | undefined;
  let contentEncoding: string | undefined;
  let expectation = "";
  let closes = false;
  let hosts = 0;
  for (let i = 0; i < headers.length; i += 2) {
    const value = headers[i + 1] ?? "";
    switch (headers[i] ?? "") {
      case "content-length":
        if (contentLength !== undefined) return { fault: "more than one Content-Length" };
        contentLength = value;
        break;
      case "transfer-encoding":
        if (transferEncoding !== undefined) return { fault: "more than one Transfer-Encoding" };
        transferEncoding = value;
        break;
      case "content-encoding":
        if (contentEncoding !== undefined) return { fault: "more than one Content-Encoding" };
        contentEncoding = value;
        break;
      case "expect":
        expectation = value;
        break;
      case "connection":
        // uWS 20.51.4 checks only the length of the value.
        closes = value.length === "close".length;
        break;
      case "host":
        hosts += 1;
        break;
      case "":
        return { fault: "an empty header name" };
    }
  }
  if (hosts > 1) return { fault: "more than one Host" };
  const length = bodyLength(contentLength, transferEncoding);
  if (typeof length === "object") return length;
  const encoding = bodyEncoding(contentEncoding);
  if (encoding !== null && typeof encoding === "object") return encoding;
  const isLast = length === "chunked" || (contentLength === undefined && bodyMethods.has(method));
  const awaitsContinue = length !== 0 && isContinueUnsent(expectation);
  return { length, encoding, isLast, closes, awaitsContinue };
}

/** uWS 20.51.4 answers only this spelling; the value is case-insensitive (RFC 9110 section 10.1.1). */
function isContinueUnsent(expectation: string): boolean {
  return expectation !== "100-continue" && expectation.toLowerCase() === "100-continue";
}

function bodyLength(
  contentLength: string | undefined,
  transferEncoding: string | undefined,
): number | "chunked" | FramingFault {
  if (transferEncoding !== undefined) {
    if (contentLength !== undefined) return { fault: "Content-Length beside Transfer-Encoding" };
    if (transferEncoding.toLowerCase() !== "chunked") {
      return { fault: "a Transfer-Encoding other than chunked" };
    }
    return "chunked";
  }
  if (contentLength !== undefined) {
    // 15 digits stay exact in a double; the body cap is far below.
    if (!/^[0-9]{1,15}$/.test(contentLength))
      return { fault: "a Content-Length that is no number" };
    return Number(contentLength);
  }
  return 0;
}

function bodyEncoding(value: string | undefined): ContentEncoding | null | FramingFault {
  if (value === undefined) return null;
  const name = value.trim().toLowerCase();
  if (name === "" || name === "identity") return null;
  return (
    encodings.get(name) ?? { fault: "a Content-Encoding other than gzip, br, zstd or deflate" }
  );
}
