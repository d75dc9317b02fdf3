import type { EntityDetector } from "./entity.ts";
import { regexLiteral } from "./regex-literal.ts";

/** How far before and after a value its context reaches, in UTF-16 code units. */
const unitsBefore = 60;
const unitsAfter = 30;

/** Weighs a match by the words that stand near it. */
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
   * The match's score in its context: at least the context's where one of its words stands nearby,
   * 0 where a word stands nearby (and none of the context's is nearer) that tells it is something
   * else.
   */
  weigh(score: number, text: string, start: number, end: number): number {
    if (!this.#words && !this.#otherwise) return score;
    const before = lastParagraph(text.slice(Math.max(0, start - unitsBefore), start));
    const after = firstParagraph(text.slice(end, end + unitsAfter));
    const distance = this.#words ? nearest(this.#words, before, after) : Infinity;
    if (this.#otherwise && nearest(this.#otherwise, before, after) < distance) return 0;
    return distance === Infinity ? score : Math.max(score, this.#score);
  }
}

/** The distance of the nearest word from the value between the two texts; Infinity: none. */
function nearest(words: RegExp, before: string, after: string): number {
  let distance = Infinity;
  for (const { 0: word, index } of before.matchAll(words)) {
    distance = before.length - index - word.length;
  }
  words.lastIndex = 0;
  const following = words.exec(after);
  return following ? Math.min(distance, following.index) : distance;
}

/** A blank line ends what belongs together. */
const blankLine = /\r?\n[ \t]*\r?\n/;

function lastParagraph(text: string): string {
  return text.split(blankLine).at(-1) ?? "";
}

function firstParagraph(text: string): string {
  return text.split(blankLine, 1)[0] ?? "";
}

/** Alternatives of literal words over at most 90 units: nothing to backtrack into. */
function wholeWords(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const anyOf = longestFirst.map((word) => regexLiteral(word).replaceAll(" ", String.raw`[\s_-]+`));
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${anyOf.join("|")})(?![\p{L}\p{N}])`, "giu");
}
