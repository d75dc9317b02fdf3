/**
 * The check digit of ICAO Doc 9303, as on passports and identity cards: each character stands for a
 * value from 0 to 35, the weights are 7, 3, 1 in turn, and the check digit is the sum modulo 10.
 * Letters are in upper case.
 */
export function machineReadableCheckDigit(text: string): number {
  const weights = [7, 3, 1];
  let sum = 0;
  for (const [index, character] of [...text].entries()) {
    const value = character === "<" ? 0 : Number.parseInt(character, 36);
    sum += value * (weights[index % 3] ?? 0);
  }
  return sum % 10;
}
