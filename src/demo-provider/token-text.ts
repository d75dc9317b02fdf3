import { tokenBytesMax } from "./parameters.ts";

/**
 * The text of an answer, token by token. Each token is made on request, so a large text needs no
 * memory.
 */
export interface TokenText {
  readonly count: number;
  /** The token at `index`, from 0 to `count` - 1. */
  at(index: number): string;
}

/** Only this much of a longer prompt is echoed. For a long answer, use `tokens=`. */
const echoCharsMax = 65_536;
const filler = "abcdefghijklmnopqrstuvwxyz".repeat(Math.ceil(tokenBytesMax / 26) + 1);

/**
 * Cuts text into words, with the space before them, and long words into pieces of 4 characters. No
 * character is cut in two. The joined tokens are the text.
 */
export function textTokens(text: string): TokenText {
  const tokens = cutText(text, echoCharsMax).match(/\s*\S{1,4}|\s+/gu) ?? [];
  return { count: tokens.length, at: (index) => tokens[index] ?? "" };
}

/** Tokens of exactly `tokenBytes` ASCII bytes that need no escaping, each a function of its index. */
export function generatedTokens(count: number, tokenBytes: number): TokenText {
  return {
    count,
    at(index) {
      const number = ` ${index.toString(36)} `;
      if (number.length > tokenBytes) return filler.slice(index % 26, (index % 26) + tokenBytes);
      return number + filler.slice(0, tokenBytes - number.length);
    },
  };
}

/** At most `charsMax` UTF-16 units of the text's beginning, no character cut in two. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const endsInHighSurrogate = (text.charCodeAt(charsMax - 1) & 0xfc00) === 0xd800;
  return text.slice(0, endsInHighSurrogate ? charsMax - 1 : charsMax);
}

/** At most the first `countMax` tokens. */
export function truncatedTokens(text: TokenText, countMax: number): TokenText {
  return text.count <= countMax ? text : { count: countMax, at: (index) => text.at(index) };
}
