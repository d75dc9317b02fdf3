import { kind } from "./folding.ts";
import type { NormalText } from "./normal-text.ts";

/** The letter that a digit or sign looks like, by ASCII code; 0 where none. */
const letterOf = new Uint8Array(128);
for (const [sign, letter] of [
  ["0", "o"],
  ["1", "i"],
  ["2", "z"],
  ["3", "e"],
  ["4", "a"],
  ["5", "s"],
  ["6", "g"],
  ["7", "t"],
  ["8", "b"],
  ["9", "g"],
  ["@", "a"],
  ["$", "s"],
  ["!", "i"],
  ["|", "l"],
  ["+", "t"],
] as const) {
  letterOf[sign.charCodeAt(0)] = letter.charCodeAt(0);
}

/** A text is in leetspeak from so many sure words on. */
const leetWordsMin = 3;
/** A longer word is a hash or a key. */
const wordUnitsMax = 24;

/**
 * Reads leetspeak from unit `from` on, in place: in a word that mixes letters with digits, or with
 * `@ $ ! | +` between letters, those become the letters that they look like. Numbers with a unit
 * (`10k`, `25mb`) and names with a number behind (`utf8`, `user12`) stay.
 */
export function readLeet(text: NormalText, from: number): void {
  const sure = rewriteWords(text, from, isLeet);
  // Where many words are, the doubtful ones are too.
  if (sure >= leetWordsMin) rewriteWords(text, from, isPerhapsLeet);
}

type IsLeet = (text: NormalText, at: number, end: number) => boolean;

/** Returns how many words were rewritten. */
function rewriteWords(text: NormalText, from: number, isWanted: IsLeet): number {
  const { kinds, length } = text;
  let found = 0;
  for (let at = from; at < length; at++) {
    if (!isPart(text, at)) continue;
    let end = at + 1;
    while (end < length && isPart(text, end)) end++;
    // A sign at the end is punctuation.
    while (end > at && kinds[end - 1] === kind.punctuation) end--;
    if (end - at > 1 && end - at <= wordUnitsMax && isWanted(text, at, end)) {
      rewrite(text, at, end);
      found++;
    }
    at = Math.max(at, end - 1);
  }
  return found;
}

/** Letters and digits mixed, or a number as short as a short word: `70` for "to". */
function isPerhapsLeet({ kinds }: NormalText, at: number, end: number): boolean {
  let letters = 0;
  for (let i = at; i < end; i++) if (kinds[i] === kind.letter) letters++;
  return letters < end - at && (letters > 0 || end - at <= 3);
}

/** A letter, a digit, or a sign that stands for a letter. */
function isPart({ units, kinds }: NormalText, at: number): boolean {
  const found = kinds[at] ?? 0;
  if (found === kind.letter || found === kind.digit) return true;
  return found === kind.punctuation && (letterOf[units[at] ?? 0] ?? 0) !== 0;
}

/** Whether letters and signs alternate: a sign stands before a letter that is not the last part. */
function isLeet({ kinds }: NormalText, at: number, end: number): boolean {
  let letters = 0;
  let switches = 0;
  for (let i = at; i < end; i++) {
    const isLetter = kinds[i] === kind.letter;
    if (isLetter) letters++;
    if (i > at && isLetter !== (kinds[i - 1] === kind.letter)) switches++;
  }
  if (letters === 0 || letters === end - at) return false;
  if (switches > 1) return true;
  // One switch: `4ll` and `thr33` read as words, `10k`, `25mb` and `utf8` do not.
  const signs = end - at - letters;
  return kinds[at] === kind.letter
    ? signs > 1 && letters > 1 && signs < 3
    : letters > 1 && signs === 1;
}

function rewrite({ units, kinds }: NormalText, at: number, end: number): void {
  for (let i = at; i < end; i++) {
    if (kinds[i] === kind.letter) continue;
    const letter = letterOf[units[i] ?? 0] ?? 0;
    if (letter === 0) continue;
    units[i] = letter;
    kinds[i] = kind.letter;
  }
}
