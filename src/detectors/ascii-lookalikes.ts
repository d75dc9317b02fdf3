const blanks = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
/** Hyphens, the dashes of ranges, the minus sign. */
const hyphens = /[\u2010-\u2013\u2212]/g;
/** ASCII in the width of Chinese characters. */
const wide = /[\uff01-\uff5e]/g;
const wideToAscii = 0xff01 - 0x21;

/**
 * The text with its blanks, hyphens, digits, letters and signs replaced by their ASCII forms,
 * because patterns know only those. Word processors, web pages and Asian keyboards write other
 * forms. Each replaced character is one UTF-16 code unit, as is its replacement, so offsets stay
 * valid.
 */
export function withAsciiLookalikes(text: string): string {
  return text
    .replace(blanks, " ")
    .replace(hyphens, "-")
    .replace(wide, (character) => String.fromCharCode(character.charCodeAt(0) - wideToAscii));
}
