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
  /** Keywords in lower case. If there are any, only the text around a keyword is searched. */
  readonly keywords: readonly string[];
  readonly keywordPlace?: KeywordPlace;
  /** The capture group that is the value; 0 or none: the whole match. */
  readonly group?: number;
  /** The score of a match without its context. */
  readonly score: number;
  readonly category: EntityCategory;
  readonly context?: { readonly words: readonly string[] };
}

/** Whether and where a pattern is searched in a text. */
type Wanted = "no" | "everywhere" | "in context";

/** A pattern in a search plan: the properties of its matches, and the parts of a text to search. */
export class PlannedPattern {
  readonly keywords: readonly string[];
  /** The longest part of each context word: `license` of `driver license`. */
  readonly contextKeywords: readonly string[];
  /** The whole pattern, with its flag. */
  readonly source: string;
  /**
   * The length of the longest match with a value, in bytes of UTF-8; for an unbounded pattern the
   * expected maximum of its category.
   */
  readonly matchBytesMax: number;
  /**
   * How many bytes after the beginning of a match are examined, for matches with or without a
   * value.
   */
  readonly seenBytes: number;
  /** True if no match is longer than `seenBytes`. */
  readonly isBounded: boolean;
  /** The least number of ASCII digits in a match with a value. */
  readonly digitsMin: number;
  readonly #score: number;
  readonly #keywordPlace: KeywordPlace | "near";
  /** How far before a keyword a match may begin that contains the keyword or stands near it. */
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
    // A keyword of one byte, such as a point, is common; digits are rarer.
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
   * Prepares for the next text: matches that reach `scoreMin` are wanted. A pattern with a lower
   * score of its own is then searched only near its context words.
   */
  want(scoreMin: number): void {
    const needsContext = this.contextKeywords.length > 0 && this.#score < scoreMin;
    this.#wanted = needsContext ? "in context" : "everywhere";
  }

  dontWant(): void {
    this.#wanted = "no";
  }

  /** Notes that a keyword stands from `from` to `to`. */
  keywordAt(utf8: Uint8Array, from: number, to: number): void {
    const earliest = Math.max(0, from - this.#keywordOffsetBytes);
    if (this.#keywordPlace === "near") this.ranges.add(earliest, to + entityKeywordReachBytes);
    else if (this.#keywordPlace === "run") this.ranges.add(this.#runFrom(utf8, from, earliest), to);
    else if (!isWordByte(utf8[from - 1]) || !isWordByte(utf8[from])) this.ranges.add(from, to);
  }

  /**
   * Where the run of text before a keyword begins. It goes back only to the end of the last range,
   * so that each byte is examined once.
   */
  #runFrom(utf8: Uint8Array, keywordFrom: number, earliest: number): number {
    const end = Math.max(earliest, this.ranges.end);
    let from = keywordFrom;
    while (from > end && !isSpace(utf8[from - 1])) from -= 1;
    return from;
  }

  /** Notes that a part of a context word stands from `from` to `to`. */
  contextAt(from: number, to: number): void {
    const rangeFrom = from - entityContextReachBytes - this.matchBytesMax;
    this.#contexts.add(Math.max(0, rangeFrom), to + entityContextReachBytes);
  }

  /** Drops the ranges in which no match can begin. Call this after the whole text was examined. */
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

/** Whether `\w` matches the byte. */
function isWordByte(byte = 0): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f
  );
}

/** Whether `\s` matches the byte: space, tab, line feed, form feed, carriage return. */
function isSpace(byte = 0): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b);
}

function longestPart(words: string): string {
  return words
    .split(" ")
    .reduce((longest, part) => (part.length > longest.length ? part : longest));
}
