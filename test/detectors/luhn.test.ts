import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasLuhnCheckDigit } from "../../src/detectors/luhn.ts";

describe("hasLuhnCheckDigit", () => {
  test.each([
    ["4111111111111111", true],
    ["4111 1111-1111 1111", true],
    ["4111111111111112", false],
    ["79927398713", true],
    ["79927398710", false],
    ["0", true],
    ["", false],
    ["no digits", false],
  ])("%j: %s", (text, expected) => {
    expect(hasLuhnCheckDigit(text)).toBe(expected);
  });

  test("exactly one last digit fits", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,30}$/), (digits) => {
        const fitting = [..."0123456789"].filter((last) => hasLuhnCheckDigit(digits + last));
        expect(fitting).toHaveLength(1);
      }),
    );
  });

  test("another digit in any one place does not fit", () => {
    const changed = fc.record({
      digits: fc.stringMatching(/^[0-9]{1,30}$/),
      place: fc.nat(29),
      by: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(changed, ({ digits, place, by }) => {
        const last = [..."0123456789"].find((digit) => hasLuhnCheckDigit(digits + digit)) ?? "";
        const at = place % digits.length;
        const other = String((Number(digits[at]) + by) % 10);
        const wrong = digits.slice(0, at) + other + digits.slice(at + 1) + last;
        expect(hasLuhnCheckDigit(wrong)).toBe(false);
      }),
    );
  });
});
