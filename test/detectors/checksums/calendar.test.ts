import { expect, test } from "vitest";
import { isCalendarDate, isShortDate } from "../../../src/detectors/checksums/calendar.ts";

test.each([
  [2024, 2, 29, true],
  [2023, 2, 29, false],
  [2000, 2, 29, true],
  [1900, 2, 29, false],
  [2031, 4, 30, true],
  [2031, 4, 31, false],
  [2031, 12, 31, true],
  [2031, 0, 1, false],
  [2031, 13, 1, false],
  [2031, 1, 0, false],
])("whether there is a day %i-%i-%i: %o", (year, month, day, expected) => {
  expect(isCalendarDate(year, month, day)).toBe(expected);
});

test("a year of two digits may be of either century", () => {
  expect(isShortDate(0, 2, 29)).toBe(true);
  expect(isShortDate(99, 2, 29)).toBe(false);
});
