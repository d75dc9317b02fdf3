import { refuse } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { UpstreamCall } from "../pipeline/exchange.ts";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const plain = /^[\t\x20-\x7e]*$/;
const headerBytes = /^[\t\x20-\x7e\x80-\xff]*$/;
const targetBytes = /^[\x21-\x7e\x80-\xff]+$/;

/**
 * A call in the bytes in which its request came, one character each, as undici writes them: uWS reads
 * addresses and header values as UTF-8. Errors: `invalid_request` for what is no HTTP and for bytes that
 * are no UTF-8, which are lost; undici would throw at them, which is no failure of the provider.
 */
export function sendable(call: UpstreamCall): Outcome<UpstreamCall> {
  if (!token.test(call.method)) return refuse("invalid_request", "The method is no HTTP method.");
  const target = asBytes(call.target, targetBytes);
  if (target === null) {
    return refuse(
      "invalid_request",
      "The path or the query has a character that can't be forwarded; percent-encode it.",
    );
  }
  const headers: string[] = [];
  for (let i = 0; i + 1 < call.headers.length; i += 2) {
    const name = call.headers[i] ?? "";
    if (!token.test(name)) {
      return refuse("invalid_request", "A header's name has a character that no header name has.");
    }
    const value = asBytes(call.headers[i + 1] ?? "", headerBytes);
    if (value === null) {
      return refuse(
        "invalid_request",
        `The header ${name} has a character that can't be forwarded; beyond ASCII, send UTF-8.`,
      );
    }
    headers.push(name, value);
  }
  return accept({ ...call, target, headers });
}

/** null: not all of it was UTF-8, or it has bytes that are not `allowed`. */
function asBytes(text: string, allowed: RegExp): string | null {
  const isPlain = plain.test(text);
  if (!isPlain && text.includes("\ufffd")) return null;
  const bytes = isPlain ? text : Buffer.from(text, "utf8").toString("latin1");
  return allowed.test(bytes) ? bytes : null;
}
