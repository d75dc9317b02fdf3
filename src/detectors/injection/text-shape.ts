/** How a text is written: shares of its bytes and lines, independent of their meaning. */
export const shapeLength = 10;

/** Writes the shape of UTF-8 text to `out` from `at` on: `shapeLength` numbers, all finite. */
export function readShape(utf8: Buffer, out: Float64Array, at: number): void {
  const counts = { letters: 0, upper: 0, digits: 0, foreign: 0, signs: 0, code: 0, breaks: 0 };
  let listLines = 0;
  let isLineStart = true;
  for (const byte of utf8) {
    if (isLineStart && byte !== space && byte !== tab) {
      if (isListSign(byte)) listLines++;
      isLineStart = false;
    }
    if (byte >= 0x61 && byte <= 0x7a) counts.letters++;
    else if (byte >= 0x41 && byte <= 0x5a) {
      counts.letters++;
      counts.upper++;
    } else if (byte >= 0x30 && byte <= 0x39) counts.digits++;
    else if (byte === lineFeed) {
      counts.breaks++;
      isLineStart = true;
    } else if (byte >= 0x80) counts.foreign++;
    else if (byte !== space) {
      counts.signs++;
      if (isCodeSign(byte)) counts.code++;
    }
  }
  const bytes = Math.max(1, utf8.length);
  const lines = counts.breaks + 1;
  out[at] = counts.letters / bytes;
  out[at + 1] = counts.digits / bytes;
  out[at + 2] = counts.upper / bytes;
  out[at + 3] = counts.foreign / bytes;
  out[at + 4] = counts.signs / bytes;
  out[at + 5] = counts.code / bytes;
  out[at + 6] = counts.breaks / bytes;
  out[at + 7] = listLines / lines;
  out[at + 8] = Math.log(bytes / lines);
  out[at + 9] = Math.log(bytes);
}

const lineFeed = 0x0a;
const tab = 0x09;
const space = 0x20;

/** The first bytes of lists, headings, tables, quotes, patches and log lines. */
const listSigns = new Set(Buffer.from("-*#>|[+@0123456789"));
/** Bytes that are frequent in paths, names and commands. */
const codeSigns = new Set(Buffer.from("`/_{="));

function isListSign(byte: number): boolean {
  return listSigns.has(byte);
}

function isCodeSign(byte: number): boolean {
  return codeSigns.has(byte);
}
