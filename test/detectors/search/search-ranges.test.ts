import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SearchRanges } from "../../../src/detectors/search/search-ranges.ts";

function drained(ranges: SearchRanges, overshoot = 0): [number, number][] {
  const all: [number, number][] = [];
  ranges.drain((from, to) => {
    all.push([from, to]);
    return to + overshoot;
  });
  return all;
}

function rangesOf(...added: readonly (readonly [number, number])[]): SearchRanges {
  const ranges = new SearchRanges();
  for (const [from, to] of added) ranges.add(from, to);
  return ranges;
}

describe("SearchRanges", () => {
  test("merges what overlaps or adjoins", () => {
    expect(drained(rangesOf([0, 3], [3, 5], [4, 6], [8, 9]))).toEqual([
      [0, 6],
      [8, 9],
    ]);
  });

  test("goes on behind where the search came to", () => {
    expect(drained(rangesOf([0, 3], [4, 5], [6, 9]), 4)).toEqual([
      [0, 3],
      [7, 9],
    ]);
  });

  test("tells where the last one ends", () => {
    expect(new SearchRanges().end).toBe(0);
    expect(rangesOf([2, 5], [4, 7]).end).toBe(7);
  });

  test("is empty after it was drained", () => {
    const ranges = rangesOf([0, 3]);
    expect(ranges.isEmpty).toBe(false);
    drained(ranges);
    expect(ranges.isEmpty).toBe(true);
    expect(drained(ranges)).toEqual([]);
  });

  test("covers every offset that was added, once", () => {
    const added = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 9 })), { maxLength: 12 });
    fc.assert(
      fc.property(added, (pairs) => {
        const byEnd = pairs
          .map(([from, length]) => [from, from + length] as const)
          .toSorted((a, b) => a[1] - b[1]);
        const seen = drained(rangesOf(...byEnd)).flatMap(([from, to]) => span(from, to));
        const expected = new Set(byEnd.flatMap(([from, to]) => span(from, to)));
        expect(new Set(seen)).toEqual(expected);
        expect(seen).toHaveLength(expected.size);
      }),
    );
  });
});

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
