import type { CountryCode } from "libphonenumber-js/max";
import { digitsOf } from "../checksums/digits.ts";
import { planOf, plansOf, type NumberingPlan } from "./numbering-plans.ts";

/**
 * The plans of Canada and the Caribbean contain numbers that the plan of the United States lacks.
 */
const northAmerica = plansOf("1")[0];

const plansOfCountries = (countries: readonly CountryCode[]): readonly NumberingPlan[] =>
  countries.map(planOf);

/** Other countries in which numbers are dialled with a 0 first. */
const trunkZero = plansOfCountries(["GB", "FR", "AU", "TR", "IT", "PH", "KR", "DE"]);

/** Countries in which numbers are written without any prefix. */
const noTrunk = plansOfCountries(["ES", "IN", "PL", "IT", "NO", "SG"]);

/** The digits of a number as it is written, without its extension. */
export function subscriberDigits(value: string): string {
  return digitsOf(value.replace(/[,; ]{0,2}[xe].*$/i, ""));
}

/** Whether it is a number in use somewhere; `00` in front stands for the plus sign. */
export function isInternationalNumber(value: string): boolean {
  const [plans, rest] = plansOf(subscriberDigits(value).replace(/^00/, ""));
  return plans.some((plan) => isNumber(plan, rest));
}

/** Whether the country has numbers of that length, though not this one. */
export function isPossibleInternationalNumber(value: string): boolean {
  const [plans, rest] = plansOf(subscriberDigits(value).replace(/^00/, ""));
  return plans.some(({ lengths }) => lengths.has(rest.length));
}

/** Whether it is a number of the North American plan. */
export function isNorthAmericanNumber(value: string): boolean {
  const digits = subscriberDigits(value);
  return northAmerica.some((plan) => isNumber(plan, digits));
}

/** Whether one of the regions where numbers begin with 0 has such a number. */
export function isTrunkZeroNumber(value: string): boolean {
  const digits = subscriberDigits(value);
  return trunkZero.some((plan) => isNumber(plan, digits));
}

/** Whether one of the regions without a prefix has such a number. */
export function isPlainNumber(value: string): boolean {
  const digits = subscriberDigits(value);
  return noTrunk.some((plan) => isNumber(plan, digits));
}

/**
 * Whether the digits are a number of the plan, with or without the national prefix. People put the
 * prefix in parentheses or leave it out.
 */
function isNumber({ lengths, nationalPrefix, pattern }: NumberingPlan, digits: string): boolean {
  if (lengths.has(digits.length) && pattern.test(digits)) return true;
  if (nationalPrefix === "" || !digits.startsWith(nationalPrefix)) return false;
  const rest = digits.slice(nationalPrefix.length);
  return lengths.has(rest.length) && pattern.test(rest);
}
