import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLuhn } from "../../../src/detectors/checksums/luhn.ts";
import { machineReadableCheckDigit } from "../../../src/detectors/checksums/machine-readable.ts";
import { mod97 } from "../../../src/detectors/checksums/mod97.ts";
import { isMod11Mod10 } from "../../../src/detectors/checksums/mod11-10.ts";
import { isVerhoeff } from "../../../src/detectors/checksums/verhoeff.ts";
import { weightedSum } from "../../../src/detectors/checksums/weighted-sum.ts";

const schemes = [
  ["Luhn", isLuhn, "79927398713"],
  ["Verhoeff", isVerhoeff, "2363"],
  ["MOD 11,10", isMod11Mod10, "36574261809"],
] as const;

const checkDigits = Array.from({ length: 10 }, (_, digit) => String(digit));
const digits = fc.stringMatching(/^[0-9]{1,18}$/);

describe.each(schemes)("%s", (_, isValid, known) => {
  test("accepts a published example", () => {
    expect(isValid(known)).toBe(true);
  });

  test("has exactly one check digit for any number", () => {
    fc.assert(
      fc.property(digits, (number) => {
        const fitting = checkDigits.filter((check) => isValid(number + check));
        expect(fitting).toHaveLength(1);
      }),
    );
  });

  test("notices any single wrong digit", () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (number, at, shift) => {
        const valid = checkDigits.map((check) => number + check).find(isValid) ?? "";
        const place = at % valid.length;
        const wrong = String((Number(valid.charAt(place)) + shift) % 10);
        expect(isValid(valid.slice(0, place) + wrong + valid.slice(place + 1))).toBe(false);
      }),
    );
  });

  test("refuses what is too short to have a check digit", () => {
    expect(isValid("")).toBe(false);
    expect(isValid("0")).toBe(false);
  });
});

test("Verhoeff notices two neighbours that changed places", () => {
  fc.assert(
    fc.property(digits, fc.nat(), (number, at) => {
      const valid = checkDigits.map((check) => number + check).find(isVerhoeff) ?? "";
      const place = at % (valid.length - 1);
      const [a, b] = [valid.charAt(place), valid.charAt(place + 1)];
      fc.pre(a !== b);
      expect(isVerhoeff(valid.slice(0, place) + b + a + valid.slice(place + 2))).toBe(false);
    }),
  );
});

test("the remainder by 97 is that of the number the letters stand for", () => {
  expect(mod97("3214282912345698765432161182")).toBe(1);
  expect(mod97("A")).toBe(10);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (number) => {
      expect(mod97(String(number))).toBe(Number(number % 97n));
    }),
  );
});

test("the check digit of a machine-readable document", () => {
  // ICAO Doc 9303, part 3, appendix A.
  expect(machineReadableCheckDigit("520727")).toBe(3);
  expect(machineReadableCheckDigit("AB2134<<<")).toBe(5);
});

test("a weighted sum leaves out digits beyond its weights", () => {
  expect(weightedSum("1234", [3, 7])).toBe(17);
  expect(weightedSum("", [3, 7])).toBe(0);
});
