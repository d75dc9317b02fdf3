/**
 * Whether the digits of `text` end with the check digit of Luhn's algorithm (ISO/IEC 7812-1,
 * annex B). Everything that is not an ASCII digit is passed over; no digits at all is false.
 */
export function hasLuhnCheckDigit(text: string): boolean {
  let sum = 0;
  let doubled = false;
  let digits = 0;
  for (let index = text.length - 1; index >= 0; index -= 1) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) continue;
    const weighted = doubled ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
    doubled = !doubled;
    digits += 1;
  }
  return digits > 0 && sum % 10 === 0;
}
