import {
  entityCandidateMemoryBytesMax,
  entityCandidateWindowBytes,
} from "../../contract/limits.ts";
import { CandidateSet } from "./candidate-set.ts";
import type { PlannedPattern } from "./planned-pattern.ts";

/** Told of a pattern and where a match may begin. */
export type CandidateFound = (pattern: PlannedPattern, from: number, to: number) => void;

/** Patterns without keywords: a set tells which of them a stretch of text may match. */
export class PatternGroup {
  readonly #patterns: readonly PlannedPattern[];
  readonly #set: CandidateSet;
  /** No match is longer. */
  readonly matchBytesMax: number;

  constructor(patterns: readonly PlannedPattern[]) {
    this.#patterns = patterns;
    this.#set = new CandidateSet(
      patterns.map(({ source }) => source),
      entityCandidateMemoryBytesMax,
    );
    this.matchBytesMax = Math.max(0, ...patterns.map(({ matchBytesMax }) => matchBytesMax));
  }

  get isWanted(): boolean {
    return this.#patterns.some(({ wanted }) => wanted !== "no");
  }

  /** Before another text. */
  reset(): void {
    this.#set.reset();
  }

  /** Tells where matches may begin that lie around `from` to `to`, and hold some of the digits there. */
  look(utf8: Buffer, from: number, to: number, digits: number, found: CandidateFound): void {
    const lookFrom = Math.max(0, from - this.matchBytesMax);
    for (let at = lookFrom; at < to; at += entityCandidateWindowBytes) {
      const windowTo = Math.min(at + entityCandidateWindowBytes, to);
      // A byte more on each side is what \b looks at.
      const window = utf8.subarray(Math.max(0, at - 1), windowTo + this.matchBytesMax + 1);
      for (const index of this.#set.of(window)) {
        const candidate = this.#patterns[index];
        if (!candidate || candidate.wanted === "no" || candidate.digitsMin > digits) continue;
        const begin = Math.max(at, from - candidate.matchBytesMax);
        if (begin < windowTo) found(candidate, begin, windowTo);
      }
    }
  }
}
