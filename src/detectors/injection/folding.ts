import { confusables } from "./confusables.ts";

/** What a UTF-16 code unit is to the detector. */
export const kind = {
  /** Not determined yet. A kind is determined at its first use, because all of them take 40 ms. */
  unknown: 0,
  space: 1,
  letter: 2,
  digit: 3,
  punctuation: 4,
  /** A letter that is a word of its own: Han and kana. */
  ideograph: 5,
  /** Invisible, or a mark on another character: joiners, fillers, accents. */
  dropped: 6,
  /** Folds into several units. */
  several: 7,
  /** One half of a character beyond the basic plane. */
  surrogate: 8,
} as const;

export const space = 0x20;
/** Stands for a gap with a line break. */
export const lineGap = 0x0a;
/** Stands for two or more spaces. It ends a word whose letters are spaced apart. */
export const wideGap = 0x0b;

/**
 * The most units that one character may fold into. More would make some texts slower than others.
 */
const foldedUnitsMax = 4;

/** Kinds and folds by code unit, those that are known so far. `kindOf` determines the others. */
export const kinds = new Uint8Array(65_536);
export const folds = new Uint16Array(65_536);
const severals = new Map<number, string>();

const joiner = /^\p{Default_Ignorable_Code_Point}$/u;
const latinAccent = /[\u0300-\u036f]/g;
const letter = /^[\p{L}\p{M}]$/u;
const digit = /^\p{Nd}$/u;
const separator = /^[\p{Z}\s\p{Cc}]$/u;
const ideograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
const wholeMarks = /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The kind of a code unit. */
export function kindOf(unit: number): number {
  const found = kinds[unit] ?? kind.unknown;
  return found === kind.unknown ? classify(unit) : found;
}

/** The one unit that a unit of kind letter, digit, punctuation or ideograph is read as. */
export function foldOf(unit: number): number {
  return folds[unit] ?? 0;
}

/** What a unit of kind `several` is read as. */
export function foldsOf(unit: number): string {
  return severals.get(unit) ?? "";
}

/** What a character beyond the basic plane is read as; a tag character as the letter it spells. */
export function foldAstral(codePoint: number): string {
  if (codePoint >= 0xe0020 && codePoint <= 0xe007e) {
    return foldCharacter(String.fromCharCode(codePoint - 0xe0000));
  }
  const enclosed = enclosedLetter(codePoint);
  if (enclosed !== 0) return String.fromCharCode(enclosed);
  return foldCharacter(String.fromCodePoint(codePoint));
}

/** Squared and circled white-on-black letters and flags, which NFKC does not change. */
function enclosedLetter(codePoint: number): number {
  for (const first of [0x1f150, 0x1f170, 0x1f1e6]) {
    if (codePoint >= first && codePoint < first + 26) return 97 + codePoint - first;
  }
  return 0;
}

/**
 * The character in NFKC and lower case, without Latin accents. A lookalike from another script
 * becomes the Latin letter.
 */
function foldCharacter(character: string): string {
  if (joiner.test(character)) return "";
  const lower = character.normalize("NFKC").toLowerCase();
  const plain = wholeMarks.test(lower)
    ? lower
    : lower.normalize("NFD").replace(latinAccent, "").normalize("NFC");
  let folded = "";
  for (const part of plain) folded += confusables.get(part) ?? part;
  return folded.slice(0, foldedUnitsMax);
}

function classify(unit: number): number {
  const found = kindAndFold(unit);
  kinds[unit] = found;
  return found;
}

function kindAndFold(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return kind.surrogate;
  const character = String.fromCharCode(unit);
  const folded = foldCharacter(character);
  if (folded === "") return kind.dropped;
  if (folded.length > 1) {
    severals.set(unit, folded);
    return kind.several;
  }
  folds[unit] = folded.charCodeAt(0);
  return kindOfFolded(folded);
}

function kindOfFolded(folded: string): number {
  if (separator.test(folded)) return kind.space;
  if (digit.test(folded)) return kind.digit;
  if (ideograph.test(folded)) return kind.ideograph;
  if (letter.test(folded)) return kind.letter;
  return kind.punctuation;
}
