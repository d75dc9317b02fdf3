/** Told of a stretch of text, from its first digit to behind its last one, and of its digits. */
export type DigitsFound = (from: number, to: number, digits: number) => void;

/**
 * Finds the stretches of UTF-8 text that hold at least `digitsMin` ASCII digits, of which no two
 * neighbours are more than `gapBytesMax` bytes apart.
 */
export function findDigitClusters(
  utf8: Uint8Array,
  gapBytesMax: number,
  digitsMin: number,
  found: DigitsFound,
): void {
  const length = utf8.length;
  let from = 0;
  let last = -1;
  let digits = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = utf8[at] ?? 0;
    if (byte > 0x39 || byte < 0x30) continue;
    if (digits > 0 && at - last > gapBytesMax) {
      if (digits >= digitsMin) found(from, last + 1, digits);
      digits = 0;
    }
    if (digits === 0) from = at;
    last = at;
    digits += 1;
  }
  if (digits >= digitsMin && digits > 0) found(from, last + 1, digits);
}
