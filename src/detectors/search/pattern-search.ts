import RE2 from "re2";
import { entityMatchBytesMax, entityWindowBytes } from "../../contract/limits.ts";

/** A value's place in bytes of UTF-8. */
export type SpanFound = (from: number, to: number) => void;

/** Room for letters that fold to longer ones, which shapes leave out: K to the Kelvin sign. */
const foldedBytes = 16;

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
  readonly #group: number;
  readonly #matchBytesExpected: number;
  readonly #regex: RE2;
  /** Matches only where it is put. */
  readonly #sticky: RE2;

  /** `matchBytesExpected`: longer matches cost a second look. Throws on what RE2 refuses. */
  constructor(
    { pattern, caseInsensitive, group = 0 }: SearchedPattern,
    matchBytesExpected: number,
  ) {
    const flags = caseInsensitive ? "iu" : "u";
    this.#group = group;
    this.#matchBytesExpected = matchBytesExpected + foldedBytes;
    this.#regex = new RE2(pattern, `g${flags}`);
    this.#sticky = new RE2(pattern, group === 0 ? `y${flags}` : `dy${flags}`);
  }

  /**
   * Finds the values, none empty, of the matches that begin from `from` to before `to`, in order.
   * Answers where the last one ends, at least `to`.
   */
  search(utf8: Buffer, from: number, to: number, found: SpanFound): number {
    let at = from;
    while (at < to) {
      at = this.#searchWindow(utf8, at, Math.min(at + entityWindowBytes, to), found);
    }
    return at;
  }

  /** Where the search goes on: at the window's end or behind the last match that began in it. */
  #searchWindow(utf8: Buffer, from: number, to: number, found: SpanFound): number {
    let at = from;
    while (at < to) {
      const match = this.#first(utf8, at, to);
      if (!match || match.from >= to) return to;
      const [valueFrom, valueTo] = match.value;
      if (valueTo > valueFrom) found(valueFrom, valueTo);
      at = match.to > at ? match.to : at + 1;
    }
    return at;
  }

  /** The first match from `from`; beyond `to` it may be given or not. */
  #first(utf8: Buffer, from: number, to: number): Match | null {
    // One byte to the left is what \b looks at.
    const sliceFrom = Math.max(0, from - 1);
    for (let reach = this.#matchBytesExpected; ; reach *= 4) {
      const sliceTo = Math.min(utf8.length, to + reach + 1);
      const slice = utf8.subarray(sliceFrom, sliceTo);
      this.#regex.lastIndex = from - sliceFrom;
      if (!this.#regex.test(slice)) return null;
      const end = this.#regex.lastIndex;
      // What ends with the slice may go on behind it.
      if (end === slice.length && sliceTo < utf8.length && reach < entityMatchBytesMax) continue;
      return this.#matchThatEnds(end, slice, sliceFrom, from);
    }
  }

  /**
   * `test` tells a match's end alone, but costs a tenth of `exec`, which copies every group. The
   * start is the first one in what leads up to the end; cut there, the text may show a match that it
   * has not, so the pattern is tried once more at the place.
   */
  #matchThatEnds(end: number, slice: Buffer, sliceFrom: number, from: number): Match {
    const sticky = this.#sticky;
    const first = from - sliceFrom;
    let start = this.#regex.search(slice.subarray(0, end + 1));
    sticky.lastIndex = Math.max(start, first);
    if (start < first || !sticky.test(slice) || sticky.lastIndex !== end) {
      this.#regex.lastIndex = first;
      start = this.#regex.exec(slice)?.index ?? end;
    }
    return {
      from: sliceFrom + start,
      to: sliceFrom + end,
      value: this.#valueOf(start, end, slice, sliceFrom),
    };
  }

  #valueOf(
    start: number,
    end: number,
    slice: Buffer,
    sliceFrom: number,
  ): readonly [number, number] {
    if (this.#group === 0) return [sliceFrom + start, sliceFrom + end];
    this.#sticky.lastIndex = start;
    const [from, to] = this.#sticky.exec(slice)?.indices?.[this.#group] ?? [0, 0];
    return [sliceFrom + from, sliceFrom + to];
  }
}

interface Match {
  readonly from: number;
  readonly to: number;
  /** The group's span; empty where the group has no part in the match. */
  readonly value: readonly [number, number];
}
