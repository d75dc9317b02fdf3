const [ampersand, equals, plus, percent] = [0x26, 0x3d, 0x2b, 0x25];
const [space, colon, lineFeed] = [0x20, 0x3a, 0x0a];

/**
 * Names and values of a form, one `name: value` per line, in one pass over its bytes. `URLSearchParams` would
 * make strings of hundreds of bytes for each pair, and a body may have millions of pairs.
 */
export function formText(form: Uint8Array): Uint8Array {
  // Only the first `=` of a pair grows, by one byte.
  const text = Buffer.allocUnsafeSlow(2 * form.length);
  let end = 0;
  let isName = true;
  for (let i = 0; i < form.length; i++) {
    const byte = form[i] ?? 0;
    if (byte === ampersand) {
      text[end++] = lineFeed;
      isName = true;
    } else if (byte === equals && isName) {
      text[end++] = colon;
      text[end++] = space;
      isName = false;
    } else if (byte === plus) {
      text[end++] = space;
    } else {
      const decoded = byte === percent ? encodedByte(form, i + 1) : -1;
      text[end++] = decoded < 0 ? byte : decoded;
      if (decoded >= 0) i += 2;
    }
  }
  return text.subarray(0, end);
}

/** The byte that the two hexadecimal digits at `at` encode; -1 if they are no such digits. */
function encodedByte(form: Uint8Array, at: number): number {
  const high = digit(form[at] ?? 0);
  const low = digit(form[at + 1] ?? 0);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
