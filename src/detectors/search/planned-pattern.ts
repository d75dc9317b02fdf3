import {
  entityContextReachBytes,
  entityKeywordOffsetBytesMax,
  entityKeywordReachBytes,
  entityMatchBytesExpectedMax,
  entityUnkeyedMatchBytesMax,
} from "../../contract/limits.ts";
import { entityScoreThresholdDefault, type EntityCategory, type KeywordPlace } from "../entity.ts";
import type { DigitCount } from "./digit-count.ts";
import { shapeOf } from "./pattern-shape.ts";
import { SearchRanges } from "./search-ranges.ts";

/** A pattern as the plan receives it. */
export interface KeyedPattern {
  readonly pattern: string;
  readonly caseInsensitive?: true;
  /** In lower case. If there are any, only the text around a keyword is searched. */
  readonly keywords: readonly string[];
  readonly keywordPlace?: KeywordPlace;
  /** The capture group that is the value; 0 or none: the whole match. */
  readonly group?: number;
  /** What a match is worth without its context. */
  readonly score: number;
  readonly category: EntityCategory;
  readonly context?: { readonly words: readonly string[] };
}

/** Whether a pattern is looked for in a text. */
type Wanted = "no" | "everywhere" | "in context";

/** A pattern in a search plan: the properties of its matches, and the parts of a text to search. */
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
  /** The least number of ASCII digits in a match with a value. */
  readonly digitsMin: number;
  readonly #score: number;
  readonly #keywordPlace: KeywordPlace | "near";
  /** So far before a keyword a match may begin that has it in it or near it. */
  readonly #keywordOffsetBytes: number;
  #wanted: Wanted = "everywhere";
  /** Where a match may begin in the text that is being searched. */
  readonly ranges = new SearchRanges();
  readonly #contexts = new SearchRanges();

  /** Throws if it can't analyse the pattern. */
  constructor(told: KeyedPattern) {
    const { pattern, caseInsensitive, keywords, group, score, category, context } = told;
    const { keywordPlace = "near" } = told;
    const { bytesMax, digitsMin } = shapeOf(pattern, group);
    const { bytesMax: bytesMaxOfAll } = shapeOf(pattern);
    this.source = caseInsensitive ? `(?i:${pattern})` : pattern;
    this.digitsMin = digitsMin;
    this.#score = score;
    this.#keywordPlace = keywordPlace;
    // A byte such as a point is common; digits are rarer.
    const tellsLess = digitsMin > 0 && keywords.some((keyword) => keyword.length === 1);
    this.keywords = tellsLess ? [] : keywords;
    const words = score < entityScoreThresholdDefault ? (context?.words ?? []) : [];
    this.contextKeywords = [...new Set(words.map(longestPart))];
    const capBytes =
      this.keywords.length > 0 ? entityMatchBytesExpectedMax[category] : entityUnkeyedMatchBytesMax;
    this.matchBytesMax = Math.min(bytesMax, capBytes);
    this.#keywordOffsetBytes =
      entityKeywordReachBytes + Math.min(this.matchBytesMax, entityKeywordOffsetBytesMax);
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
  keywordAt(utf8: Uint8Array, from: number, to: number): void {
    const earliest = Math.max(0, from - this.#keywordOffsetBytes);
    if (this.#keywordPlace === "near") this.ranges.add(earliest, to + entityKeywordReachBytes);
    else if (this.#keywordPlace === "run") this.ranges.add(this.#runFrom(utf8, from, earliest), to);
    else if (!isWordByte(utf8[from - 1]) || !isWordByte(utf8[from])) this.ranges.add(from, to);
  }

  /** No further back than to the last range, so that each byte is looked at once. */
  #runFrom(utf8: Uint8Array, keywordFrom: number, earliest: number): number {
    const end = Math.max(earliest, this.ranges.end);
    let from = keywordFrom;
    while (from > end && !isSpace(utf8[from - 1])) from -= 1;
    return from;
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

/** What `\w` matches. */
function isWordByte(byte = 0): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f
  );
}

/** Space, tab, line feed, form feed, carriage return: what `\s` matches. */
function isSpace(byte = 0): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b);
}

function longestPart(words: string): string {
  return words
    .split(" ")
    .reduce((longest, part) => (part.length > longest.length ? part : longest));
}
