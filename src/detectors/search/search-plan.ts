import { entityKeywordReachBytes } from "../../contract/limits.ts";
import { findDigitClusters } from "./digit-clusters.ts";
import { KeywordAutomaton } from "./keyword-automaton.ts";
import { PatternGroup } from "./pattern-group.ts";
import type { PlannedPattern } from "./planned-pattern.ts";

/** Numbers in prose have up to four digits; those of one value are not far apart. */
const numberDigitsMin = 4;
const numberBytesMax = 64;

/**
 * Decides which parts of a text are searched for which pattern, so that most of a text costs one
 * look at each byte:
 *
 * - A pattern with keywords is searched where a match would hold a keyword or stand within
 *   `entityKeywordReachBytes` of one.
 * - One whose matches are short and hold four digits at least is searched around digits.
 * - The others are searched everywhere.
 *
 * Nothing that a search of the whole text finds is missed, but for matches far from their keywords.
 */
export class SearchPlan {
  readonly #keyed: readonly PlannedPattern[];
  readonly #keywords: KeywordAutomaton;
  readonly #numbers: PatternGroup;
  readonly #others: PatternGroup;

  constructor(patterns: readonly PlannedPattern[]) {
    this.#keyed = patterns.filter(({ keywords }) => keywords.length > 0);
    this.#keywords = new KeywordAutomaton(this.#keyed.map(({ keywords }) => keywords));
    const unkeyed = patterns.filter(({ keywords }) => keywords.length === 0);
    this.#numbers = new PatternGroup(unkeyed.filter(isNumber));
    this.#others = new PatternGroup(unkeyed.filter((pattern) => !isNumber(pattern)));
  }

  /** Adds to the ranges of the patterns that are wanted. */
  look(utf8: Buffer): void {
    if (this.#keyed.some(({ isWanted }) => isWanted)) this.#lookForKeywords(utf8);
    if (this.#numbers.isWanted) this.#lookForNumbers(utf8);
    if (this.#others.isWanted) {
      this.#others.reset();
      this.#others.look(utf8, 0, utf8.length, Infinity);
    }
  }

  #lookForKeywords(utf8: Buffer): void {
    this.#keywords.scan(utf8, (index, end, lengthBytes) => {
      const pattern = this.#keyed[index];
      if (!pattern?.isWanted) return;
      const from = end - lengthBytes - entityKeywordReachBytes - pattern.matchBytesMax;
      pattern.ranges.add(Math.max(0, from), Math.min(utf8.length, end + entityKeywordReachBytes));
    });
  }

  #lookForNumbers(utf8: Buffer): void {
    const numbers = this.#numbers;
    numbers.reset();
    findDigitClusters(utf8, numberBytesMax, numberDigitsMin, (from, to, digits) => {
      numbers.look(utf8, Math.max(0, from - numbers.matchBytesMax), to, digits);
    });
  }
}

function isNumber({ matchBytesMax, digitsMin }: PlannedPattern): boolean {
  return digitsMin >= numberDigitsMin && matchBytesMax <= numberBytesMax;
}
