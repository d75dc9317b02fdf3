import { isUtf8 } from "node:buffer";

/** Fewer new bytes than this wait for more, so that a body fed byte by byte stays cheap. */
const deferredBytes = 1024;
/** A range this short is searched character by character. */
const stretchBytes = 64;

/**
 * Checks a growing buffer for well-formed UTF-8: no overlong forms, no surrogates, nothing above
 * U+10FFFF, nothing cut off. Every byte is read once. A byte order mark is well-formed.
 *
 * `isUtf8` reads SharedArrayBuffer-backed views in place. It reports a view over a detached buffer as
 * valid, so `bytes` must never be detached during the check.
 */
export class Utf8Check {
  #checked = 0;
  #fault: number | undefined;

  /**
   * Checks the bytes that have arrived: `bytes.subarray(0, length)`. Returns the offset of the
   * first ill-formed sequence if one is known already; the last bytes may wait for `finish`.
   */
  grown(bytes: Uint8Array, length: number): number | undefined {
    if (length - this.#checked < deferredBytes) return this.#fault;
    return this.#check(bytes, wholeUntil(bytes, this.#checked, length));
  }

  /** Checks the rest; no more bytes follow. Returns the offset of the first fault, if any. */
  finish(bytes: Uint8Array, length: number): number | undefined {
    return this.#check(bytes, length);
  }

  #check(bytes: Uint8Array, end: number): number | undefined {
    if (this.#fault !== undefined) return this.#fault;
    if (!isUtf8(bytes.subarray(this.#checked, end))) {
      this.#fault = firstIllFormed(bytes, this.#checked, end);
    }
    this.#checked = end;
    return this.#fault;
  }
}

/** `length`, or the start of a character that is not complete before `length`. */
function wholeUntil(bytes: Uint8Array, from: number, length: number): number {
  for (let at = length - 1; at >= from && at >= length - 3; at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return at + characterBytes(byte) > length ? at : length;
  }
  return length;
}

function characterBytes(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** The first ill-formed sequence in a range that has one. Halving keeps the search linear. */
function firstIllFormed(bytes: Uint8Array, from: number, until: number): number {
  let start = from;
  let end = until;
  while (end - start > stretchBytes) {
    const middle = wholeUntil(bytes, start, start + Math.floor((end - start) / 2));
    if (isUtf8(bytes.subarray(start, middle))) start = middle;
    else end = middle;
  }
  while (start < end) {
    const next = Math.min(start + characterBytes(bytes[start] ?? 0), end);
    if (!isUtf8(bytes.subarray(start, next))) return start;
    start = next;
  }
  return start;
}
