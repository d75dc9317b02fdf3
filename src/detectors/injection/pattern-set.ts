import RE2 from "re2";

/** A pattern and what its every match holds at least one of, in lower case. */
export interface KeyedPattern {
  readonly keywords: readonly string[];
  readonly pattern: string;
}

/**
 * Many patterns over UTF-8 bytes, whatever their case: one pass finds whose keywords occur, then
 * each of those patterns is searched alone. The patterns are not one RE2 set, for their gaps
 * multiply the states of a common automaton: text written for it brought that down to 0.5 MB/s,
 * and this never falls below 5.
 */
export class PatternSet {
  readonly #singles: readonly RE2[];
  /** null: keywords that don't compile into a set, so every pattern is searched. */
  readonly #keywords: InstanceType<typeof RE2.Set> | null;

  /** `keywordMemoryBytesMax` bounds the keywords' automaton. Throws on a pattern that RE2 refuses. */
  constructor(patterns: readonly KeyedPattern[], keywordMemoryBytesMax: number) {
    this.#singles = patterns.map(({ pattern }) => new RE2(pattern, "iu"));
    this.#keywords = compileKeywords(patterns, keywordMemoryBytesMax);
  }

  /** The indexes of the patterns that match somewhere, in ascending order. */
  search(utf8: Buffer): number[] {
    return this.#candidates(utf8).filter((index) => this.#singles[index]?.test(utf8));
  }

  #candidates(utf8: Buffer): number[] {
    const found = this.#keywords?.match(utf8) ?? [];
    const canaryIndex = this.#singles.length;
    if (!found.includes(canaryIndex)) return [...this.#singles.keys()];
    return found.filter((index) => index !== canaryIndex).sort((a, b) => a - b);
  }
}

/**
 * Matches at the end of any text. A set whose automaton runs out of memory answers "no match" as if
 * nothing were wrong (google/re2 #136); where this one does not match either, that has happened.
 */
const canary = "$";

/** A set may fail to compile where each of its patterns does. */
function compileKeywords(
  patterns: readonly KeyedPattern[],
  maxMem: number,
): InstanceType<typeof RE2.Set> | null {
  const anyOf = patterns.map(({ keywords }) => keywords.map(escaped).join("|"));
  try {
    return new RE2.Set([...anyOf, canary], "iu", { anchor: "unanchored", maxMem });
  } catch {
    return null;
  }
}

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
