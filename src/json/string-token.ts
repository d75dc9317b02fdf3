import { backslash, controlEnd, quote } from "./ascii.ts";
import { PlainRun } from "./plain-run.ts";
import type { Token } from "./token.ts";

/** After this many plain bytes, read one by one, a run counts as long enough for native calls. */
const shortRunBytes = 128;

/** The missing part of an escape: its letter, or the number of missing hexadecimal digits. */
const itsLetter = 5;
const invalid = 255;
const lackingAfterLetter = new Uint8Array(256).fill(invalid);
for (const letter of Buffer.from('"\\/bfnrt')) lackingAfterLetter[letter] = 0;
for (const letter of Buffer.from("u")) lackingAfterLetter[letter] = 4;

const isHexDigit = new Uint8Array(256);
for (const digit of Buffer.from("0123456789abcdefABCDEF")) isHexDigit[digit] = 1;

/** A JSON string from after its opening quote to after its closing one. UTF-8 is not checked here. */
export class StringToken implements Token {
  ended = false;
  fault: string | undefined;
  /** `itsLetter`, a number of digits, or 0 outside of an escape. */
  #escapeLacks = 0;
  readonly #plain = new PlainRun();

  /** Starts a new string. Strings must come in their order in the text. */
  begin(): void {
    this.ended = false;
  }

  advance(bytes: Uint8Array, from: number, length: number): number {
    let at = from;
    while (at < length) {
      if (this.#escapeLacks > 0) at = this.#readEscape(bytes, at, length);
      if (this.fault !== undefined) break;
      at = this.#skipPlain(bytes, at, length);
      if (at === length) break;
      const byte = bytes[at] ?? 0;
      if (byte === quote) {
        this.ended = true;
        return at + 1;
      }
      if (byte < controlEnd) {
        this.fault = "control character in a string";
        break;
      }
      this.#escapeLacks = itsLetter;
      at++;
    }
    return at;
  }

  /** The first quote, backslash or control character, or `length`. */
  #skipPlain(bytes: Uint8Array, from: number, length: number): number {
    const shortUntil = Math.min(from + shortRunBytes, length);
    for (let at = from; at < shortUntil; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === quote || byte === backslash || byte < controlEnd) return at;
    }
    return shortUntil === length ? length : this.#plain.end(bytes, shortUntil, length);
  }

  /** Reads an escape after its backslash as far as it has arrived. */
  #readEscape(bytes: Uint8Array, from: number, length: number): number {
    let lacks = this.#escapeLacks;
    let at = from;
    if (lacks === itsLetter) {
      lacks = lackingAfterLetter[bytes[at] ?? 0] ?? invalid;
      if (lacks === invalid) return this.#invalidEscape(at);
      at++;
    }
    if (lacks === 0 || (lacks === 4 && at + 4 <= length && fourHexDigits(bytes, at))) {
      this.#escapeLacks = 0;
      return at + lacks;
    }
    const until = Math.min(at + lacks, length);
    this.#escapeLacks = at + lacks - until;
    for (; at < until; at++) {
      if (isHexDigit[bytes[at] ?? 0] !== 1) return this.#invalidEscape(at);
    }
    return at;
  }

  #invalidEscape(at: number): number {
    this.fault = "invalid escape in a string";
    return at;
  }
}

function fourHexDigits(bytes: Uint8Array, at: number): boolean {
  return (
    isHexDigit[bytes[at] ?? 0] === 1 &&
    isHexDigit[bytes[at + 1] ?? 0] === 1 &&
    isHexDigit[bytes[at + 2] ?? 0] === 1 &&
    isHexDigit[bytes[at + 3] ?? 0] === 1
  );
}
