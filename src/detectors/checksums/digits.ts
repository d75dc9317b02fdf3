/**
 * The decimal digits of a text, in order. All other characters (spaces, hyphens, dots, letters) are
 * left out.
 */
export function digitsOf(text: string): string {
  return text.replace(/[^0-9]/g, "");
}

/** A text without its spaces, hyphens, dots and slashes, in upper case. */
export function compact(text: string): string {
  return text.replace(/[\s./\\-]/g, "").toUpperCase();
}

/** The digit at `index`; 0 beyond the end, so check the length first. */
export function digitAt(digits: string, index: number): number {
  const digit = digits.charCodeAt(index) - 0x30;
  return digit >= 0 && digit <= 9 ? digit : 0;
}

/**
 * Whether all characters are the same one. Such numbers, like `0000000000`, pass many checksums.
 */
export function isOneDigitRepeated(digits: string): boolean {
  return digits.length > 1 && digits === digits.charAt(0).repeat(digits.length);
}
