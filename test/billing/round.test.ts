import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divideRounded } from "../../src/billing/round.ts";

describe("divideRounded", () => {
  test.each([
    // numerator, denominator, half_up, up
    [0n, 10n, 0n, 0n],
    [4n, 10n, 0n, 1n],
    [5n, 10n, 1n, 1n],
    [6n, 10n, 1n, 1n],
    [10n, 10n, 1n, 1n],
    [14n, 10n, 1n, 2n],
    [15n, 10n, 2n, 2n],
    [25n, 10n, 3n, 3n],
    [1n, 3n, 0n, 1n],
    [2n, 3n, 1n, 1n],
    [-4n, 10n, 0n, 0n],
    [-5n, 10n, -1n, 0n],
    [-6n, 10n, -1n, 0n],
    [-15n, 10n, -2n, -1n],
    [10n ** 40n + 5n * 10n ** 17n, 10n ** 18n, 10n ** 22n + 1n, 10n ** 22n + 1n],
    [10n ** 40n + 5n * 10n ** 17n - 1n, 10n ** 18n, 10n ** 22n, 10n ** 22n + 1n],
  ])("%s / %s is %s, up %s", (numerator, denominator, halfUp, up) => {
    expect(divideRounded(numerator, denominator, "half_up")).toBe(halfUp);
    expect(divideRounded(numerator, denominator, "up")).toBe(up);
  });

  test.each([0n, -1n])("a denominator of %s is a bug", (denominator) => {
    expect(() => divideRounded(1n, denominator, "up")).toThrow(RangeError);
  });

  test("is never off by more than a half, and up never too low", () => {
    const numerators = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const denominators = fc.bigInt({ min: 1n, max: 10n ** 20n });
    fc.assert(
      fc.property(numerators, denominators, (numerator, denominator) => {
        const off = divideRounded(numerator, denominator, "half_up") * denominator - numerator;
        expect(2n * (off < 0n ? -off : off) <= denominator).toBe(true);
        const over = divideRounded(numerator, denominator, "up") * denominator - numerator;
        expect(over >= 0n && over < denominator).toBe(true);
      }),
    );
  });
});
