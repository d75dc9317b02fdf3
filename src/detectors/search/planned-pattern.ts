import {
  entityContextReachBytes,
  entityKeywordOffsetBytesMax,
  entityKeywordReachBytes,
  entityMatchBytesExpectedMax,
  entityUnkeyedMatchBytesMax,
} from "../../contract/limits.ts";
import { entityScoreThresholdDefault, type EntityCategory } from "../entity.ts";
import type { DigitCount } from "./digit-count.ts";
import { shapeOf } from "./pattern-shape.ts";
import { SearchRanges } from "./search-ranges.ts";

/** What the plan is told of a pattern. */
export interface KeyedPattern {
  readonly pattern: string;
  readonly caseInsensitive?: true;
  /** In lower case; where there are some, only the surroundings of one are searched. */
  readonly keywords: readonly string[];
  /** The capture group that is the value; 0 or none: the whole match. */
  readonly group?: number;
  /** What a match is worth without its context. */
  readonly score: number;
  readonly category: EntityCategory;
  readonly context?: { readonly words: readonly string[] };
}

/** Whether a pattern is looked for in a text. */
type Wanted = "no" | "everywhere" | "in context";

/** A pattern in a search plan: what is known of its matches, and where they are looked for. */
export class PlannedPattern {
  readonly keywords: readonly string[];
  /** Of each context word the longest part: `license` of `driver license`. */
  readonly contextKeywords: readonly string[];
  /** Complete, its flag included. */
  readonly source: string;
  /** No match with a value is longer, in bytes of UTF-8; of an unbounded one, what is reckoned with. */
  readonly matchBytesMax: number;
  /** What has to be seen of a text behind the beginning of a match, with a value or without. */
  readonly seenBytes: number;
  /** No match is longer than that. */
  readonly isBounded: boolean;
  /** Every match with a value holds so many ASCII digits. */
  readonly digitsMin: number;
  readonly #score: number;
  #wanted: Wanted = "everywhere";
  /** Where a match may begin in the text that is being searched. */
  readonly ranges = new SearchRanges();
  readonly #contexts = new SearchRanges();

  /** Throws on a pattern that is not understood. */
  constructor(told: KeyedPattern) {
    const { pattern, caseInsensitive, keywords, group, score, category, context } = told;
    const { bytesMax, digitsMin } = shapeOf(pattern, group);
    const { bytesMax: bytesMaxOfAll } = shapeOf(pattern);
    this.source = caseInsensitive ? `(?i:${pattern})` : pattern;
    this.digitsMin = digitsMin;
    this.#score = score;
    // A byte such as a point is everywhere; digits tell more.
    const tellsLess = digitsMin > 0 && keywords.some((keyword) => keyword.length === 1);
    this.keywords = tellsLess ? [] : keywords;
    const words = score < entityScoreThresholdDefault ? (context?.words ?? []) : [];
    this.contextKeywords = [...new Set(words.map(longestPart))];
    const capBytes =
      this.keywords.length > 0 ? entityMatchBytesExpectedMax[category] : entityUnkeyedMatchBytesMax;
    this.matchBytesMax = Math.min(bytesMax, capBytes);
    this.seenBytes = Math.min(bytesMaxOfAll, capBytes);
    this.isBounded = bytesMaxOfAll <= capBytes;
  }

  get wanted(): Wanted {
    return this.#wanted;
  }

  /**
   * Says for which matches it is looked for in the next text: those that reach the score. A detector
   * below the default threshold needs its context, unless the caller asks for less.
   */
  want(scoreMin: number): void {
    const needsContext = this.contextKeywords.length > 0 && this.#score < scoreMin;
    this.#wanted = needsContext ? "in context" : "everywhere";
  }

  dontWant(): void {
    this.#wanted = "no";
  }

  /** A keyword stands there. */
  keywordAt(from: number, to: number): void {
    const offsetMax = Math.min(this.matchBytesMax, entityKeywordOffsetBytesMax);
    const rangeFrom = from - entityKeywordReachBytes - offsetMax;
    this.ranges.add(Math.max(0, rangeFrom), to + entityKeywordReachBytes);
  }

  /** A part of a context word stands there. */
  contextAt(from: number, to: number): void {
    const rangeFrom = from - entityContextReachBytes - this.matchBytesMax;
    this.#contexts.add(Math.max(0, rangeFrom), to + entityContextReachBytes);
  }

  /** Drops the ranges that no match can begin in, once all of the text was looked at. */
  narrow(digits: DigitCount): void {
    if (this.digitsMin > 0 && this.keywords.length > 0) {
      this.ranges.filter(
        (from, to) => digits.atMost(from, to + this.matchBytesMax) >= this.digitsMin,
      );
    }
    if (this.#wanted === "in context") this.ranges.intersect(this.#contexts);
    this.#contexts.clear();
  }
}

function longestPart(words: string): string {
  return words
    .split(" ")
    .reduce((longest, part) => (part.length > longest.length ? part : longest));
}
