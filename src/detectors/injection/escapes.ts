/** The meaning of an escape in a text, and its end. */
export interface Escape {
  readonly text: string;
  /** The offset after it. */
  readonly end: number;
}

const entityNames: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["shy", ""],
  ["zwj", ""],
  ["zwnj", ""],
  ["colon", ":"],
  ["period", "."],
  ["comma", ","],
  ["excl", "!"],
  ["quest", "?"],
  ["sol", "/"],
  ["lpar", "("],
  ["rpar", ")"],
  ["lbrack", "["],
  ["rbrack", "]"],
  ["hyphen", "-"],
  ["lowbar", "_"],
  ["NewLine", "\n"],
  ["Tab", " "],
]);

/** Fits `&#x10FFFF;` and the longest name above. */
const entityCharsMax = 10;
/** Bytes of a run of `%XX` that are decoded at once. */
const percentBytesMax = 64;
/** The longest comment inside a word. A longer one is text of its own. */
const commentCharsMax = 64;

/**
 * The HTML entity, `\uXXXX`, `\xXX`, `%XX`, or comment inside a word, that begins at `at`; null if
 * none does. Reads at most `commentCharsMax` characters.
 */
export function escapeAt(text: string, at: number): Escape | null {
  switch (text.charCodeAt(at)) {
    case 0x26:
      return entityAt(text, at);
    case 0x5c:
      return backslashAt(text, at);
    case 0x25:
      return percentAt(text, at);
    default:
      return commentAt(text, at);
  }
}

function entityAt(text: string, at: number): Escape | null {
  const isNumber = text.charCodeAt(at + 1) === 0x23;
  if (!isNumber && !isLetter(text.charCodeAt(at + 1))) return null;
  const end = text.slice(at, at + entityCharsMax).indexOf(";");
  if (end < 2) return null;
  const body = text.slice(at + 1, at + end);
  if (!isNumber) {
    const named = entityNames.get(body);
    return named === undefined ? null : { text: named, end: at + end + 1 };
  }
  const isHex = (body.charCodeAt(1) | 0x20) === 0x78;
  const digits = body.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[0-9a-f]+$/i : /^[0-9]+$/).test(digits)) return null;
  return character(Number.parseInt(digits, isHex ? 16 : 10), at + end + 1);
}

function backslashAt(text: string, at: number): Escape | null {
  const letter = text.charCodeAt(at + 1);
  if (letter === 0x75) return hexAt(text, at + 2, 4);
  if (letter === 0x78) return hexAt(text, at + 2, 2);
  const isBreak = letter === 0x6e && text.charCodeAt(at + 3) === 0x6e;
  // `\i\g\n\o\r\e`
  if (!isBreak && (text.charCodeAt(at + 2) === 0x5c || text.charCodeAt(at - 2) === 0x5c)) {
    return { text: "", end: at + 1 };
  }
  // An escaped line break in text that was serialized twice.
  if (letter === 0x6e && !isLetter(text.charCodeAt(at + 2) | 0x20)) {
    return { text: "\n", end: at + 2 };
  }
  return null;
}

/** Decodes a run of `%XX` as UTF-8. */
function percentAt(text: string, at: number): Escape | null {
  const bytes: number[] = [];
  let end = at;
  while (bytes.length < percentBytesMax && text.charCodeAt(end) === 0x25) {
    const byte = hexValue(text.charCodeAt(end + 1)) * 16 + hexValue(text.charCodeAt(end + 2));
    if (!(byte >= 0x09)) break;
    bytes.push(byte);
    end += 3;
  }
  return bytes.length === 0 ? null : { text: Buffer.from(bytes).toString("utf8"), end };
}

function hexAt(text: string, at: number, digits: number): Escape | null {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const digit = hexValue(text.charCodeAt(i));
    if (digit < 0) return null;
    value = value * 16 + digit;
  }
  return character(value, at + digits);
}

/** `ig<!-- -->nore`: a comment between two letters. */
function commentAt(text: string, at: number): Escape | null {
  if (!text.startsWith("<!--", at) || !isLetter(text.charCodeAt(at - 1) | 0x20)) return null;
  const end = text.slice(at, at + commentCharsMax).indexOf("-->");
  if (end < 0 || !isLetter(text.charCodeAt(at + end + 3) | 0x20)) return null;
  return { text: "", end: at + end + 3 };
}

function character(codePoint: number, end: number): Escape | null {
  const isReadable = codePoint >= 0x20 || codePoint === 0x0a || codePoint === 0x09;
  if (!isReadable || codePoint > 0xffff || (codePoint >= 0x7f && codePoint < 0xa0)) return null;
  return { text: String.fromCharCode(codePoint), end };
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

/** -1 if it is no hexadecimal digit. */
export function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
