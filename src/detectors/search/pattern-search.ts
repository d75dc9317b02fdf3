import RE2 from "re2";
import { entityMatchBytesMax, entityWindowBytes } from "../../contract/limits.ts";
import { groupAlternativeOf } from "./pattern-shape.ts";

/** A value's place in bytes of UTF-8. */
export type SpanFound = (from: number, to: number) => void;

/** Room for letters that fold to longer ones, which shapes leave out: K to the Kelvin sign. */
const foldedBytes = 16;

/** A match of a pattern without a bound that ends so near to what is seen may go on behind it. */
const repeatedBytesMax = 64;

export interface SearchedPattern {
  readonly pattern: string;
  readonly caseInsensitive?: true;
  /** The capture group that is the value; 0 or none: the whole match. */
  readonly group?: number;
}

/**
 * Finds the matches of one pattern in parts of a text. They are those that a search of the whole
 * text finds from where the part begins, whatever its end cuts. Not reentrant, as RE2 objects are
 * not.
 */
export class PatternSearch {
  readonly #seenBytes: number;
  readonly #isBounded: boolean;
  readonly #pattern: SearchedPattern;
  #compiled: Compiled | null = null;

  /**
   * `seenBytes` of the text behind the beginning of a match hold all of it if it is bounded; else
   * it costs a second look, or is not found. Compiled at the first search, since two hundred
   * patterns take most of a second and a text needs few of them.
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
   * Finds the values, none empty, of the matches that begin from `from` to before `to`, in order.
   * Answers where the last one ends, at least `to`. Throws on what RE2 refuses.
   */
  search(utf8: Buffer, from: number, to: number, found: SpanFound): number {
    const compiled = (this.#compiled ??= compile(this.#pattern));
    let at = from;
    while (at < to) {
      at = this.#searchWindow(compiled, utf8, at, Math.min(at + entityWindowBytes, to), found);
    }
    return at;
  }

  /** Where the search continues: at the window's end, or after the last match that began in it. */
  #searchWindow(
    compiled: Compiled,
    utf8: Buffer,
    from: number,
    to: number,
    found: SpanFound,
  ): number {
    // \b looks at one byte to the left.
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
  /** Matches only where it is put. */
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
 * Where the first match from `from` begins, which ends at `end`. `test` tells no start, but costs a
 * tenth of `exec`, which copies every group: the start is the first one in what leads up to the
 * end. Cut there, the text may show a match that it has not, so the place is tried.
 */
function startOf({ regex, sticky }: Compiled, slice: Buffer, from: number, end: number): number {
  const cutFrom = Math.max(0, from - 1);
  const start = cutFrom + regex.search(slice.subarray(cutFrom, end + 1));
  sticky.lastIndex = Math.max(start, from);
  if (start >= from && sticky.test(slice) && sticky.lastIndex === end) return start;
  regex.lastIndex = from;
  return regex.exec(slice)?.index ?? end;
}

/** The group's span in the match from `start` to `end`; null: it has no part in it. */
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

/** Indices cost ten times a `test`. */
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
