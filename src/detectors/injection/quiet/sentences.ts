import { deedCount } from "./lexicon.ts";
import { Targets } from "./targets.ts";
import { hashByte, hashPair, hashSeed, ideographsMax, Words } from "./words.ts";

/** The most sentences of a text that are read. Later ones are not read. */
export const sentencesMax = 2_048;
/** The most words of a text whose hashes are kept. Only the concepts of later words are kept. */
export const wordsMax = 16_384;

/** Signs of a sentence, in addition to its concepts. */
export const sign = {
  /** Begins with a deed, as an order does. */
  order: 1,
  /** Stands in a comment, or in an element that is not shown. */
  hidden: 2,
  /** Has text between backticks, or a command. */
  command: 4,
} as const;

const kindOf = tableOfBytes();
const Byte = { letter: 1, end: 2, wide: 3 } as const;

const deedBits = deedCount >= 32 ? -1 : (1 << deedCount) - 1;

/**
 * The sentences of a text, with the concepts that their words stand for and the targets that they name.
 * One object reads one text after the other.
 */
export class Sentences {
  count = 0;
  readonly low = new Int32Array(sentencesMax);
  readonly high = new Int32Array(sentencesMax);
  readonly signs = new Uint8Array(sentencesMax);
  readonly words = new Uint16Array(sentencesMax);
  /**
   * Hashes of the words, one sentence after the other; and the index where each sentence's hashes begin, and
   * where the last ones end.
   */
  readonly hashes = new Int32Array(wordsMax);
  readonly starts = new Int32Array(sentencesMax + 1);
  /** Where each sentence ends in the text, bytes. */
  readonly ends = new Int32Array(sentencesMax);
  readonly targets = new Targets();
  readonly #lexicon = new Words();
  #low = 0;
  #high = 0;
  #signs = 0;
  #words = 0;
  #length = 0;
  #last = 0;
  #isHidden = false;

  /** Reads UTF-8 text. Returns whether any sentence has a deed. */
  read(utf8: Buffer): boolean {
    this.count = 0;
    this.#length = 0;
    this.starts[0] = 0;
    this.targets.clear();
    this.#isHidden = false;
    this.#begin();
    let hasDeed = false;
    const end = utf8.length;
    for (let at = 0; at < end;) {
      const byte = utf8[at] ?? 0;
      const kind = kindOf[byte];
      if (kind === Byte.letter) {
        at = this.#word(utf8, at, end);
        continue;
      }
      if (kind === Byte.wide) {
        at = this.#wide(utf8, at, end);
        continue;
      }
      if (kind === Byte.end && this.#ends(utf8, at, byte)) {
        if ((this.#low & deedBits) !== 0) hasDeed = true;
        this.#close(at);
        if (byte === 0x3c || byte === 0x2d) this.#markup(utf8, at);
      } else if (byte === 0x60 || byte === 0x24) this.#signs |= sign.command;
      // A mark such as a dash or a quote.
      at += byte === 0xe2 ? 3 : 1;
    }
    if ((this.#low & deedBits) !== 0) hasDeed = true;
    this.#close(end);
    return hasDeed;
  }

  #begin(): void {
    this.#low = 0;
    this.#high = 0;
    this.#signs = this.#isHidden ? sign.hidden : 0;
    this.#words = 0;
    this.#last = 0;
  }

  #close(at: number): void {
    if (this.#words > 0 && this.count < sentencesMax) {
      const index = this.count++;
      this.low[index] = this.#low;
      this.high[index] = this.#high;
      this.signs[index] = this.#signs;
      this.words[index] = this.#words;
      this.starts[index + 1] = this.#length;
      this.ends[index] = at;
    }
    this.#begin();
  }

  /** Whether a sentence ends here: a stop only before a space. */
  #ends(utf8: Buffer, at: number, byte: number): boolean {
    switch (byte) {
      case 0x0a: // Lines are wrapped; a line that goes on in lower case goes on.
        return !isLower(utf8[at + 1] ?? 0) || this.#words > 60;
      case 0x2e:
      case 0x21:
      case 0x3f:
      case 0x3b: {
        const next = utf8[at + 1] ?? 0x20;
        return next === 0x20 || next === 0x0a || next === 0x22 || next === 0x3c || next === 0x29;
      }
      case 0x2d: // The end of a comment.
        return this.#isHidden && utf8[at + 1] === 0x2d && utf8[at + 2] === 0x3e;
      default:
        return true;
    }
  }

  /** Comments, and elements that are not shown. */
  #markup(utf8: Buffer, at: number): void {
    if (utf8[at] === 0x2d) this.#isHidden = false;
    else if (utf8[at + 1] === 0x21 && utf8[at + 2] === 0x2d) this.#isHidden = true;
    else {
      const tag = utf8.toString("latin1", at, Math.min(utf8.length, at + 160));
      const end = tag.indexOf(">");
      const own = end < 0 ? tag : tag.slice(0, end);
      this.#isHidden = hiddenElement.test(own);
    }
    if (this.#isHidden) this.#signs |= sign.hidden;
    else this.#signs &= ~sign.hidden;
  }

  #word(utf8: Buffer, start: number, end: number): number {
    let hash = hashSeed;
    let at = start;
    let low = 0;
    let high = 0;
    const words = this.#lexicon;
    for (; at < end; at++) {
      let byte = utf8[at] ?? 0;
      if (kindOf[byte] !== Byte.letter) {
        // What stands between letters: `e-mail`, `d'abord`.
        if ((byte !== 0x2d && byte !== 0x27) || kindOf[utf8[at + 1] ?? 0] !== Byte.letter) break;
      }
      if (byte >= 0x41 && byte <= 0x5a) byte |= 0x20;
      else if (byte >= 0x80 && byte <= 0x9e && utf8[at - 1] === 0xc3) byte |= 0x20;
      hash = hashByte(hash, byte);
      if (at - start >= 2 && words.findPrefix(hash)) {
        low |= words.low;
        high |= words.high;
      }
    }
    const next = utf8[at] ?? 0;
    const target = this.targets.read(utf8, start, at, next, this.count);
    if (target > at) {
      this.#words++;
      this.#last = 0;
      return target;
    }
    if (words.find(hash)) {
      low |= words.low;
      high |= words.high;
    }
    if (this.#last !== 0 && words.find(hashPair(this.#last, hash))) {
      low |= words.low;
      high |= words.high;
    }
    if (this.#words === 0 && (low & deedBits) !== 0) this.#signs |= sign.order;
    this.#low |= low;
    this.#high |= high;
    this.#last = hash;
    this.#words++;
    this.#keep(hash);
    return at;
  }

  #keep(hash: number): void {
    if (this.#length < wordsMax && this.count < sentencesMax) this.hashes[this.#length++] = hash;
  }

  /** Reads a character of a script without spaces: finds the longest entry that begins here. */
  #wide(utf8: Buffer, start: number, end: number): number {
    const words = this.#lexicon;
    let hash = hashSeed;
    for (let at = start, count = 0; at < end && count < ideographsMax; count++) {
      const stop = at + 3;
      if (kindOf[utf8[at] ?? 0] !== Byte.wide) break;
      for (; at < stop; at++) hash = hashByte(hash, utf8[at] ?? 0);
      if (count === 1) this.#keep(hash);
      if (words.find(hash)) {
        this.#low |= words.low;
        this.#high |= words.high;
      }
    }
    // 。！？ end a sentence.
    const [second, third] = [utf8[start + 1] ?? 0, utf8[start + 2] ?? 0];
    const first = utf8[start] ?? 0;
    const isStop =
      (first === 0xe3 && second === 0x80 && third === 0x82) ||
      (first === 0xef && second === 0xbc && (third === 0x81 || third === 0x9f || third === 0x9b));
    if (isStop) this.#close(start + 3);
    else this.#words++;
    return start + 3;
  }
}

const hiddenElement =
  /display:\s*none|visibility:\s*hidden|\bhidden\b|opacity:\s*0\b|font-size:\s*0|left:-\d{3,}|aria-hidden="true"|sr-only|color:\s*#?(?:fff|white)|<(?:template|noscript|meta)\b|\balt="/i;

function isLower(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

function tableOfBytes(): Uint8Array {
  const table = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const isAscii = /[A-Za-z0-9_]/.test(String.fromCharCode(byte)) && byte < 0x80;
    if (isAscii || (byte >= 0x80 && byte < 0xe1) || byte >= 0xf0) table[byte] = 1;
    else if (byte >= 0xe1 && byte < 0xf0) table[byte] = 3;
  }
  // Latin and Vietnamese letters of three bytes begin with 0xe1, marks such as dashes and quotes with 0xe2.
  table[0xe1] = 1;
  table[0xe2] = 0;
  for (const mark of '.!?;\n<>|{}"-') table[mark.charCodeAt(0)] = 2;
  return table;
}
