import { hashPrime, hashSeed, isKnownWord, mayStartWord, wordStartUnits } from "./concept-table.ts";
import { kind, lineGap, space, wideGap } from "./folding.ts";
import { disguise } from "./disguise.ts";
import type { NormalText } from "./normal-text.ts";

/** The most letters of one word; the longest known words have as many. */
const wordLettersMax = 14;
/**
 * A split loses this much for each letter that belongs to no word, because two short words are likelier
 * than a longer word and a single letter.
 */
const unknownCost = 4;
/** A word of this length is seldom found by chance. */
const longWordMin = 4;
/**
 * With this many letters or more, as in "I g n o r e", the spacing is on purpose. "U.S.A." and
 * "a/b" have fewer.
 */
const lettersMin = 4;

/**
 * Joins letters that stand apart (`i g n o r e`, `i.g.n.o.r.e`, `i-g-n-o-r-e`) from unit `from` on, in
 * place: single letters or digits with the same one unit between each two. If a text has such a word,
 * shorter ones with the same unit count too, down to two letters. A wider gap, or another unit, ends a
 * word. Returns the new length.
 */
export function joinSpacedLetters(text: NormalText, from: number): number {
  const { units, kinds, origins, disguises, length } = text;
  const gap = gapOfSpacedWord(text, from);
  if (gap === 0) return length;
  let to = from;
  let at = from;
  while (at < length) {
    const letters = isSingle(text, at, from) ? lettersApart(text, at) : 0;
    const least = units[at + 1] === gap ? 2 : lettersMin;
    if (letters < least) {
      units[to] = units[at] ?? 0;
      kinds[to] = kinds[at] ?? 0;
      disguises[to] = disguises[at] ?? 0;
      origins[to++] = origins[at++] ?? 0;
      continue;
    }
    // A quotation mark before the word was separated from it by the same unit.
    if (to > from + 1 && units[to - 1] === gap && kinds[to - 2] === kind.punctuation) to--;
    for (let n = 0; n < letters; n++, at += 2) {
      units[to] = units[at] ?? 0;
      kinds[to] = kinds[at] ?? 0;
      text.disguised(to, disguise.spaced);
      origins[to++] = origins[at] ?? 0;
    }
    // The gap after the last letter does not belong to the word.
    at--;
    if (letters > lettersMin) to = splitWords(text, to - letters, to);
    if (units[at] === gap && kinds[at + 1] === kind.punctuation) at++;
    // A wide gap between such words becomes a plain space.
    else if (kinds[at] === kind.space) units[at] = space;
  }
  disguises.fill(0, to, length);
  return to;
}

/**
 * Puts spaces between the words in letters `from` to `to`, because evenly spaced letters do not show
 * where words end. The spaced letters took twice as many units, so there is room. Returns the new end.
 */
function splitWords(text: NormalText, from: number, to: number): number {
  const { units, kinds, origins } = text;
  const letters = units.slice(from, to);
  const letterKinds = kinds.slice(from, to);
  const letterOrigins = origins.slice(from, to);
  const lengths = readableLengths(letters);
  if (letters.length <= wordLettersMax && hasUnknown(lengths)) return to;
  let end = from;
  let isUnknown = true;
  for (let at = 0; at < letters.length;) {
    const length = lengths[at] ?? 0;
    // Letters that belong to no known word stay together.
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

/** Whether any letter belongs to no known word. */
function hasUnknown(lengths: Uint8Array): boolean {
  for (let at = 0; at < lengths.length; at += lengths[at] ?? 1) if (lengths[at] === 0) return true;
  return false;
}

/**
 * The list of short words is English. In another language such words are found by chance, so only long ones
 * count.
 */
function readableLengths(letters: Uint16Array): Uint8Array {
  const lengths = wordLengths(letters, 1);
  let inLong = 0;
  for (let at = 0; at < letters.length; at += Math.max(1, lengths[at] ?? 0)) {
    if ((lengths[at] ?? 0) >= longWordMin) inLong += lengths[at] ?? 0;
  }
  return inLong * 3 < letters.length ? wordLengths(letters, longWordMin) : lengths;
}

/**
 * The length of a word at the letter where it begins, or 0. Of all ways to split the letters, this is
 * the one with the longest known words, by the sum of squares of their lengths. Entries inside a word
 * belong to other splits, so a reader must go from word to word.
 */
function wordLengths(letters: Uint16Array, least: number): Uint8Array {
  const lengths = new Uint8Array(letters.length);
  const worth = new Int32Array(letters.length + 1);
  for (let at = letters.length - 1; at >= 0; at--) {
    let best = (worth[at + 1] ?? 0) - unknownCost;
    let hash = hashSeed;
    const most = Math.min(letters.length - at, wordLettersMax);
    for (let length = 1; length <= most; length++) {
      hash = Math.imul(hash ^ (letters[at + length - 1] ?? 0), hashPrime);
      if (length === wordStartUnits && !mayStartWord(hash)) break;
      const value = (worth[at + length] ?? 0) + length * length - 1;
      if (length < least || value <= best || !isKnownWord(hash)) continue;
      best = value;
      lengths[at] = length;
    }
    worth[at] = best;
  }
  return lengths;
}

/** The unit between the letters of the first word that is certainly spaced; 0 if there is none. */
function gapOfSpacedWord(text: NormalText, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (!isSingle(text, at, from)) continue;
    const letters = lettersApart(text, at);
    if (letters >= lettersMin) return text.units[at + 1] ?? 0;
    at += Math.max(0, letters - 1);
  }
  return 0;
}

function isSingle({ kinds }: NormalText, at: number, from: number): boolean {
  return isWord(kinds[at]) && (at === from || !isWord(kinds[at - 1]));
}

/** How many single letters stand from `at` on with the same one unit between each two. */
function lettersApart({ units, kinds, length }: NormalText, at: number): number {
  const gap = units[at + 1] ?? 0;
  if (gap === wideGap || gap === lineGap) return 1;
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
