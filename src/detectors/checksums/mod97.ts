/**
 * The remainder modulo 97 of a number of any length (ISO 7064 MOD 97-10). Its letters stand for 10
 * to 35. Letters are in upper case.
 */
export function mod97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
