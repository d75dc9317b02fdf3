import { performance } from "node:perf_hooks";
import RE2 from "re2";

/**
 * Matches at the end of any text. A set whose automaton runs out of memory answers "no match" without an
 * error (google/re2 #136). If this pattern does not match either, that has happened.
 */
const canary = "$";

/**
 * The limits for giving up a set. If it is slower than this over this much text, after the same
 * amount to warm up, its automaton is rebuilt all the time. Then single patterns are faster.
 */
const bytesPerMsMin = 20_000;
const judgedBytes = 16 * 1024;

/** Finds in one pass over a part of a text which of several patterns can match in it. */
export class CandidateSet {
  readonly #all: readonly number[];
  /**
   * null: there are no patterns, or they don't compile into a set. Then every pattern is a
   * candidate.
   */
  readonly #set: InstanceType<typeof RE2.Set> | null;
  #bytes = 0;
  #ms = 0;
  #isWarm = false;
  #isSlow = false;

  /** Each of `patterns` compiles alone. `memoryBytesMax` bounds the automaton. */
  constructor(patterns: readonly string[], memoryBytesMax: number) {
    this.#all = [...patterns.keys()];
    this.#set = compiled(patterns, memoryBytesMax);
  }

  /** Call this before another text. It forgets how slow the set was on the last one. */
  reset(): void {
    this.#bytes = 0;
    this.#ms = 0;
    this.#isWarm = false;
    this.#isSlow = false;
  }

  /** The indexes of the patterns worth a search of their own, in ascending order. */
  of(utf8: Buffer): readonly number[] {
    if (!this.#set || this.#isSlow) return this.#all;
    const startedAt = performance.now();
    const found = this.#set.match(utf8);
    this.#judge(utf8.length, performance.now() - startedAt);
    return found.at(-1) === this.#all.length ? found.slice(0, -1) : this.#all;
  }

  /** Numbers and separators in a random order multiply the states. We measured 3 MB/s. */
  #judge(bytes: number, ms: number): void {
    this.#bytes += bytes;
    this.#ms += ms;
    if (this.#bytes < judgedBytes) return;
    this.#isSlow = this.#isWarm && this.#bytes < this.#ms * bytesPerMsMin;
    this.#isWarm = true;
    this.#bytes = 0;
    this.#ms = 0;
  }
}

/** A set may fail to compile although each of its patterns compiles. */
function compiled(
  patterns: readonly string[],
  maxMem: number,
): InstanceType<typeof RE2.Set> | null {
  if (patterns.length === 0) return null;
  try {
    return new RE2.Set([...patterns, canary], "u", { anchor: "unanchored", maxMem });
  } catch {
    return null;
  }
}
