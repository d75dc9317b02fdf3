import { kind } from "./folding.ts";
import type { NormalText } from "./normal-text.ts";

/** "I g n o r e" is written on purpose from so many letters on; "U.S.A." and "a/b" are not. */
const lettersMin = 4;

/**
 * Joins letters that stand apart (`i g n o r e`, `i.g.n.o.r.e`, `i-g-n-o-r-e`) from unit `from` on, in
 * place: single letters or digits with the same one unit between each two. Behind a first such word
 * shorter ones count too, down to two letters. A wider gap, or another unit, ends a word. Returns the
 * new length.
 */
export function joinSpacedLetters(text: NormalText, from: number): number {
  const { units, kinds, origins, length } = text;
  let to = from;
  let least = lettersMin;
  let at = from;
  while (at < length) {
    const letters = isSingle(text, at, from) ? lettersApart(text, at) : 0;
    if (letters < least) {
      units[to] = units[at] ?? 0;
      kinds[to] = kinds[at] ?? 0;
      origins[to++] = origins[at++] ?? 0;
      continue;
    }
    least = 2;
    for (let n = 0; n < letters; n++, at += 2) {
      units[to] = units[at] ?? 0;
      kinds[to] = kinds[at] ?? 0;
      origins[to++] = origins[at] ?? 0;
    }
    // Behind the last letter there is no gap of the word's own.
    at--;
  }
  return to;
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
