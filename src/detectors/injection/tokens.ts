import {
  conceptOfStem,
  conceptOfWord,
  hashPrime,
  hashSeed,
  isRotatedWord,
  stemUnitsMax,
  stemUnitsMin,
} from "./concept-table.ts";
import { kind, space } from "./folding.ts";
import type { NormalText } from "./normal-text.ts";

/** Tokens of one block; a window is two blocks, so it slides by half its length. */
export const blockTokens = 20;

/** The tokens of one block of a text; reused from block to block. */
export class Tokens {
  count = 0;
  /** Hashes of the folded spelling. */
  readonly hashes = new Int32Array(blockTokens);
  /** 1 for the first word of a sentence, a cell, a list item or a quotation. */
  readonly starts = new Uint8Array(blockTokens);
  /** The concept of each token, from 1 on; 0 if it has none. */
  readonly concepts = new Uint8Array(blockTokens);
  /** The number of words so far that look like English in rot13. Long ones count twice. */
  rotated = 0;
  /**
   * Hashes of the last two words before the block, and of a sentence's first word if it stands
   * right before the block.
   */
  before = { last: 0, lastButOne: 0, startHash: 0 };
  #at = 0;
  #isStart = true;
  #ideograph = 0;

  /** Goes to the beginning of a text. */
  begin(from: number): void {
    this.#at = from;
    this.#isStart = true;
    this.#ideograph = 0;
    this.rotated = 0;
    this.before = { last: 0, lastButOne: 0, startHash: 0 };
  }

  /** Reads at most `blockTokens` tokens, and the units after them up to the next token. */
  read(text: NormalText, to: number): number {
    const { units, kinds } = text;
    const { hashes, starts, concepts } = this;
    let count = 0;
    let at = this.#at;
    let isStart = this.#isStart;
    let ideograph = this.#ideograph;
    while (at < to) {
      const which = kinds[at] ?? 0;
      if (which === kind.letter || which === kind.digit) {
        if (count === blockTokens) break;
        let hash = hashSeed;
        let stem = 0;
        const start = at;
        for (; at < to; at++) {
          const part = kinds[at] ?? 0;
          if (part === kind.letter) hash = Math.imul(hash ^ (units[at] ?? 0), hashPrime);
          else if (part === kind.digit) hash = Math.imul(hash ^ digitUnit, hashPrime);
          else break;
          const length = at + 1 - start;
          if (length >= stemUnitsMin && length <= stemUnitsMax && stem === 0) {
            stem = conceptOfStem(hash);
          }
        }
        const own = conceptOfWord(hash);
        if (own === 0 && isRotatedWord(hash))
          this.rotated += at - start >= rotatedSureUnits ? 2 : 1;
        hashes[count] = hash;
        starts[count] = isStart ? 1 : 0;
        concepts[count++] = own === 0 ? stem : own;
        isStart = false;
        ideograph = 0;
        continue;
      }
      if (which === kind.ideograph) {
        if (count === blockTokens) break;
        const unit = units[at] ?? 0;
        const own = Math.imul(hashSeed ^ unit, hashPrime);
        const pair = ideograph === 0 ? 0 : Math.imul(ideograph ^ unit, hashPrime);
        hashes[count] = own;
        starts[count] = isStart ? 1 : 0;
        concepts[count++] = pair === 0 ? 0 : conceptOfWord(pair);
        isStart = false;
        ideograph = own;
      } else if (units[at] !== space) {
        if (isSentenceEnd(units[at] ?? 0)) isStart = true;
        ideograph = 0;
      }
      at++;
    }
    this.count = count;
    this.#at = at;
    this.#isStart = isStart;
    this.#ideograph = ideograph;
    return at;
  }
}

/** A word of this length is seldom a word in rot13 by chance. */
const rotatedSureUnits = 6;

/** All digits are read as this one. */
const digitUnit = 0x30;

/** Characters before the first word of a sentence, a cell, a list item or a quotation. */
function isSentenceEnd(unit: number): boolean {
  switch (unit) {
    case 0x0a:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x28:
    case 0x2e:
    case 0x3a:
    case 0x3e:
    case 0x3f:
    case 0x5d:
    case 0x7c:
    case 0x3002:
      return true;
    default:
      return false;
  }
}
