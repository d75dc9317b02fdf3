/** Shannon entropy of the text's own UTF-16 code units, in bits each; 0 for the empty text. */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<number, number>();
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/**
 * `bitsPerCharacter` as a share of the most that a text of this length and alphabet can have, 0 to
 * 1. So one limit fits short, hexadecimal and long secrets. Random text reaches about 0.9.
 */
export function relativeEntropy(text: string): number {
  const bitsMax = Math.log2(Math.min(text.length, alphabetSize(text)));
  return bitsMax > 0 ? bitsPerCharacter(text) / bitsMax : 0;
}

function alphabetSize(text: string): number {
  if (/^\d+$/.test(text)) return 10;
  if (/^[\da-f-]+$/i.test(text)) return 16;
  // Secrets are too short to show more characters of a larger alphabet.
  return 36;
}
