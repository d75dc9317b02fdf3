import fc from "fast-check";
import { isValidPhoneNumber } from "libphonenumber-js/max";
import { expect, test } from "vitest";
import { planOf, plansOf } from "../../../src/detectors/pii/numbering-plans.ts";
import {
  isInternationalNumber,
  isNorthAmericanNumber,
  isPossibleInternationalNumber,
} from "../../../src/detectors/pii/phone-regions.ts";

test.each([
  ["14155550132", "4155550132"],
  ["442079460958", "2079460958"],
  ["390669821234", "0669821234"],
  ["80012345678", "12345678"],
])("%s is %s behind its calling code", (digits, rest) => {
  const [plans, behind] = plansOf(digits);
  expect(behind).toBe(rest);
  expect(plans.length).toBeGreaterThan(0);
});

test("no country has a calling code that begins with 0", () => {
  expect(plansOf("0123456")).toEqual([[], "0123456"]);
});

test("a plan has its lengths, its prefix and its numbers", () => {
  const france = planOf("FR");
  expect([...france.lengths]).toEqual([9]);
  expect(france.nationalPrefix).toBe("0");
  expect(france.pattern.test("612345678")).toBe(true);
  expect(france.pattern.test("6123456789")).toBe(false);
});

test("what the library calls a number is one here, and mostly the other way round", () => {
  let both = 0;
  let onlyHere = 0;
  const callingCode = fc.constantFrom(
    "1",
    "44",
    "49",
    "33",
    "34",
    "39",
    "91",
    "81",
    "90",
    "972",
    "55",
  );
  const digits = fc.stringMatching(/^[1-9][0-9]{7,10}$/);
  fc.assert(
    fc.property(callingCode, digits, (code, rest) => {
      const number = `+${code}${rest}`;
      const here = isInternationalNumber(number);
      if (isValidPhoneNumber(number)) {
        both += 1;
        expect(here).toBe(true);
      } else if (here) {
        onlyHere += 1;
      }
    }),
    { numRuns: 2_000, seed: 1 },
  );
  expect(both).toBeGreaterThan(100);
  expect(onlyHere).toBeLessThan(both / 20);
});

test("the length of a number tells whether it is possible", () => {
  expect(isPossibleInternationalNumber("+999 123")).toBe(false);
  expect(isPossibleInternationalNumber("+972 54 123 4567")).toBe(true);
  expect(isInternationalNumber("+33 6 12 34 56 7")).toBe(false);
  expect(isPossibleInternationalNumber("+33 6 12 34 56 7")).toBe(false);
});

test("the North American plan is more than the United States'", () => {
  expect(isNorthAmericanNumber("(416) 555-0132")).toBe(true);
  expect(isNorthAmericanNumber("(415) 555-0132 x7")).toBe(true);
  expect(isNorthAmericanNumber("(115) 555-0132")).toBe(false);
});
