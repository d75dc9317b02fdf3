import * as ascii from "../../json/ascii.ts";
import { decodeString } from "../../json/string.ts";

/** `\uXXXX`, the longest escape. */
const escapeBytesMax = 6;

/** Finds where text may be cut: the last place at or before `at` that splits no character. */
export type Cut = (bytes: Uint8Array, start: number, at: number) => number;

/** Cuts UTF-8 text that begins at `start`. */
export function cutUtf8(bytes: Uint8Array, start: number, at: number): number {
  let cut = at;
  while (cut > start && at - cut < 4 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut--;
  return cut;
}

/**
 * Cuts the contents of a JSON string that begin at `start`. It splits no escape and no surrogate pair
 * of escapes.
 */
export function cutJsonString(bytes: Uint8Array, start: number, at: number): number {
  const cut = cutBeforeEscape(bytes, start, at);
  const high = cut - escapeBytesMax;
  const isInPair =
    high >= start &&
    isSurrogateEscape(bytes, cut, highestBitsOfLow) &&
    isSurrogateEscape(bytes, high, highestBitsOfHigh) &&
    isEvenRun(bytes, start, high);
  return isInPair ? high : cut;
}

function cutBeforeEscape(bytes: Uint8Array, start: number, at: number): number {
  for (let escape = at - 1; escape > at - escapeBytesMax && escape >= start; escape--) {
    if (bytes[escape] !== ascii.backslash) continue;
    // In a run of backslashes, every other one starts an escape.
    const starts = isEvenRun(bytes, start, escape) ? escape : escape - 1;
    const length = bytes[starts + 1] === ascii.lowerU ? escapeBytesMax : 2;
    if (starts + length > at) return starts;
    break;
  }
  return cutUtf8(bytes, start, at);
}

/** `8` to `b` in `\ud83d`, and `c` to `f` in `\ude00`: the upper two bits of that digit. */
const highestBitsOfHigh = 0b10;
const highestBitsOfLow = 0b11;

/** Whether `\uXXXX` at `at` is one half of a character beyond the basic plane. */
function isSurrogateEscape(bytes: Uint8Array, at: number, highestBits: number): boolean {
  if (bytes[at] !== ascii.backslash || bytes[at + 1] !== ascii.lowerU) return false;
  const digits = String.fromCharCode(bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
  const value = Number.parseInt(digits, 16);
  return value >> 4 === 0xd && ((value >> 2) & 0b11) === highestBits;
}

/** Whether an even number of backslashes stands before `position`. */
function isEvenRun(bytes: Uint8Array, start: number, position: number): boolean {
  let at = position;
  while (at > start && bytes[at - 1] === ascii.backslash) at--;
  return (position - at) % 2 === 0;
}

/**
 * Cuts a long text into overlapping pieces of at most `bytesMax` bytes, so that text at the end of
 * one piece is whole in the next. `bytesMax` must be several times the overlap.
 */
export function* pieces(
  bytes: Uint8Array,
  start: number,
  end: number,
  cut: Cut,
  bytesMax: number,
  overlapBytes: number,
): Generator<readonly [start: number, end: number]> {
  let from = start;
  while (end - from > bytesMax) {
    const until = cut(bytes, from, from + bytesMax);
    yield [from, until];
    from = cut(bytes, from, until - overlapBytes);
  }
  yield [from, end];
}

/**
 * Decodes the contents of a JSON string and cuts the text as `pieces` does. The cuts do not depend
 * on the escapes (`é` or `\u00e9`), so that equal texts score equally. A piece is valid until the
 * next one is requested.
 */
export function* decodedPieces(
  json: Buffer,
  start: number,
  end: number,
  bytesMax: number,
  overlapBytes: number,
): Generator<Uint8Array> {
  // Room for the rest of the last piece and one more range. Text is never longer than its escaped
  // form.
  const decoded = Buffer.allocUnsafe(2 * bytesMax);
  let length = 0;
  for (let at = start; at < end;) {
    const until = end - at > bytesMax ? cutJsonString(json, at, at + bytesMax) : end;
    length += decoded.write(decodeString(json, at, until), length);
    at = until;
    while (length > bytesMax) {
      const cut = cutUtf8(decoded, 0, bytesMax);
      yield decoded.subarray(0, cut);
      const from = cutUtf8(decoded, 0, cut - overlapBytes);
      decoded.copyWithin(0, from, length);
      length -= from;
    }
  }
  yield decoded.subarray(0, length);
}
