/**
 * The remainder by 97 of a number of any length in which letters stand for 10 to 35, as ISO 7064
 * MOD 97-10 reads it. Letters are in upper case.
 */
export function mod97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
