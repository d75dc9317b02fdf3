import { nameWindowUnits } from "../../contract/limits.ts";
import { characterKind, foldedCharacter, kindOfCharacter } from "./characters.ts";

/** The outward form of a token. */
export const shape = {
  lower: 0,
  capitalized: 1,
  allCapitals: 2,
  /** One capital letter: an initial, or the word "I". */
  initial: 3,
  /** Capitals inside: camelCase, but not McDonald, which is `capitalized`. */
  mixed: 4,
  number: 5,
  /** Letters with digits or underscores: an identifier. */
  identifier: 6,
  punctuation: 7,
  /** A script without case. */
  uncased: 8,
} as const;

/** The text between a token and the one before it. */
export const gap = { none: 0, space: 1, wide: 2, line: 3, paragraph: 4 } as const;

/** The tokens of one window of text, reused from window to window. */
export class NameTokens {
  count = 0;
  readonly start = new Int32Array(nameWindowUnits);
  readonly end = new Int32Array(nameWindowUnits);
  /** Hashes of the folded spelling. The hash of a punctuation token is its code unit. */
  readonly hash = new Int32Array(nameWindowUnits);
  readonly shape = new Uint8Array(nameWindowUnits);
  readonly gap = new Uint8Array(nameWindowUnits);

  /** Splits text[from, to) into tokens; offsets stay those of `text`. */
  read(text: string, from: number, to: number): void {
    this.count = 0;
    let at = from;
    while (at < to) {
      const wordStart = this.#skipGap(text, at, to);
      if (wordStart === to) return;
      const first = kindOfCharacter[text.charCodeAt(wordStart)];
      at =
        first === characterKind.punctuation && text.charCodeAt(wordStart) !== underscore
          ? this.#punctuation(text, wordStart)
          : this.#word(text, wordStart, to);
    }
  }

  /**
   * Where the next token begins. A mark without a word before it is skipped: a byte order mark at the
   * beginning of a file, a direction mark, an emoji's variation selector.
   */
  #skipGap(text: string, from: number, to: number): number {
    let at = from;
    let breaks = 0;
    let width = 0;
    for (; at < to; at++) {
      const kind = kindOfCharacter[text.charCodeAt(at)];
      if (kind === characterKind.mark) continue;
      if (kind === characterKind.lineBreak) breaks += text.charCodeAt(at) === 13 ? 0 : 1;
      else if (kind !== characterKind.space) break;
      width++;
    }
    let found: number = gap.none;
    if (breaks > 1) found = gap.paragraph;
    else if (breaks === 1) found = gap.line;
    else if (width > 2 || (width > 0 && text.charCodeAt(from) === tab)) found = gap.wide;
    else if (width > 0) found = gap.space;
    this.gap[this.count] = found;
    return at;
  }

  #punctuation(text: string, at: number): number {
    const index = this.count++;
    this.start[index] = at;
    this.end[index] = at + 1;
    this.hash[index] = text.charCodeAt(at);
    this.shape[index] = shape.punctuation;
    return at + 1;
  }

  #word(text: string, from: number, to: number): number {
    let hash = hashSeed;
    let uppers = 0;
    let lowers = 0;
    let digits = 0;
    let others = 0;
    let lastUpper = from;
    let at = from;
    for (; at < to; at++) {
      const unit = text.charCodeAt(at);
      const kind = kindOfCharacter[unit];
      if (kind === characterKind.lower) lowers++;
      else if (kind === characterKind.upper) {
        uppers++;
        lastUpper = at;
      } else if (kind === characterKind.digit) digits++;
      else if (kind === characterKind.mark) continue;
      else if (kind === characterKind.uncased || unit === underscore) others++;
      else break;
      hash = Math.imul(hash ^ (foldedCharacter[unit] ?? 0), hashPrime);
    }
    const index = this.count++;
    this.start[index] = from;
    this.end[index] = at;
    this.hash[index] = hash;
    this.shape[index] = wordShape(text, from, { uppers, lowers, digits, others, lastUpper });
    return at;
  }
}

interface Letters {
  readonly uppers: number;
  readonly lowers: number;
  readonly digits: number;
  readonly others: number;
  readonly lastUpper: number;
}

function wordShape(text: string, start: number, letters: Letters): number {
  const { uppers, lowers, digits, others, lastUpper } = letters;
  if (digits > 0) return uppers + lowers + others === 0 ? shape.number : shape.identifier;
  if (others > 0) return uppers + lowers === 0 ? shape.uncased : shape.identifier;
  if (uppers === 0) return shape.lower;
  if (lowers === 0) return uppers === 1 ? shape.initial : shape.allCapitals;
  if (uppers === 1 && lastUpper === start) return shape.capitalized;
  if (uppers === 2 && namePrefix(text, start, lastUpper)) return shape.capitalized;
  return shape.mixed;
}

/** McDonald, MacLeod, DeVito, LaRue, FitzPatrick: one name, not camel case. */
function namePrefix(text: string, start: number, secondUpper: number): boolean {
  if (kindOfCharacter[text.charCodeAt(start)] !== characterKind.upper) return false;
  const length = secondUpper - start;
  if (length < 2 || length > 4) return false;
  return namePrefixes.has(text.slice(start, secondUpper));
}

const namePrefixes: ReadonlySet<string> = new Set([
  "Mc",
  "Mac",
  "De",
  "Di",
  "Du",
  "La",
  "Le",
  "Lo",
  "Van",
  "Von",
  "Fitz",
  "Del",
  "Des",
  "San",
]);
const underscore = 0x5f;
const tab = 0x09;
const hashSeed = 0x811c9dc5 | 0;
const hashPrime = 0x01000193;

/** The hash that `Tokens` gives a word of this spelling. */
export function hashOfWord(word: string): number {
  let hash = hashSeed;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (kindOfCharacter[unit] === characterKind.mark) continue;
    hash = Math.imul(hash ^ (foldedCharacter[unit] ?? 0), hashPrime);
  }
  return hash;
}
