import RE2 from "re2";
import { entityMatchBytesMax, entityWindowBytes } from "../../contract/limits.ts";
import { groupAlternativeOf } from "./pattern-shape.ts";

/** A value's place in bytes of UTF-8. */
export type SpanFound = (from: number, to: number) => void;

/**
 * Room for letters whose other case has more bytes, such as K and the Kelvin sign. Shapes do not
 * count these.
 */
const foldedBytes = 16;

/**
 * A match of a pattern without a bound may go on if it ends this near to the end of the examined
 * text.
 */
const repeatedBytesMax = 64;

export interface SearchedPattern {
  readonly pattern: string;
  readonly caseInsensitive?: true;
  /** The capture group that is the value; 0 or none: the whole match. */
  readonly group?: number;
}

/**
 * Finds the matches of one pattern in parts of a text. The matches are those of a search of the
 * whole text that begins where the part begins; the end of the part cuts none. Not reentrant,
 * because RE2 objects are not.
 */
export class PatternSearch {
  readonly #seenBytes: number;
  readonly #isBounded: boolean;
  readonly #pattern: SearchedPattern;
  #compiled: Compiled | null = null;

  /**
   * `seenBytes` is how much text after the beginning of a match is examined. That holds the whole
   * match if the pattern is bounded. Otherwise a longer match costs another search, or is not found
   * as a whole. The pattern is compiled at the first search, because two hundred patterns take most
   * of a second and a text needs few of them.
   */
  constructor(
    pattern: SearchedPattern,
    { seenBytes, isBounded }: { readonly seenBytes: number; readonly isBounded: boolean },
  ) {
    this.#pattern = pattern;
    this.#seenBytes = seenBytes + foldedBytes;
    this.#isBounded = isBounded;
  }

  /**
   * Finds the values of the matches that begin from `from` to before `to`, in order. Empty values
   * are left out. Returns the end of the last match, and at least `to`. Throws if RE2 refuses the
   * pattern.
   */
  search(utf8: Buffer, from: number, to: number, found: SpanFound): number {
    const compiled = (this.#compiled ??= compile(this.#pattern));
    let at = from;
    while (at < to) {
      at = this.#searchWindow(compiled, utf8, at, Math.min(at + entityWindowBytes, to), found);
    }
    return at;
  }

  /**
   * Returns where the search continues: at the window's end, or after the last match that began in
   * it.
   */
  #searchWindow(
    compiled: Compiled,
    utf8: Buffer,
    from: number,
    to: number,
    found: SpanFound,
  ): number {
    // \b needs one byte to the left.
    const sliceFrom = Math.max(0, from - 1);
    let reach = this.#seenBytes;
    let slice = utf8.subarray(sliceFrom, to + reach);
    let at = from;
    while (at < to) {
      const end = nextEnd(compiled, slice, at - sliceFrom);
      if (end === -1) return to;
      if (this.#mayGoOn(end, slice, sliceFrom, utf8) && reach < entityMatchBytesMax) {
        reach *= 4;
        slice = utf8.subarray(sliceFrom, to + reach);
        continue;
      }
      const start = startOf(compiled, slice, at - sliceFrom, end);
      if (sliceFrom + start >= to) return to;
      const value = compiled.group ? compiled.group(slice, start, end) : [start, end];
      if (value && value[1] > value[0]) found(sliceFrom + value[0], sliceFrom + value[1]);
      at = Math.max(sliceFrom + end, at + 1);
    }
    return at;
  }

  #mayGoOn(end: number, slice: Buffer, sliceFrom: number, utf8: Buffer): boolean {
    const isCut = sliceFrom + slice.length < utf8.length;
    return isCut && !this.#isBounded && end > slice.length - repeatedBytesMax;
  }
}

interface Compiled {
  readonly regex: RE2;
  /** Matches only at its `lastIndex`. */
  readonly sticky: RE2;
  readonly group: GroupFinder | null;
}

function compile({ pattern, caseInsensitive, group = 0 }: SearchedPattern): Compiled {
  const flags = caseInsensitive ? "iu" : "u";
  return {
    regex: new RE2(pattern, `g${flags}`),
    sticky: new RE2(pattern, `y${flags}`),
    group: group === 0 ? null : groupFinder(pattern, group, flags),
  };
}

/** The end of the first match from `from`; -1: there is none. */
function nextEnd({ regex }: Compiled, slice: Buffer, from: number): number {
  regex.lastIndex = from;
  return regex.test(slice) ? regex.lastIndex : -1;
}

/**
 * Where the first match from `from` on begins. It ends at `end`. `test` gives no start, but costs a
 * tenth of `exec`, which copies every group. So the start is searched in the text up to the end.
 * The cut text may have a match that the whole text does not have, so the start is checked in the
 * whole text.
 */
function startOf({ regex, sticky }: Compiled, slice: Buffer, from: number, end: number): number {
  const cutFrom = Math.max(0, from - 1);
  const start = cutFrom + regex.search(slice.subarray(cutFrom, end + 1));
  sticky.lastIndex = Math.max(start, from);
  if (start >= from && sticky.test(slice) && sticky.lastIndex === end) return start;
  regex.lastIndex = from;
  return regex.exec(slice)?.index ?? end;
}

/**
 * The group's span in the match from `start` to `end`; null if the group takes no part in the
 * match.
 */
type GroupFinder = (
  slice: Buffer,
  start: number,
  end: number,
) => readonly [from: number, to: number] | null;

function groupFinder(pattern: string, group: number, flags: string): GroupFinder {
  const alternative = groupAlternativeOf(pattern, group);
  if (!alternative) return indexedGroup(new RE2(pattern, `dy${flags}`), group);
  const whole = new RE2(alternative.source, `y${flags}`);
  const preferred =
    alternative.preferred === null ? null : new RE2(alternative.preferred, `y${flags}`);
  return (slice, start, end) => {
    if (preferred && matchesAt(preferred, slice, start)) return null;
    return matchesAt(whole, slice, start) ? [start, end] : null;
  };
}

/** Match indices cost ten times as much as a `test`. */
function indexedGroup(sticky: RE2, group: number): GroupFinder {
  return (slice, start) => {
    sticky.lastIndex = start;
    return sticky.exec(slice)?.indices?.[group] ?? null;
  };
}

function matchesAt(sticky: RE2, slice: Buffer, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(slice);
}
