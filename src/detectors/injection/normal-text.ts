import { injectionTextBytesMax } from "../../contract/limits.ts";
import { disguise } from "./disguise.ts";
import {
  foldAstral,
  foldOf,
  folds,
  foldsOf,
  kind,
  kindOf,
  kinds as knownKinds,
  lineGap,
  space,
  wideGap,
} from "./folding.ts";
import { escapeAt } from "./escapes.ts";
import { joinSpacedLetters } from "./spaced-letters.ts";

/** A character of three bytes folds into at most four units. Decoded text is no longer than that. */
const unitsMax = injectionTextBytesMax * 3;

const lessThan = 0x3c;
const ampersand = 0x26;
const percent = 0x25;
const backslash = 0x5c;

/** Letters below this code unit are Latin, with or without accents. */
const firstOtherScript = 0x370;

/**
 * Text as the detector reads it, without its disguises. It is in NFKC and lower case, without
 * accents and invisible characters. Lookalikes become the letters that they look like. Escapes and
 * entities are decoded, spaced letters are joined, and every gap is one unit. Each unit knows where
 * it came from. One object reads one text after the other.
 */
export class NormalText {
  /** Folded UTF-16 code units. */
  readonly units = new Uint16Array(unitsMax);
  /** Kind of each unit, see folding.ts; of a gap `space`. */
  readonly kinds = new Uint8Array(unitsMax);
  /** Where each unit came from: an offset in the text that was read, in UTF-16 code units. */
  readonly origins = new Int32Array(unitsMax);
  /** How each unit was disguised: one of `disguise`; 0 if it was not. */
  readonly disguises = new Uint8Array(unitsMax);
  /** Whether any unit was disguised. */
  isDisguised = false;
  length = 0;
  /** The number of invisible characters in the text, tag characters included. */
  hidden = 0;
  /** The number of decoded escapes. */
  escapes = 0;
  /** Letters and digits in the longest run of the text that was added last. */
  longestRun = 0;
  /** True if the text that was added last may have digits beside letters, or signs in place of letters. */
  isMixed = false;
  /** The longest sequence of single letters that stand apart. */
  #singles = 0;

  /** Reads a text of at most `injectionTextBytesMax` UTF-8 bytes. */
  read(text: string): void {
    if (this.isDisguised) this.disguises.fill(0);
    this.isDisguised = false;
    this.length = 0;
    this.hidden = 0;
    this.escapes = 0;
    this.append(text, -1);
  }

  /**
   * Appends a text to the units read so far, from unit `length` on. `origin` is the place that all of
   * it comes from; -1 if this is the text itself.
   */
  append(text: string, origin: number): void {
    const from = this.length;
    const { hidden, escapes } = this;
    this.#fold(text, origin);
    const isUncovered = this.hidden > hidden || this.escapes > escapes || this.#singles >= 4;
    if (this.#singles >= 4) this.length = joinSpacedLetters(this, from);
    // `#fold` does not look for such words in hidden text, escapes and spaced letters.
    if (isUncovered) this.isMixed = true;
  }

  /** Notes that a unit was written as something else. */
  disguised(at: number, how: number): void {
    this.disguises[at] = how;
    this.isDisguised = true;
  }

  #fold(text: string, origin: number): void {
    const { units, kinds, origins } = this;
    const end = text.length;
    // Each character of a text becomes at most four units, so only decoded runs can get this far.
    const lengthMax = unitsMax - 8;
    let length = this.length;
    let singles = 0;
    let singlesMost = 0;
    let longest = 0;
    let letters = 0;
    let isMixed = false;
    for (let at = 0; at < end && length < lengthMax; at++) {
      const unit = text.charCodeAt(at);
      let found = knownKinds[unit] ?? kind.unknown;
      if (found === kind.unknown) found = kindOf(unit);
      if (found === kind.letter || found === kind.digit) {
        if (found === kind.digit && !isMixed) isMixed = isBesideLetter(text, at);
        const folded = folds[unit] ?? 0;
        if (unit >= firstOtherScript && folded < firstOtherScript && isBesideLatin(text, at)) {
          this.disguised(length, disguise.lookalike);
        }
        units[length] = folded;
        kinds[length] = found;
        origins[length++] = origin < 0 ? at : origin;
        letters++;
        continue;
      }
      if (found === kind.dropped) {
        this.hidden++;
        continue;
      }
      if (letters === 1) {
        if (++singles > singlesMost) singlesMost = singles;
      } else if (letters > 1) {
        singles = 0;
        if (letters > longest) longest = letters;
      }
      letters = 0;
      if (found === kind.space) {
        if (length > 0 && kinds[length - 1] === kind.space) {
          if (units[length - 1] !== lineGap)
            units[length - 1] = isLineBreak(unit) ? lineGap : wideGap;
          continue;
        }
        units[length] = isLineBreak(unit) ? lineGap : space;
        kinds[length] = kind.space;
        origins[length++] = origin < 0 ? at : origin;
        continue;
      }
      if (found > kind.ideograph) {
        length = this.#rare(text, at, found, length, origin);
        if (isAstral(text, at)) at++;
        continue;
      }
      if (isEscapeStart(unit)) {
        const escape = escapeAt(text, at);
        if (escape !== null) {
          this.escapes++;
          // The escape stands for a letter that needs no escape, or it splits a word.
          if (escape.text === "" || isLatin(escape.text.charCodeAt(0))) {
            this.disguised(length, disguise.escaped);
          }
          // A letter that is written as an escape continues the word before it.
          letters = length > 0 && kinds[length - 1] === kind.letter ? 2 : 0;
          length = this.#several(length, escape.text, origin < 0 ? at : origin);
          at = escape.end - 1;
          continue;
        }
      }
      if (isLeetSign(unit)) isMixed = true;
      units[length] = folds[unit] ?? 0;
      kinds[length] = found;
      origins[length++] = origin < 0 ? at : origin;
    }
    this.#singles = Math.max(singlesMost, letters === 1 ? singles + 1 : 0);
    this.longestRun = Math.max(longest, letters);
    this.isMixed = isMixed;
    this.length = length;
  }

  /** Handles characters that fold into several units, and characters beyond the basic plane. */
  #rare(text: string, at: number, found: number, length: number, origin: number): number {
    const unit = text.charCodeAt(at);
    const from = origin < 0 ? at : origin;
    if (found === kind.several) return this.#several(length, foldsOf(unit), from);
    const codePoint = text.codePointAt(at) ?? 0;
    if (codePoint >= 0xe0000) this.hidden++;
    return codePoint > 0xffff ? this.#several(length, foldAstral(codePoint), from) : length;
  }

  /** Writes one unit for any gap. */
  #gap(length: number, unit: number, origin: number): number {
    if (length > 0 && this.kinds[length - 1] === kind.space) {
      if (this.units[length - 1] !== lineGap) {
        this.units[length - 1] = isLineBreak(unit) ? lineGap : wideGap;
      }
      return length;
    }
    if (length >= unitsMax) return length;
    this.units[length] = isLineBreak(unit) ? lineGap : space;
    this.kinds[length] = kind.space;
    this.origins[length] = origin;
    return length + 1;
  }

  #several(start: number, folded: string, origin: number): number {
    let length = start;
    for (let at = 0; at < folded.length && length < unitsMax; at++) {
      const unit = folded.charCodeAt(at);
      const found = kindOf(unit);
      if (found === kind.space) {
        length = this.#gap(length, unit, origin);
        continue;
      }
      if (found > kind.ideograph) continue;
      this.units[length] = foldOf(unit);
      this.kinds[length] = found;
      this.origins[length++] = origin;
    }
    return length;
  }
}

function isLineBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d || unit === 0x0b || unit === 0x2028;
}

function isBesideLetter(text: string, at: number): boolean {
  return isLetter(text, at - 1) || isLetter(text, at + 1);
}

/** This also works for a letter that the table of kinds does not know yet. */
function isLetter(text: string, at: number): boolean {
  return at >= 0 && at < text.length && kindOf(text.charCodeAt(at)) === kind.letter;
}

/** Whether a Latin letter without an accent stands before or behind. */
function isBesideLatin(text: string, at: number): boolean {
  return isLatin(text.charCodeAt(at - 1)) || isLatin(text.charCodeAt(at + 1));
}

function isLatin(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isAstral(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

/** `@ $ ! | + €`, see leet.ts. */
function isLeetSign(unit: number): boolean {
  return (
    unit === 0x20ac ||
    unit === 0x40 ||
    unit === 0x24 ||
    unit === 0x21 ||
    unit === 0x7c ||
    unit === 0x2b
  );
}

function isEscapeStart(unit: number): boolean {
  return unit === ampersand || unit === backslash || unit === percent || unit === lessThan;
}
