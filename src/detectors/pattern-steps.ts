import { performance } from "node:perf_hooks";
import type RE2 from "re2";
import {
  customPatternWindowBytes,
  policyMatchCharsMax,
  policyMatchesMax,
  policyWholeTextBytesMax,
} from "../contract/limits.ts";
import type { CustomPatternCache } from "./custom-pattern-cache.ts";
import { matchCharsMax } from "./pattern-width.ts";
import { Utf16Offsets } from "./search/utf16-offsets.ts";
import { characterEnd, characterStart } from "./utf8-characters.ts";

/** What a pattern matches; offsets in UTF-16 code units, `end` exclusive. */
export interface StepMatch {
  /** The pattern's index in the list of patterns. */
  readonly pattern: number;
  readonly start: number;
  readonly end: number;
}

export interface Step {
  /**
   * Matches of one pattern never overlap; those of different patterns may. They are not sorted.
   */
  readonly matches: readonly StepMatch[];
  /**
   * For each pattern, the offset where its search continues. All its matches before this offset are
   * reported.
   */
  readonly from: readonly number[];
}

/** There is no result: the time ran out, or the work exceeds a bound. */
export class PatternsGaveUp extends Error {
  readonly why: "out_of_time" | "too_much";

  constructor(why: "out_of_time" | "too_much") {
    super(why);
    this.why = why;
  }
}

interface StepPattern {
  readonly regex: RE2;
  readonly charsMax: number;
  readonly isSampled: boolean;
}

/**
 * Searches a text for custom patterns while it grows. The matches are those of the whole text,
 * independent of the steps. RE2 shows no partial match, so each step leaves the end of the text, as
 * long as the pattern's longest match and one character more, to the next step.
 */
export class PatternSteps {
  readonly #patterns: readonly StepPattern[];

  /**
   * `regexes` were validated. `sampled` holds indexes of patterns. Matches of these patterns beyond
   * the bound are left out. Too many matches of the other patterns leave no result.
   */
  constructor(
    regexes: readonly string[],
    cache: CustomPatternCache,
    sampled: ReadonlySet<number> = new Set(),
  ) {
    this.#patterns = regexes.map((source, place) => {
      const compiled = cache.compile(source);
      if (!compiled.ok) throw new Error("a custom pattern was not validated");
      return {
        regex: compiled.regex,
        charsMax: boundedWidth(source),
        isSampled: sampled.has(place),
      };
    });
  }

  /**
   * Runs one step. `from` is the result of the previous step. If the text has lost its beginning
   * since then, the caller moves `from` accordingly and keeps one character of context before it. A
   * pattern without a bound is searched only in the last step, which then needs the whole text.
   * Throws `PatternsGaveUp` after the deadline (on the clock of `performance.now()`) or beyond a
   * bound.
   */
  step(text: string, from: readonly number[], ended: boolean, deadlineMs: number): Step {
    const utf8 = Buffer.from(text);
    const offsets = new Utf16Offsets(text, utf8);
    const isAscii = utf8.length === text.length;
    const matches: StepMatch[] = [];
    const counts = { sampled: 0, others: 0 };
    const next = this.#patterns.map(({ regex, charsMax, isSampled }, pattern) => {
      const start = characterBegin(text, from[pattern] ?? 0);
      const at = isAscii ? start : Buffer.byteLength(text.slice(0, start));
      const search = new Search(regex, charsMax, utf8, ended, deadlineMs);
      const stopped = search.run(at, (start, end) => {
        const count = isSampled ? ++counts.sampled : ++counts.others;
        if (count > policyMatchesMax && isSampled) return;
        if (count > policyMatchesMax) throw new PatternsGaveUp("too_much");
        matches.push({ pattern, start: offsets.at(start), end: offsets.at(end) });
      });
      return offsets.at(stopped);
    });
    return { matches, from: next };
  }
}

/**
 * The beginning of the character at `at`. The previous step may have ended between the two halves of
 * a character.
 */
function characterBegin(text: string, at: number): number {
  const isInside = at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isInside ? at - 1 : at;
}

/**
 * The length of a pattern's longest match in characters; Infinity also for more than
 * `policyMatchCharsMax`.
 */
export function boundedWidth(regex: string): number {
  const width = matchCharsMax(regex);
  return width <= policyMatchCharsMax ? width : Infinity;
}

/** One pattern in one step; offsets in bytes of UTF-8. */
class Search {
  readonly #regex: RE2;
  readonly #charsMax: number;
  readonly #utf8: Buffer;
  readonly #ended: boolean;
  readonly #deadlineMs: number;

  constructor(regex: RE2, charsMax: number, utf8: Buffer, ended: boolean, deadlineMs: number) {
    this.#regex = regex;
    this.#charsMax = charsMax;
    this.#utf8 = utf8;
    this.#ended = ended;
    this.#deadlineMs = deadlineMs;
  }

  /** Searches from `at` to where matches are certain, and returns that offset. */
  run(at: number, report: (start: number, end: number) => void): number {
    const utf8 = this.#utf8;
    if (this.#charsMax === Infinity) {
      if (!this.#ended) return at;
      if (utf8.length > policyWholeTextBytesMax) throw new PatternsGaveUp("too_much");
    }
    while (at < utf8.length) {
      if (performance.now() > this.#deadlineMs) throw new PatternsGaveUp("out_of_time");
      const { from, to, isLast } = this.#window(at);
      // A match that begins here or before lies in the window as a whole, with one character after
      // it.
      const decided = isLast ? to : charsBack(utf8, to, this.#charsMax + 1);
      if (decided < at) return at;
      this.#regex.lastIndex = at - from;
      const found = this.#regex.exec<Buffer>(utf8.subarray(from, to));
      // \C may match one byte of a character, but offsets are those of whole characters.
      const start = found && characterStart(utf8, from + found.index);
      if (found === null || start === null || start > decided) {
        at = isLast ? utf8.length : characterEnd(utf8, decided + 1);
        continue;
      }
      const end = characterEnd(utf8, from + found.index + found[0].length);
      if (end > start) report(start, end);
      at = end > at ? end : characterEnd(utf8, at + 1);
    }
    return at;
  }

  /**
   * As much text as RE2 may get at once. It begins one byte before `at`, because that byte decides
   * whether ^ and \b match there.
   */
  #window(at: number): { from: number; to: number; isLast: boolean } {
    const { length } = this.#utf8;
    const from = Math.max(0, at - 1);
    const bytesMax = customPatternWindowBytes + 4 * (this.#charsMax + 2);
    const to = length - from <= bytesMax ? length : characterStart(this.#utf8, from + bytesMax);
    return { from, to, isLast: to === length && this.#ended };
  }
}

/** The offset `chars` characters before `end`; negative if there are fewer. */
function charsBack(utf8: Buffer, end: number, chars: number): number {
  let at = end;
  for (let left = chars; left > 0; left--) {
    if (at <= 0) return -1;
    at = characterStart(utf8, at - 1);
  }
  return at;
}
