import { digitAt } from "./digits.ts";

/** Multiplication in the dihedral group D5: rotations 0 to 4, reflections 5 to 9. */
function multiply(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b + 5) % 5) : (a - b + 5) % 5;
}

/** The permutation that a digit takes at each position from the right; it repeats after eight. */
const permutations = permutationPowers([1, 5, 7, 6, 2, 8, 3, 0, 9, 4]);

/** Whether the last digit is the Verhoeff check digit of the others. */
export function isVerhoeff(digits: string): boolean {
  let check = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = digitAt(digits, digits.length - 1 - fromRight);
    check = multiply(check, permutations[fromRight % 8]?.[digit] ?? 0);
  }
  return digits.length > 1 && check === 0;
}

function permutationPowers(base: readonly number[]): readonly (readonly number[])[] {
  let power: readonly number[] = base.map((_, digit) => digit);
  return Array.from({ length: 8 }, () => {
    const current = power;
    power = current.map((digit) => base[digit] ?? 0);
    return current;
  });
}
