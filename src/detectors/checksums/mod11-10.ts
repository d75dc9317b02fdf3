import { digitAt } from "./digits.ts";

/** Whether the last digit is the check digit of the others by ISO 7064 MOD 11,10. */
export function isMod11Mod10(digits: string): boolean {
  let product = 10;
  for (let index = 0; index < digits.length - 1; index += 1) {
    const sum = (digitAt(digits, index) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return digits.length > 1 && (11 - product) % 10 === digitAt(digits, digits.length - 1);
}
