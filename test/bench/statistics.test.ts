import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  leastChance,
  median,
  rankDifferenceChance,
  spread,
} from "../../bench/report/statistics.ts";

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
  minLength: 1,
  maxLength: 9,
});

describe("median", () => {
  test.each([
    [[3], 3],
    [[1, 2], 1.5],
    [[3, 1, 2], 2],
    [[10, 9, 8, 1], 8.5],
    [[-5, -100, 100], -5],
  ])("of %j is %d", (of, is) => expect(median(of)).toBe(is));

  it("has none of nothing", () => expect(() => median([])).toThrow("no values"));

  it("has as many values above as below", () =>
    fc.assert(
      fc.property(values, (of) => {
        const middle = median(of);
        const above = of.filter((value) => value > middle).length;
        const below = of.filter((value) => value < middle).length;
        expect(Math.max(above, below)).toBeLessThanOrEqual(of.length / 2);
      }),
    ));
});

test.each([
  [[10, 10, 10], 0],
  [[9, 10, 11], 0.1],
  [[8, 10, 10, 14], 0.3],
  [[-9, -10, -11], 0.1],
  [[0, 0, 5], 0],
])("spread of %j is %d", (of, is) => expect(spread(of)).toBeCloseTo(is));

describe("rankDifferenceChance", () => {
  // From the tables of the Mann–Whitney test, two-sided.
  test.each([
    ["5 against 5, apart", [1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 2 / 252],
    ["5 against 5, one pair crossed", [1, 2, 3, 4, 6], [5, 7, 8, 9, 10], 4 / 252],
    ["3 against 3, apart", [1, 2, 3], [4, 5, 6], 2 / 20],
    ["4 against 4, apart", [5, 6, 7, 8], [1, 2, 3, 4], 2 / 70],
    ["3 against 5, apart", [1, 2, 3], [4, 5, 6, 7, 8], 2 / 56],
    ["as even as can be", [1, 4], [2, 3], 1],
    ["all the same", [1, 1, 1], [1, 1, 1], 1],
    ["a tie in the middle", [1, 2, 3], [3, 4, 5], 4 / 20],
    ["nothing", [], [1, 2], 1],
  ])("%s", (_, a, b, chance) => expect(rankDifferenceChance(a, b)).toBeCloseTo(chance, 10));

  it("is the share of all divisions whose pairs are as uneven, ties a half each", () => {
    const few = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(few, few, (a, b) => {
        const all = [...a, ...b];
        const divisions = Array.from({ length: 2 ** all.length }, (_, bits) =>
          all.map((value, index) => ({ value, isFirst: ((bits >> index) & 1) === 1 })),
        ).filter((division) => division.filter(({ isFirst }) => isFirst).length === a.length);
        const unevenOf = (one: readonly number[], other: readonly number[]): number =>
          Math.abs(
            one
              .flatMap((x) => other.map((y) => Math.sign(x - y)))
              .reduce((sum, sign) => sum + sign),
          );
        const asUneven = divisions.filter((division) => {
          const [one, other] = [true, false].map((first) =>
            division.filter(({ isFirst }) => isFirst === first).map(({ value }) => value),
          );
          return unevenOf(one ?? [], other ?? []) >= unevenOf(a, b);
        });
        expect(rankDifferenceChance(a, b)).toBeCloseTo(asUneven.length / divisions.length, 10);
      }),
    );
  });

  it("is the same from both sides and in any order", () =>
    fc.assert(
      fc.property(values, values, (a, b) => {
        const chance = rankDifferenceChance(a, b);
        expect(chance).toBeGreaterThan(0);
        expect(chance).toBeLessThanOrEqual(1);
        expect(rankDifferenceChance(b, a)).toBeCloseTo(chance, 10);
        expect(rankDifferenceChance(a.toReversed(), b.toReversed())).toBeCloseTo(chance, 10);
        expect(leastChance(a.length, b.length)).toBeLessThanOrEqual(chance + 1e-12);
      }),
    ));
});
