import {
  entityCandidateMemoryBytesMax,
  entityCandidateWindowBytes,
} from "../../contract/limits.ts";
import { CandidateSet } from "./candidate-set.ts";
import type { PlannedPattern } from "./planned-pattern.ts";

/** Patterns without keywords: a set tells which of them a stretch of text may match. */
export class PatternGroup {
  readonly #bounded: readonly PlannedPattern[];
  /** A set would have to see a whole match, so these are searched without asking it. */
  readonly #unbounded: readonly PlannedPattern[];
  readonly #set: CandidateSet;
  /** No match of the bounded ones is longer. */
  readonly matchBytesMax: number;

  constructor(patterns: readonly PlannedPattern[]) {
    this.#bounded = patterns.filter(({ isBounded }) => isBounded);
    this.#unbounded = patterns.filter(({ isBounded }) => !isBounded);
    this.#set = new CandidateSet(
      this.#bounded.map(({ source }) => source),
      entityCandidateMemoryBytesMax,
    );
    this.matchBytesMax = Math.max(0, ...this.#bounded.map(({ matchBytesMax }) => matchBytesMax));
  }

  get isWanted(): boolean {
    return [...this.#bounded, ...this.#unbounded].some(({ isWanted }) => isWanted);
  }

  /** Before another text. */
  reset(): void {
    this.#set.reset();
  }

  /** Adds to the patterns' ranges where a match with at most `digits` digits may begin. */
  look(utf8: Buffer, from: number, to: number, digits: number): void {
    for (const { isWanted, ranges } of this.#unbounded) {
      if (isWanted) ranges.add(from, to);
    }
    if (this.#bounded.length === 0) return;
    for (let at = from; at < to; at += entityCandidateWindowBytes) {
      const windowTo = Math.min(at + entityCandidateWindowBytes, to);
      // A byte more on each side is what \b looks at.
      const window = utf8.subarray(Math.max(0, at - 1), windowTo + this.matchBytesMax + 1);
      for (const index of this.#set.of(window)) {
        const candidate = this.#bounded[index];
        if (!candidate?.isWanted || candidate.digitsMin > digits) continue;
        candidate.ranges.add(at, windowTo);
      }
    }
  }
}
