import { hashPrime, hashSeed, isKnownWord } from "./concept-table.ts";
import { kind } from "./folding.ts";
import { disguise } from "./disguise.ts";
import type { NormalText } from "./normal-text.ts";

/** The letter that a digit or sign looks like, by ASCII code; 0 if none. */
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

/** The number of certain words that makes a text leetspeak. A short text needs one less. */
const leetWordsMin = 3;
const shortTextWords = 16;
/** A longer word is a hash or a key. */
const wordUnitsMax = 24;

/**
 * Reads leetspeak from unit `from` on, in place: in a word that mixes letters with digits, or with
 * `@ $ ! | +` between letters, these signs and digits become the letters that they look like.
 * Numbers with a unit (`10k`, `25mb`) and names with a number at the end (`utf8`, `user12`) stay.
 */
export function readLeet(text: NormalText, from: number): void {
  const { sure, words } = rewriteWords(text, from, isLeet);
  // If a text has many certain words, the doubtful ones are leetspeak too.
  const enough = words <= shortTextWords ? leetWordsMin - 1 : leetWordsMin;
  if (sure >= enough) rewriteWords(text, from, isPerhapsLeet);
}

type IsLeet = (text: NormalText, at: number, end: number) => boolean;

/** Returns how many words there are, and how many of them were rewritten. */
function rewriteWords(
  text: NormalText,
  from: number,
  isWanted: IsLeet,
): { sure: number; words: number } {
  const { length } = text;
  let sure = 0;
  let words = 0;
  for (let at = from; at < length; at++) {
    if (!isPart(text, at)) continue;
    let end = at + 1;
    while (end < length && isPart(text, end)) end++;
    while (end > at && isEndMark(text.units[end - 1] ?? 0)) end--;
    if (end - at > 1 && end - at <= wordUnitsMax && isWanted(text, at, end)) {
      rewrite(text, at, end);
      sure++;
    }
    words++;
    at = Math.max(at, end - 1);
  }
  return { sure, words };
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
  return found === kind.punctuation && letterFor(units[at] ?? 0) !== 0;
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
  // With one switch between letters and digits, their numbers decide: `4ll` and `thr33` are
  // leetspeak, `10k`, `25mb` and `utf8` are not.
  const signs = end - at - letters;
  return kinds[at] === kind.letter
    ? signs > 1 && letters > 1 && signs < 3
    : letters > 1 && signs === 1;
}

/** Signs become letters; a one is an `i` or an `l`, whichever makes a word. */
function rewrite(text: NormalText, at: number, end: number): void {
  const { units, kinds } = text;
  let isOpen = false;
  for (let i = at; i < end; i++) {
    if (kinds[i] === kind.letter) continue;
    const unit = units[i] ?? 0;
    const letter = letterFor(unit);
    if (letter === 0) continue;
    isOpen ||= unit === one || unit === bar;
    text.disguised(i, disguise.leet);
    units[i] = unit === one && isVowel(units[i - 1] ?? 0) && i > at ? lowerL : letter;
    kinds[i] = unit === one || unit === bar ? openLetter : kind.letter;
  }
  if (!isOpen) return;
  if (!isKnown(text, at, end, 0)) {
    const other = [lowerI, lowerL].find((letter) => isKnown(text, at, end, letter));
    if (other !== undefined) {
      for (let i = at; i < end; i++) if (kinds[i] === openLetter) units[i] = other;
    }
  }
  for (let i = at; i < end; i++) if (kinds[i] === openLetter) kinds[i] = kind.letter;
}

/** Whether this is a known word if every sign for `i` or `l` is read as `letter`; 0: as it is. */
function isKnown({ units, kinds }: NormalText, at: number, end: number, letter: number): boolean {
  let hash = hashSeed;
  for (let i = at; i < end; i++) {
    const unit = letter !== 0 && kinds[i] === openLetter ? letter : (units[i] ?? 0);
    hash = Math.imul(hash ^ unit, hashPrime);
  }
  return isKnownWord(hash);
}

/** The letter that a unit may stand for; 0 if none. */
function letterFor(unit: number): number {
  return unit === euro ? lowerE : (letterOf[unit] ?? 0);
}

/** At a word's end `! + |` are punctuation. */
function isEndMark(unit: number): boolean {
  return unit === 0x21 || unit === 0x2b || unit === bar;
}

function isVowel(unit: number): boolean {
  return unit === 0x61 || unit === lowerE || unit === lowerI || unit === 0x6f || unit === 0x75;
}

/** A kind that is used only while a word is rewritten. */
const openLetter = 255;
const one = 0x31;
const bar = 0x7c;
const euro = 0x20ac;
const lowerE = 0x65;
const lowerI = 0x69;
const lowerL = 0x6c;
