import { DigitClusters, forEachDigitRun } from "./digit-clusters.ts";
import { DigitCount } from "./digit-count.ts";
import { KeywordAutomaton } from "./keyword-automaton.ts";
import { PatternGroup, type CandidateFound } from "./pattern-group.ts";
import type { PlannedPattern } from "./planned-pattern.ts";

/**
 * Each tier groups the patterns with at least this many digits in at most this many bytes. A
 * pattern belongs to the first tier that fits. Most text has digits, but few places have this many
 * so near to each other.
 */
const digitTiers: readonly { readonly digitsMin: number; readonly bytesMax: number }[] = [
  { digitsMin: 7, bytesMax: 24 },
  { digitsMin: 4, bytesMax: 64 },
  { digitsMin: 1, bytesMax: 24 },
  { digitsMin: 1, bytesMax: Infinity },
];

/**
 * Decides which parts of a text are searched for which pattern, so that most bytes of a text are
 * examined only once:
 *
 * - A pattern with keywords is searched where a match would hold a keyword or stand within
 *   `entityKeywordReachBytes` of one.
 * - A pattern whose matches hold digits is searched around digits.
 * - All other patterns are searched everywhere.
 *
 * For the second and third kind, sets of patterns first show which few match at all. A pattern that
 * counts only in context is searched only near its context words. The result is that of a search of the
 * whole text, except for matches far from their keywords and matches without an end.
 */
export class SearchPlan {
  readonly #words: KeywordAutomaton;
  /**
   * For each list of words, the pattern it belongs to, and whether it holds keywords or context
   * words.
   */
  readonly #wordLists: readonly WordList[];
  readonly #numbers: readonly PatternGroup[];
  readonly #others: PatternGroup;
  /** The patterns for which a word was found in this text. */
  readonly #touched = new Set<PlannedPattern>();

  constructor(patterns: readonly PlannedPattern[]) {
    this.#wordLists = patterns.flatMap(wordListsOf);
    this.#words = new KeywordAutomaton(this.#wordLists.map(({ words }) => words));

    const unkeyed = patterns.filter(({ keywords }) => keywords.length === 0);
    const byTier = Map.groupBy(unkeyed, tierOf);
    this.#numbers = digitTiers.map((_, tier) => new PatternGroup(byTier.get(tier) ?? []));
    this.#others = new PatternGroup(byTier.get(-1) ?? []);
  }

  /** The requested patterns that may match. Their ranges say where. */
  look(utf8: Buffer): readonly PlannedPattern[] {
    this.#lookForWords(utf8);
    const digits = this.#lookAtDigits(utf8);
    if (this.#others.isWanted) {
      this.#others.reset();
      this.#others.look(utf8, 0, utf8.length, 0, this.#candidate);
    }
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const pattern of touched) pattern.narrow(digits);
    return touched.filter(({ ranges }) => !ranges.isEmpty);
  }

  #lookForWords(utf8: Buffer): void {
    this.#words.scan(utf8, (list, to, lengthBytes) => {
      const words = this.#wordLists[list];
      if (!words) return;
      const { pattern, areContext } = words;
      const from = to - lengthBytes;
      if (pattern.wanted === "no") return;
      if (!areContext) pattern.keywordAt(utf8, from, to);
      else if (pattern.wanted === "everywhere" || isInsideWord(utf8, from, to)) return;
      else pattern.contextAt(from, to);
      this.#touched.add(pattern);
    });
  }

  readonly #candidate: CandidateFound = (pattern, from, to) => {
    pattern.ranges.add(from, to);
    this.#touched.add(pattern);
  };

  #lookAtDigits(utf8: Buffer): DigitCount {
    const count = new DigitCount(utf8.length);
    const tiers = this.#numbers.flatMap((group, tier) => {
      const { digitsMin = 1 } = digitTiers[tier] ?? {};
      if (!group.isWanted) return [];
      group.reset();
      return new DigitClusters(group.matchBytesMax, digitsMin, (from, to, digits) =>
        group.look(utf8, from, to, digits, this.#candidate),
      );
    });
    forEachDigitRun(utf8, (from, to) => {
      count.add(from, to);
      for (const tier of tiers) tier.add(from, to);
    });
    count.end();
    for (const tier of tiers) tier.end();
    return count;
  }
}

/** -1: none. */
function tierOf({ digitsMin, matchBytesMax }: PlannedPattern): number {
  return digitTiers.findIndex(
    (tier) => digitsMin >= tier.digitsMin && matchBytesMax <= tier.bytesMax,
  );
}

interface WordList {
  readonly pattern: PlannedPattern;
  readonly words: readonly string[];
  readonly areContext: boolean;
}

function wordListsOf(pattern: PlannedPattern): readonly WordList[] {
  return [
    { pattern, words: pattern.keywords, areContext: false },
    { pattern, words: pattern.contextKeywords, areContext: true },
  ].filter(({ words }) => words.length > 0);
}

/**
 * Whether the word is only a part of a longer word: a lower-case letter follows it, or its first
 * letter and the letter before it are both in lower case.
 */
function isInsideWord(utf8: Uint8Array, from: number, to: number): boolean {
  if (isLowerCase(utf8[to - 1]) && isLowerCase(utf8[to])) return true;
  return isLowerCase(utf8[from]) && isLowerCase(utf8[from - 1]);
}

function isLowerCase(byte = 0): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}
