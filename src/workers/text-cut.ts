import * as ascii from "../json/ascii.ts";

/** `\uXXXX`, the longest escape. */
const escapeBytesMax = 6;

/** Finds where text may be cut: the last place at or before `at` that splits no character. */
export type Cut = (bytes: Uint8Array, start: number, at: number) => number;

/** For UTF-8 text from `start` on. */
export function cutUtf8(bytes: Uint8Array, start: number, at: number): number {
  let cut = at;
  while (cut > start && at - cut < 4 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut--;
  return cut;
}

/** For the contents of a JSON string from `start` on; splits no escape either. */
export function cutJsonString(bytes: Uint8Array, start: number, at: number): number {
  for (let escape = at - 1; escape > at - escapeBytesMax && escape >= start; escape--) {
    if (bytes[escape] !== ascii.backslash) continue;
    // Of a run of backslashes every other one starts an escape.
    const starts = isEvenRun(bytes, start, escape) ? escape : escape - 1;
    const length = bytes[starts + 1] === ascii.lowerU ? escapeBytesMax : 2;
    if (starts + length > at) return starts;
    break;
  }
  return cutUtf8(bytes, start, at);
}

/** Whether an even number of backslashes stands before `position`. */
function isEvenRun(bytes: Uint8Array, start: number, position: number): boolean {
  let at = position;
  while (at > start && bytes[at - 1] === ascii.backslash) at--;
  return (position - at) % 2 === 0;
}

/**
 * Cuts a long text into pieces of at most `bytesMax` bytes that overlap, so that what is split by one
 * is whole in the next. `bytesMax` must be several times the overlap.
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
