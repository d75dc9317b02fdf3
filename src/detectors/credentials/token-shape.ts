import { relativeEntropy } from "./entropy.ts";
import { isPlaceholder } from "./placeholder.ts";
import { mayBeRandom } from "./randomness.ts";

const relativeEntropyMin = 0.55;

/**
 * A shape that tokens have, in the syntax that RE2 and JavaScript share, without capture groups. A
 * literal hyphen is the last member of its character class, and base64's signs are written `+/`.
 */
export class TokenShape {
  /**
   * Matches a token. If more such characters follow, the match includes one of them, because RE2
   * can't look ahead. `isWhole` then refuses the match, which is only the beginning of something
   * else.
   */
  readonly pattern: string;
  readonly #whole: RegExp;

  constructor(shape: string) {
    const base64 = shape.includes("+/") ? "+/=" : "";
    const hyphen = shape.includes("-]") ? "-" : "";
    this.pattern = String.raw`(?:${shape})[\w${base64}${hyphen}]?`;
    this.#whole = new RegExp(`^(?:${shape})$`);
  }

  /** Whether the value is a token from its first character to its last, in its own case. */
  isWhole(value: string): boolean {
    return this.#whole.test(value);
  }
}

/**
 * The boundary before a token: a blank or a sign, an escape such as `\n`, or a URL-encoded
 * character.
 */
export const tokenStart = String.raw`(?:\b|\\[nrt]|%[0-9A-Fa-f]{2})`;

/** Whether the random part of a token could be random: `xxxx` and `EXAMPLE` could not. */
export function mayBeDrawn(body: string): boolean {
  return !isPlaceholder(body) && relativeEntropy(body) >= relativeEntropyMin;
}

/**
 * The same for a value without a mark, which must also not look like words. A value of digits alone
 * needs no such check.
 */
export function isDrawn(value: string): boolean {
  return /^\d+$/.test(value) ? mayBeDrawn(value) : mayBeRandom(value);
}
