import { digitAt } from "./digits.ts";

/** Whether the last digit is the Luhn check digit of the others (ISO/IEC 7812-1, annex B). */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = digitAt(digits, digits.length - 1 - fromRight);
    const doubled = digit * 2;
    sum += fromRight % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}
