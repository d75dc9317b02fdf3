import { backslash } from "./ascii.ts";

/** Up to this length it is cheaper to put characters together than to call into the engine. */
const shortBytes = 24;

/**
 * The value of a JSON string: `bytes.subarray(start, end)` is its content between the quotes, accepted
 * by `JsonScanner`. Equal to the result of `JSON.parse`; lone surrogates are kept. `bytes` may be
 * backed by a SharedArrayBuffer. Throws if the engine can't hold the string (512 MB) and, as a bug, on
 * an invalid escape.
 */
export function decodeString(bytes: Uint8Array, start: number, end: number): string {
  const short = shortAscii(bytes, start, end);
  if (short !== undefined) return short;
  // Buffer reads shared memory in place; TextDecoder would also drop a byte order mark.
  const buffer =
    bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8", start, end);
  if (!text.includes("\\")) return text;
  const value: unknown = JSON.parse(`"${text}"`);
  if (typeof value !== "string") throw new TypeError("not the contents of one JSON string");
  return value;
}

function shortAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > shortBytes) return undefined;
  let text = "";
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? backslash;
    if (byte >= 0x80 || byte === backslash) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** `text` as a JSON string in UTF-8, quotes included. Lone surrogates come out escaped. */
export function encodeString(text: string): Uint8Array {
  return Buffer.from(JSON.stringify(text), "utf8");
}
