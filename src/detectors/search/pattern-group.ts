import {
  entityCandidateMemoryBytesMax,
  entityCandidateWindowBytes,
} from "../../contract/limits.ts";
import { CandidateSet } from "./candidate-set.ts";
import type { PlannedPattern } from "./planned-pattern.ts";

/** Receives a pattern and the place where a match may begin. */
export type CandidateFound = (pattern: PlannedPattern, from: number, to: number) => void;

/** Patterns without keywords. A set finds which of them may match in a part of a text. */
export class PatternGroup {
  readonly #patterns: readonly PlannedPattern[];
  readonly #set: CandidateSet;
  /** The length of the longest match. */
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

  /** Call this before another text. */
  reset(): void {
    this.#set.reset();
  }

  /** Reports where matches may begin that contain digits between `from` and `to`. */
  look(utf8: Buffer, from: number, to: number, digits: number, found: CandidateFound): void {
    const lookFrom = Math.max(0, from - this.matchBytesMax);
    for (let at = lookFrom; at < to; at += entityCandidateWindowBytes) {
      const windowTo = Math.min(at + entityCandidateWindowBytes, to);
      // \b looks at one more byte on each side.
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
