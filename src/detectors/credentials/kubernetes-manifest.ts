import { base64PrintableText } from "./base64.ts";
import { looksRandom } from "./randomness.ts";

const randomLengthMin = 24;
const textLengthMin = 4;
/**
 * Every value in `data` is a secret, even a plain word. The exceptions are one repeated character and the
 * words of this pattern.
 */
const blank =
  /^(.)\1*$|^(?:pass(?:word|wd)?\d{0,3}|secret|user(?:name)?|none|null|true|false)$|^(?:your|change|replace|todo)[ _-]?|^<[^<>]*>$/i;

/** Whether one of the members of a Secret's `data` has a value. */
export function hasEncodedSecret(members: string): boolean {
  for (const [, value = ""] of members.matchAll(
    /[\w.-]["']?\s*:\s*(?:[|>][+-]?\s+)?["']?([^\s"',}]+)/g,
  )) {
    if (isEncodedSecret(value)) return true;
  }
  return false;
}

/** Whether a value is the base64 of text or of random bytes. */
function isEncodedSecret(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value) || value.length % 4 !== 0) return false;
  const text = base64PrintableText(value)?.trim();
  if (text === undefined) return value.length >= randomLengthMin && looksRandom(value);
  return text.length >= textLengthMin && !blank.test(text);
}
