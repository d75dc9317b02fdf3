import type { EntityDetector } from "./entity.ts";
import { regexLiteral } from "./regex-literal.ts";

/** How far before and after a value its context reaches, in UTF-16 code units. */
const unitsBefore = 60;
const unitsAfter = 30;
/** How far before a value a word still counts that tells that the value is something else. */
const unitsToOtherwise = 32;

/**
 * Weighs a match by the words near it, whatever their case. `phone_number` and `phoneNumber` are two
 * words; a blank line ends the context.
 */
export class ContextWords {
  readonly #score: number;
  readonly #words: RegExp | null;
  readonly #otherwise: RegExp | null;

  constructor({ context, otherwise }: Pick<EntityDetector, "context" | "otherwise">) {
    this.#score = context?.score ?? 0;
    this.#words = wholeWords(context?.words ?? []);
    this.#otherwise = wholeWords(otherwise ?? []);
  }

  /**
   * The match's score in its context. If one of the context's words stands nearby, the score is at
   * least the context's score. The score is 0 if a word that tells that the value is something else
   * stands nearer than that. Before the value, such a word counts only close by and in the same line,
   * because it may head another column. If the value begins its line, the lines before count too.
   */
  weigh(score: number, text: string, start: number, end: number): number {
    if (!this.#words && !this.#otherwise) return score;
    const before = lastParagraph(text.slice(Math.max(0, start - unitsBefore), start));
    const after = firstParagraph(text.slice(end, end + unitsAfter));
    if (before === "" && after === "") return score;
    const distance = distanceOf(this.#words, before, after);
    if (distanceOf(this.#otherwise, before, after, closeBy(before)) < distance) return 0;
    return distance === Infinity ? score : Math.max(score, this.#score);
  }
}

/**
 * The distance from the value between the two texts to the nearest of the words; Infinity if there
 * is none.
 */
function distanceOf(words: RegExp | null, before: string, after: string, from = 0): number {
  if (!words) return Infinity;
  let distance = Infinity;
  for (const { 0: word, index } of before.matchAll(words)) {
    if (index >= from) distance = before.length - index - word.length;
  }
  const following = after.search(words);
  return following === -1 ? distance : Math.min(distance, following);
}

/** The offset from which on a word in `before` may tell that the value is something else. */
function closeBy(before: string): number {
  const reach = before.length - unitsToOtherwise;
  const line = before.lastIndexOf("\n") + 1;
  return /[\p{L}\p{N}]/u.test(before.slice(line)) ? Math.max(line, reach) : reach;
}

/**
 * Every word has such a character. Text full of numbers has many matches but no such character, so
 * it is skipped.
 */
const mayHoldWord = /[a-z$\x80-\uffff]/i;

const blankLine = /\r?\n[ \t]*\r?\n/;

function lastParagraph(text: string): string {
  if (!mayHoldWord.test(text)) return "";
  return inWords(text.split(blankLine).at(-1) ?? "");
}

function firstParagraph(text: string): string {
  if (!mayHoldWord.test(text)) return "";
  return inWords(text.split(blankLine, 1)[0] ?? "");
}

function inWords(text: string): string {
  return text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
}

/**
 * Scripts that write words without spaces between them, or particles right after a word: 我的电话是,
 * 전화는.
 */
const joinedScript = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * One alternative for each word. The searched text has only about a hundred units, so backtracking costs
 * little.
 */
function wholeWords(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const anyOf = (chosen: readonly string[]): string =>
    chosen.map((word) => regexLiteral(word).replaceAll(" ", String.raw`[\s_-]+`)).join("|");
  const spaced = anyOf(longestFirst.filter((word) => !joinedScript.test(word)));
  const joined = anyOf(longestFirst.filter((word) => joinedScript.test(word)));
  const sources = [
    ...(spaced === "" ? [] : [String.raw`(?<![\p{L}\p{N}])(?:${spaced})(?![\p{L}\p{N}])`]),
    ...(joined === "" ? [] : [joined]),
  ];
  return new RegExp(sources.join("|"), "giu");
}
