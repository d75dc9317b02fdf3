import { expect, test } from "vitest";
import {
  compact,
  digitAt,
  digitsOf,
  isOneDigitRepeated,
} from "../../../src/detectors/checksums/digits.ts";

test("digits and compact text leave out what separates groups", () => {
  expect(digitsOf("DE 12-3.4/5")).toBe("12345");
  expect(compact("de 12-3.4/5")).toBe("DE12345");
});

test("a digit beyond the end, or a letter, counts as 0", () => {
  expect(digitAt("17", 1)).toBe(7);
  expect(digitAt("17", 2)).toBe(0);
  expect(digitAt("a7", 0)).toBe(0);
});

test.each([
  ["0000", true],
  ["7777777", true],
  ["7777776", false],
  ["7", false],
  ["", false],
])("whether %o is one digit repeated: %o", (text, expected) => {
  expect(isOneDigitRepeated(text)).toBe(expected);
});
