import { isPossiblePhoneNumber, isValidPhoneNumber, type CountryCode } from "libphonenumber-js/max";

/** Where numbers of other countries are dialled with a 0 first; Germany last, for it takes most. */
const trunkZeroRegions: readonly CountryCode[] = ["GB", "FR", "AU", "TR", "IT", "PH", "KR", "DE"];

/** Where numbers are written without any prefix. */
const noTrunkRegions: readonly CountryCode[] = ["ES", "IN", "PL", "IT", "NO", "SG"];

/** Whether the country has numbers of that length, though not this one. */
export function isPossibleInternationalNumber(value: string): boolean {
  return isPossiblePhoneNumber(value.replace(/^00\s?/, "+"));
}

/** Whether it is a number in use somewhere; `00` in front stands for the plus sign. */
export function isInternationalNumber(value: string): boolean {
  return isValidPhoneNumber(value.replace(/^00\s?/, "+"));
}

/** Whether it is a number of the North American plan. About 20 µs, as each region's check. */
export function isNorthAmericanNumber(value: string): boolean {
  return isValidPhoneNumber(value, "US");
}

/** Whether one of the regions where numbers begin with 0 has such a number. */
export function isTrunkZeroNumber(value: string): boolean {
  return trunkZeroRegions.some((region) => isValidPhoneNumber(value, region));
}

/** Whether one of the regions without a prefix has such a number. */
export function isPlainNumber(value: string): boolean {
  return noTrunkRegions.some((region) => isValidPhoneNumber(value, region));
}
