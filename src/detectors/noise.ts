import type { EntityCategory } from "./entity.ts";

/** How much text on each side of a match is examined, in UTF-16 code units. */
const runUnitsMax = 256;

const numberLike = /^(?=.*\d)[\p{L}\d .,()+/-]+$/u;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hash =
  /^(?:0x)?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

/**
 * Whether a match is only a part of other data: a UUID, a hex hash, a long run of base64 (also in a
 * data URL), an identifier, a decimal fraction. Names, addresses and the like are never noise. A
 * match that fills its whole run is not noise either. A credential is noise only in a much longer
 * run of base64, because it is often such a run itself.
 */
export function isNoise(
  category: EntityCategory,
  text: string,
  start: number,
  end: number,
): boolean {
  if (category === "credential") return isInsideBase64(text, start, end, aroundCredential);
  if (!numberLike.test(text.slice(start, end))) return false;
  return (
    isInsideIdentifier(text, start, end) ||
    isInsideFraction(text, start, end) ||
    isInsideHex(text, start, end) ||
    isInsideBase64(text, start, end, aroundNumber)
  );
}

function isInsideIdentifier(text: string, start: number, end: number): boolean {
  return (
    (isBound(text, start - 1) && isBound(text, start)) ||
    (isBound(text, end) && isBound(text, end - 1))
  );
}

const boundBeyondAscii = /[\p{Lu}\p{Ll}\p{Nd}]/u;

/** Letters with case, digits and underscores bind to each other; `\b` in RE2 knows ASCII only. */
function isBound(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit >= 0x80) return boundBeyondAscii.test(text.charAt(at));
  return kindOf(unit) !== 0 || unit === 0x5f;
}

/**
 * Whether the match has only digits, and a point with another digit stands beside them, as in
 * 3.14159265 and 1.2.3.4.
 */
function isInsideFraction(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start - 1) !== point && text.charCodeAt(end) !== point) return false;
  if (!/^\d+$/.test(text.slice(start, end))) return false;
  return (
    /^\d\.$/.test(text.slice(Math.max(0, start - 2), start)) ||
    /^\.\d/.test(text.slice(end, end + 2))
  );
}

function isInsideHex(text: string, start: number, end: number): boolean {
  if (!isHexOrHyphen(text.charCodeAt(start - 1)) && !isHexOrHyphen(text.charCodeAt(end))) {
    return false;
  }
  const run = runAround(text, start, end, isHexOrHyphen);
  return run.length > end - start && (uuid.test(run) || hash.test(run));
}

/** The shortest run in which a match is noise, and how much of it lies beyond the match. */
interface RunAround {
  readonly runUnitsMin: number;
  readonly beyondUnitsMin: number;
}

/** Words joined by slashes are seldom longer. */
const aroundNumber: RunAround = { runUnitsMin: 40, beyondUnitsMin: 1 };
/** A token of a thousand characters is no part of the name and the sign that it follows. */
const aroundCredential: RunAround = { runUnitsMin: 400, beyondUnitsMin: 256 };

/**
 * The least share of neighbours that differ in kind. In random base64 most neighbours do, in a path
 * few do.
 */
const changesMin = 0.4;

function isInsideBase64(text: string, start: number, end: number, around: RunAround): boolean {
  if (!isBase64(text.charCodeAt(start - 1)) && !isBase64(text.charCodeAt(end))) return false;
  const run = runAround(text, start, end, isBase64);
  const beyondUnits = run.length - (end - start);
  if (run.length < around.runUnitsMin || beyondUnits < around.beyondUnitsMin) return false;
  let neighbours = 0;
  let changes = 0;
  for (let at = 1; at < run.length; at += 1) {
    const kind = kindOf(run.charCodeAt(at));
    const previous = kindOf(run.charCodeAt(at - 1));
    if (kind === 0 || previous === 0) continue;
    neighbours += 1;
    if (kind !== previous) changes += 1;
  }
  return neighbours > 0 && changes >= changesMin * neighbours;
}

/** The match, extended on both sides by all such units that adjoin it. */
function runAround(
  text: string,
  start: number,
  end: number,
  belongs: (unit: number) => boolean,
): string {
  let from = start;
  while (start - from < runUnitsMax && belongs(text.charCodeAt(from - 1))) from -= 1;
  let to = end;
  while (to - end < runUnitsMax && belongs(text.charCodeAt(to))) to += 1;
  return text.slice(from, to);
}

const hyphen = 0x2d;
const point = 0x2e;

function isHexOrHyphen(unit: number): boolean {
  const letter = unit | 0x20;
  return isDigit(unit) || (letter >= 0x61 && letter <= 0x66) || unit === hyphen || letter === 0x78;
}

/** Both alphabets of RFC 4648, and the padding. NaN, which lies beyond the text, does not belong. */
function isBase64(unit: number): boolean {
  return (
    kindOf(unit) !== 0 ||
    unit === 0x2b ||
    unit === 0x2f ||
    unit === 0x3d ||
    unit === 0x5f ||
    unit === hyphen
  );
}

/** Digit, lower case, upper case, anything else. */
function kindOf(unit: number): 0 | 1 | 2 | 3 {
  if (isDigit(unit)) return 1;
  if (unit >= 0x61 && unit <= 0x7a) return 2;
  return unit >= 0x41 && unit <= 0x5a ? 3 : 0;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
