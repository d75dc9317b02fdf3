import { entityMatchBytesExpectedMax } from "../../contract/limits.ts";
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
}

/** A pattern in a search plan: what is known of its matches, and where they are looked for. */
export class PlannedPattern {
  readonly keywords: readonly string[];
  /** Complete, its flag included. */
  readonly source: string;
  /** No match with a value is longer, in bytes of UTF-8, if the pattern is bounded. */
  readonly matchBytesMax: number;
  readonly isBounded: boolean;
  /** Every match with a value holds so many ASCII digits. */
  readonly digitsMin: number;
  /** Where a match may begin in the text that is being searched. */
  readonly ranges = new SearchRanges();
  /** Whether it is looked for in this text at all. */
  isWanted = true;

  /** Throws on a pattern that is not understood. */
  constructor({ pattern, caseInsensitive, keywords, group }: KeyedPattern) {
    const { bytesMax, digitsMin } = shapeOf(pattern, group);
    this.keywords = keywords;
    this.source = caseInsensitive ? `(?i:${pattern})` : pattern;
    this.matchBytesMax = Math.min(bytesMax, entityMatchBytesExpectedMax);
    this.isBounded = bytesMax <= entityMatchBytesExpectedMax;
    this.digitsMin = digitsMin;
  }
}
