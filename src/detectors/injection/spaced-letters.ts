import { hashPrime, hashSeed, isKnownWord } from "./concept-table.ts";
import { kind, space } from "./folding.ts";
import type { NormalText } from "./normal-text.ts";

/** Letters in a row that may be one word; the longest known ones have as many. */
const wordLettersMax = 14;
/** "I g n o r e" is written on purpose from so many letters on; "U.S.A." and "a/b" are not. */
const lettersMin = 4;

/**
 * Joins letters that stand apart (`i g n o r e`, `i.g.n.o.r.e`, `i-g-n-o-r-e`) from unit `from` on, in
 * place: single letters or digits with the same one unit between each two. Beside such a word
 * shorter ones count too, down to two letters. A wider gap, or another unit, ends a word. Returns the
 * new length.
 */
export function joinSpacedLetters(text: NormalText, from: number): number {
  const { units, kinds, origins, length } = text;
  let to = from;
  const least = hasSpacedWord(text, from) ? 2 : lettersMin;
  let at = from;
  while (at < length) {
    const letters = isSingle(text, at, from) ? lettersApart(text, at) : 0;
    if (letters < least) {
      units[to] = units[at] ?? 0;
      kinds[to] = kinds[at] ?? 0;
      origins[to++] = origins[at++] ?? 0;
      continue;
    }
    for (let n = 0; n < letters; n++, at += 2) {
      units[to] = units[at] ?? 0;
      kinds[to] = kinds[at] ?? 0;
      origins[to++] = origins[at] ?? 0;
    }
    // Behind the last letter there is no gap of the word's own.
    at--;
    if (letters > wordLettersMax) to = splitWords(text, to - letters, to);
    // Between such words a gap is wide, which says nothing.
    if (kinds[at] === kind.space) units[at] = space;
  }
  return to;
}

/**
 * Puts spaces between the words that letters `from` to `to` make up, the longest known word first:
 * whoever spaces all letters evenly leaves out where words end. The letters took up twice their
 * number of units, so there is room. Returns the new end.
 */
function splitWords(text: NormalText, from: number, to: number): number {
  const { units, kinds, origins } = text;
  const letters = units.slice(from, to);
  const letterKinds = kinds.slice(from, to);
  const letterOrigins = origins.slice(from, to);
  let end = from;
  let isUnknown = true;
  for (let at = 0; at < letters.length;) {
    const length = longestWord(letters, at);
    // Letters of no known word stay together.
    if (at > 0 && !(isUnknown && length === 0)) {
      units[end] = space;
      kinds[end] = kind.space;
      origins[end++] = letterOrigins[at] ?? 0;
    }
    isUnknown = length === 0;
    for (const next = at + Math.max(1, length); at < next; at++) {
      units[end] = letters[at] ?? 0;
      kinds[end] = letterKinds[at] ?? 0;
      origins[end++] = letterOrigins[at] ?? 0;
    }
  }
  return end;
}

/** The length of the longest known word that begins at `at`; 0 where none does. */
function longestWord(letters: Uint16Array, at: number): number {
  let hash = hashSeed;
  let longest = 0;
  const most = Math.min(letters.length - at, wordLettersMax);
  for (let length = 1; length <= most; length++) {
    hash = Math.imul(hash ^ (letters[at + length - 1] ?? 0), hashPrime);
    if (length > 1 && isKnownWord(hash)) longest = length;
  }
  return longest;
}

function hasSpacedWord(text: NormalText, from: number): boolean {
  for (let at = from; at < text.length; at++) {
    if (!isSingle(text, at, from)) continue;
    const letters = lettersApart(text, at);
    if (letters >= lettersMin) return true;
    at += Math.max(0, letters - 1);
  }
  return false;
}

function isSingle({ kinds }: NormalText, at: number, from: number): boolean {
  return isWord(kinds[at]) && (at === from || !isWord(kinds[at - 1]));
}

/** How many single letters stand from `at` on with the same one unit between each two. */
function lettersApart({ units, kinds, length }: NormalText, at: number): number {
  const gap = units[at + 1] ?? 0;
  let letters = 0;
  for (let next = at; next < length; next += 2) {
    if (!isWord(kinds[next]) || (next + 1 < length && isWord(kinds[next + 1]))) break;
    letters++;
    if (next + 1 >= length || units[next + 1] !== gap || gap === comma) break;
  }
  return letters;
}

function isWord(found: number | undefined): boolean {
  return found === kind.letter || found === kind.digit;
}

/** "[a,b,c,d]" is a list. */
const comma = 0x2c;
