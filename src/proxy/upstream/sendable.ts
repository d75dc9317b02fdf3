import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { UpstreamCall } from "../../exchange/exchange.ts";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const plainTarget = /^[\x21-\x7e]+$/;
const plainHeader = /^[\t\x20-\x7e]*$/;
const headerBytes = /^[\t\x20-\x7e\x80-\xff]*$/;
const targetBytes = /^[\x21-\x7e\x80-\xff]+$/;

/**
 * The call with its text as the original bytes, one character per byte. Calls are written in this form,
 * but uWS reads addresses and header values as UTF-8. Errors: `invalid_request` for text that is no valid
 * HTTP, and for bytes that are not UTF-8, which are lost. Such text is the client's fault and no failure
 * of the provider.
 */
export function sendable(call: UpstreamCall): Outcome<UpstreamCall> {
  if (!token.test(call.method)) return refuse("invalid_request", "The method is no HTTP method.");
  const target = asBytes(call.target, plainTarget, targetBytes);
  if (target === null) {
    return refuse(
      "invalid_request",
      "The path or the query has a character that can't be forwarded; percent-encode it.",
    );
  }
  const headers = headersAsBytes(call.headers);
  return headers.ok ? accept({ ...call, target, headers: headers.value }) : headers;
}

/** Returns the same list if it is all ASCII. */
function headersAsBytes(headers: string[]): Outcome<string[]> {
  let sent = headers;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    const value = headers[i + 1] ?? "";
    if (!token.test(name)) {
      return refuse("invalid_request", "A header's name has a character that no header name has.");
    }
    const bytes = asBytes(value, plainHeader, headerBytes);
    if (bytes === null) {
      return refuse(
        "invalid_request",
        `The header ${name} has a character that can't be forwarded; beyond ASCII, send UTF-8.`,
      );
    }
    if (bytes !== value) sent = sent.with(i + 1, bytes);
  }
  return accept(sent);
}

/** null if some of it was not UTF-8, or has bytes that are not `allowed`. */
function asBytes(text: string, plain: RegExp, allowed: RegExp): string | null {
  if (plain.test(text)) return text;
  if (text.includes("\ufffd")) return null;
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  return allowed.test(bytes) ? bytes : null;
}
