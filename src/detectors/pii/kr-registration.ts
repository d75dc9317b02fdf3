import { isShortDate } from "../checksums/calendar.ts";
import { digitAt, digitsOf } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";

const weights = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

/**
 * The score of a South Korean registration number; false if its birth date does not exist. Numbers
 * issued since October 2020 have no check digit. `checkBase` is the number from which the weighted
 * sum is subtracted, modulo 11.
 */
export function koreanRegistrationScore(value: string, checkBase: number): number | false {
  const digits = digitsOf(value);
  const [year, month, day] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(
    Number,
  );
  if (!isShortDate(year ?? 0, month ?? 0, day ?? 0)) return false;
  const check = (checkBase - (weightedSum(digits, weights) % 11)) % 10;
  const fits = check === digitAt(digits, 12);
  if (value === digits) return fits ? 0.6 : 0.2;
  return fits ? 0.85 : 0.55;
}
