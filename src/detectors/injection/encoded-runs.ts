import { hexValue } from "./escapes.ts";

/** Shorter runs are words, names and numbers. */
const runCharsMin = 16;
/** A line of encoded text. A run continues after the line break. */
const lineCharsMin = 60;
/** The least share of letters and spaces in a decoded run. Code has fewer of them than prose. */
const readableShareMin = 0.4;

/** Text that is written in base64 or hexadecimal inside another text. */
export interface EncodedRun {
  readonly text: string;
  /** Where the run begins. */
  readonly at: number;
}

/**
 * Finds runs that decode to text. Together they have at most `charsMax` characters. Linear in the
 * text.
 */
export function encodedRuns(text: string, charsMax: number): EncodedRun[] {
  const found: EncodedRun[] = [];
  let left = charsMax;
  for (let at = 0; at < text.length && left > 0; at++) {
    if (!isEncoding(text.charCodeAt(at))) continue;
    const end = runEnd(text, at);
    if (end - at >= runCharsMin) {
      const decoded = decode(text.slice(at, end)).slice(0, left);
      if (decoded !== "") found.push({ text: decoded, at });
      left -= decoded.length;
    }
    at = end;
  }
  return found;
}

function runEnd(text: string, start: number): number {
  let lineStart = start;
  let at = start;
  for (;;) {
    while (at < text.length && isEncoding(text.charCodeAt(at))) at++;
    if (at - lineStart < lineCharsMin) return at;
    let next = at;
    if (text.charCodeAt(next) === 0x0d) next++;
    if (text.charCodeAt(next) !== 0x0a || !isEncoding(text.charCodeAt(next + 1))) return at;
    at = next + 1;
    lineStart = at;
  }
}

/** Empty if the run is not encoded text. */
function decode(run: string): string {
  const isHex = run.length % 2 === 0 && everyHex(run);
  const decoded = Buffer.from(run, isHex ? "hex" : "base64").toString("utf8");
  return isReadable(decoded) ? decoded : "";
}

function everyHex(run: string): boolean {
  for (let at = 0; at < run.length; at++) if (hexValue(run.charCodeAt(at)) < 0) return false;
  return true;
}

/** Random bytes are hardly ever well-formed UTF-8 without control characters. */
function isReadable(text: string): boolean {
  let readable = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) return false;
    if (unit < 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return false;
    const lower = unit | 0x20;
    if ((lower >= 0x61 && lower <= 0x7a) || unit === 0x20 || unit > 0xbf) readable++;
  }
  return text.length >= 8 && readable >= text.length * readableShareMin;
}

/**
 * Whether the unit belongs to one of base64's two alphabets. These include the hexadecimal digits.
 */
function isEncoding(unit: number): boolean {
  const lower = unit | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return true;
  if (unit >= 0x30 && unit <= 0x39) return true;
  return unit === 0x2b || unit === 0x2f || unit === 0x2d || unit === 0x5f;
}
