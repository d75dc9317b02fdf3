import { countTokens as count, setMergeCacheSize } from "gpt-tokenizer/encoding/o200k_base";
import { tokenMergeCacheMax, tokenRunCharsMax } from "../../contract/limits.ts";

/** The text of control tokens counts as text. Without this option they throw. */
const asText = { disallowedSpecial: new Set<string>() };

setMergeCacheSize(tokenMergeCacheMax);

/**
 * o200k_base tokens of a text. Exact with one exception: an unbroken run of letters, signs or spaces
 * longer than `tokenRunCharsMax` is counted in stretches of that length, because gpt-tokenizer 4.0.0
 * merges a run in quadratic time, which took 8 minutes for one letter a million times.
 */
export function countTokens(text: string): number {
  if (!mayHaveLongRun(text)) return count(text, asText);
  let tokens = 0;
  let from = 0;
  for (const cut of runCuts(text)) {
    tokens += count(text.slice(from, cut), asText);
    from = cut;
  }
  return tokens + count(text.slice(from), asText);
}

/** Fast and coarse: a run ends only at a space or a digit. */
function mayHaveLongRun(text: string): boolean {
  let runStart = 0;
  let wasSpace = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isSpace = unit <= 0x20;
    const isDigit = unit >= 0x30 && unit <= 0x39;
    if (isDigit || isSpace !== wasSpace) runStart = at;
    else if (at - runStart >= tokenRunCharsMax) return true;
    wasSpace = isSpace;
  }
  return false;
}

/**
 * The places where long runs are cut, in ascending order. The encoding merges within letters, within
 * signs and within spaces; marks belong to letters and to signs. It takes three digits at a time.
 */
function* runCuts(text: string): Generator<number> {
  let [letters, signs, spaces] = [0, 0, 0];
  let at = 0;
  for (const character of text) {
    at += character.length;
    const isMark = /\p{M}/u.test(character);
    letters = isMark || /\p{L}/u.test(character) ? letters + 1 : 0;
    signs = isMark || /[^\s\p{L}\p{N}]/u.test(character) ? signs + 1 : 0;
    spaces = /\s/u.test(character) ? spaces + 1 : 0;
    if (Math.max(letters, signs, spaces) >= tokenRunCharsMax) {
      yield at;
      [letters, signs, spaces] = [0, 0, 0];
    }
  }
}
