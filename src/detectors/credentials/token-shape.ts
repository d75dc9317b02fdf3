import { relativeEntropy } from "./entropy.ts";
import { isPlaceholder } from "./placeholder.ts";
import { mayBeRandom } from "./randomness.ts";

const relativeEntropyMin = 0.55;

/**
 * A shape that tokens have, in the syntax that RE2 and JavaScript share, without capture groups. A
 * character class writes a literal hyphen last, and base64's signs as `+/`.
 */
export class TokenShape {
  /**
   * Matches a token and, where the run goes on after it, one character too many: RE2 can't look
   * ahead, so that `isWhole` can refuse what is only the beginning of something else.
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

/** What bounds a token: blanks and signs, and escapes and URL encoding that end in a letter. */
export const tokenStart = String.raw`(?:\b|\\[nrt]|%[0-9A-Fa-f]{2})`;

/** Whether the part of a token that its service drew could be drawn: no `xxxx`, no `EXAMPLE`. */
export function mayBeDrawn(body: string): boolean {
  return !isPlaceholder(body) && relativeEntropy(body) >= relativeEntropyMin;
}

/** The same for a value that no mark sets apart from words. Digits alone need less to count as drawn. */
export function isDrawn(value: string): boolean {
  return /^\d+$/.test(value) ? mayBeDrawn(value) : mayBeRandom(value);
}
