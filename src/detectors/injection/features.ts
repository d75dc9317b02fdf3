import { injectionTextBytesMax } from "../../contract/limits.ts";
import { Tokens, blockTokens } from "./tokens.ts";
import { kind, space } from "./folding.ts";
import { disguiseSigns, disguiseSignsMax } from "./disguise.ts";
import type { NormalText } from "./normal-text.ts";

/** The base-2 logarithm of the number of buckets into which features are hashed. */
export const bucketsLog2 = 20;

/** The weight of each feature in a window of `count` features. */
export function featureShare(count: number): number {
  return 16 / Math.sqrt(count + 32);
}

/** The most texts and decoded runs of one read. Each begins with a new block. */
const partsMax = 128;
/** The most blocks of a text, including decoded text. */
export const blocksMax = Math.ceil((injectionTextBytesMax * 3) / blockTokens) + partsMax;
const featuresMax = injectionTextBytesMax * 3 * 8;

/** A longer run of letters is a key, a hash or encoded text, and gets no character 4-grams. */
const wordUnitsMax = 28;

/** How many concepts are remembered, and for how many tokens. */
const conceptsKept = 4;
const conceptReach = 12;
/**
 * The most features of one token: five for the word, two for its concept, two for each remembered
 * concept.
 */
const tokenFeaturesMax = 7 + 2 * conceptsKept;

// Slots of the table of recently seen features. An entry is the bucket and the block that it was
// in.
const seenSlots = 8_192;
const blockBits = 12;
const blockMask = (1 << blockBits) - 1;

const salt = {
  word: 0x1b873593,
  pair: 0x2c9277b5,
  triple: 0x3f6a88d1,
  start: 0x4d2c6dfc,
  startPair: 0x517cc1b7,
  concept: 0x6c62272e,
  conceptPair: 0x7ed55d16,
  conceptTriple: 0x0ab27d4b,
  conceptStart: 0x165667b1,
  gram: 0x27d4eb2f,
  mark: 0x38495ab5,
} as const;

/** Signs of how a text was written, each one feature. */
export const mark = { hidden: 1, escapes: 2, encoded: 3, rotated: 4 } as const;

/**
 * The features of a text, block by block, as sets: within a window of two blocks each feature counts
 * once. Features are word 1–3-grams, character 4-grams, first words of sentences, and concepts
 * together with the concepts shortly before them. Training and runtime both read them from here. One
 * object reads one text after the other.
 */
export class Features {
  /**
   * Buckets, block after block. A bucket stands once in a block, unless two buckets share a slot of the table
   * of seen buckets and alternate. Training and runtime do the same then.
   */
  readonly buckets = new Int32Array(featuresMax);
  /** 1 if the previous block has the same bucket. */
  readonly repeats = new Uint8Array(featuresMax);
  /** The index of each block's first feature, and one more index for the end of the last block. */
  readonly starts = new Int32Array(blocksMax + 1);
  /** Offset of each block in the text, and of the end. */
  readonly origins = new Int32Array(blocksMax + 1);
  /**
   * 1 if a text or a decoded run begins here. Then no window contains both this block and the previous
   * one.
   */
  readonly begins = new Uint8Array(blocksMax + 1);
  blocks = 0;
  /** Hashes of the words, `blockTokens` places a block, of which `wordCounts` are used. */
  readonly words = new Int32Array(blocksMax * blockTokens);
  readonly wordCounts = new Uint8Array(blocksMax);
  /** The concept of each word, and 1 if a sentence begins. */
  readonly wordConcepts = new Uint8Array(blocksMax * blockTokens);
  readonly wordStarts = new Uint8Array(blocksMax * blockTokens);
  readonly #tokens = new Tokens();
  readonly #seen = new Int32Array(seenSlots).fill(-1);
  /** Number of the current block among all texts, so that `#seen` is not cleared before each. */
  #stamp = 0;
  #length = 0;
  /** Features of one block before they are a set. */
  #found = new Int32Array(1 << 12);
  #foundLength = 0;
  readonly #recent = new Uint8Array(conceptsKept);
  readonly #recentAt = new Int32Array(conceptsKept);

  /** Forgets the previous text. */
  begin(): void {
    this.#length = 0;
    this.blocks = 0;
    this.starts[0] = 0;
  }

  /**
   * Adds the features of units `from` to `to`. They begin with a new block that has `marks`. Returns
   * how many of the words look like English in rot13.
   */
  add(text: NormalText, from: number, to: number, marks: readonly number[]): number {
    const tokens = this.#tokens;
    this.#recentAt.fill(-1000);
    // No feature in it may count as a repeat of the previous block.
    this.#stamp++;
    tokens.begin(from);
    for (let start = from, block = 0; start < to || block === 0; block++) {
      const end = tokens.read(text, to);
      this.#foundLength = 0;
      this.#reserve(
        end - start + (tokens.count + 1) * tokenFeaturesMax + marks.length + disguiseSignsMax,
      );
      if (block === 0) this.#marks(marks);
      if (text.isDisguised) this.#marks(disguiseSigns(text.disguises, start, end));
      this.#grams(text, start, end, end === to, from);
      this.#words(block * blockTokens);
      this.begins[this.blocks] = block === 0 ? 1 : 0;
      this.#close(originOf(text, start, to));
      start = end;
    }
    this.origins[this.blocks] = originOf(text, to, to);
    return tokens.rotated;
  }

  /** Blocks without a space can be long. */
  #reserve(most: number): void {
    if (this.#found.length < most) this.#found = new Int32Array(most * 2);
  }

  #marks(marks: readonly number[]): void {
    for (const found of marks) {
      this.#found[this.#foundLength++] = Math.imul(found + 1, salt.mark);
    }
  }

  /**
   * Adds the character 4-grams that end in units `start` to `end`. Each gap is one space, and all
   * digits are the same.
   */
  #grams(text: NormalText, start: number, end: number, isLast: boolean, from: number): void {
    const { units, kinds } = text;
    const found = this.#found;
    let length = this.#foundLength;
    let g1 = gramUnit(units, kinds, start - 1, from);
    let g2 = gramUnit(units, kinds, start - 2, from);
    let g3 = gramUnit(units, kinds, start - 3, from);
    let run = 0;
    for (let at = start; at < end; at++) {
      const which = kinds[at] ?? 0;
      let gram = units[at] ?? 0;
      if (which === kind.letter) run++;
      else if (which === kind.digit) {
        run++;
        gram = digitUnit;
      } else {
        run = 0;
        if (which === kind.space) gram = space;
      }
      if (run <= wordUnitsMax) found[length++] = gramHash(gram, g1, g2, g3);
      g3 = g2;
      g2 = g1;
      g1 = gram;
    }
    if (isLast) found[length++] = gramHash(space, g1, g2, g3);
    this.#foundLength = length;
  }

  /**
   * Adds the word n-grams, first words and concepts of a block's tokens. `first` is the number of
   * its first token.
   */
  #words(first: number): void {
    const { count, hashes, starts, concepts } = this.#tokens;
    const found = this.#found;
    let length = this.#foundLength;
    let { last, lastButOne, startHash } = this.#tokens.before;
    const place = this.blocks * blockTokens;
    this.wordCounts[this.blocks] = count;
    for (let at = 0; at < count; at++) {
      const hash = hashes[at] ?? 0;
      const isStart = starts[at] === 1;
      const concept = concepts[at] ?? 0;
      this.words[place + at] = hash;
      this.wordConcepts[place + at] = concept;
      this.wordStarts[place + at] = isStart ? 1 : 0;
      const pair = Math.imul(last, 0x9e3779b1) + hash;
      found[length++] = mix(hash, salt.word);
      found[length++] = mix(pair, salt.pair);
      const triple = Math.imul(lastButOne, 0x85ebca6b) ^ Math.imul(pair, 0xc2b2ae35);
      found[length++] = mix(triple, salt.triple);
      if (isStart) found[length++] = mix(hash, salt.start);
      else if (startHash !== 0) {
        found[length++] = mix(Math.imul(startHash, 0x9e3779b1) + hash, salt.startPair);
      }
      startHash = isStart ? hash : 0;
      lastButOne = last;
      last = hash;
      if (concept !== 0) length = this.#concept(length, concept, isStart, first + at);
    }
    this.#tokens.before = { last, lastButOne, startHash };
    this.#foundLength = length;
  }

  /** Adds a concept alone, and with each of those shortly before it, in their order. */
  #concept(from: number, concept: number, isStart: boolean, token: number): number {
    const found = this.#found;
    const recent = this.#recent;
    const recentAt = this.#recentAt;
    let length = from;
    found[length++] = mix(concept, salt.concept);
    if (isStart) found[length++] = mix(concept, salt.conceptStart);
    for (let n = 0; n < conceptsKept; n++) {
      const distance = token - (recentAt[n] ?? 0);
      if (distance > conceptReach) break;
      const before = recent[n] ?? 0;
      const near = distance <= 4 ? 64 : 0;
      found[length++] = mix((before << 8) | concept | (near << 16), salt.conceptPair);
      if (n > 0) {
        const between = recent[n - 1] ?? 0;
        found[length++] = mix((before << 16) | (between << 8) | concept, salt.conceptTriple);
      }
    }
    for (let n = conceptsKept - 1; n > 0; n--) {
      recent[n] = recent[n - 1] ?? 0;
      recentAt[n] = recentAt[n - 1] ?? 0;
    }
    recent[0] = concept;
    recentAt[0] = token;
    return length;
  }

  /** Ends a block that begins at `origin`: its features become a set. */
  #close(origin: number): void {
    if (this.#stamp + 2 > blockMask) this.#renumber();
    const stamp = ++this.#stamp;
    const found = this.#found;
    const seen = this.#seen;
    const { buckets, repeats } = this;
    const end = this.#foundLength;
    let length = this.#length;
    for (let at = 0; at < end; at++) {
      const bucket = (found[at] ?? 0) >>> (32 - bucketsLog2);
      const slot = bucket & (seenSlots - 1);
      const entry = seen[slot] ?? -1;
      let repeat = 0;
      if (entry >>> blockBits === bucket) {
        const block = entry & blockMask;
        if (block === stamp) continue;
        if (block === stamp - 1) repeat = 1;
      }
      seen[slot] = (bucket << blockBits) | stamp;
      buckets[length] = bucket;
      repeats[length++] = repeat;
    }
    this.#length = Math.min(length, featuresMax);
    this.origins[this.blocks++] = origin;
    this.starts[this.blocks] = this.#length;
  }

  /**
   * Numbers blocks from 1 again. If this happens within a text, the features of the last block stay
   * known, as block 0, because the next block may repeat them.
   */
  #renumber(): void {
    const seen = this.#seen;
    for (let slot = 0; slot < seenSlots; slot++) {
      const entry = seen[slot] ?? -1;
      seen[slot] = (entry & blockMask) === this.#stamp ? entry & ~blockMask : -1;
    }
    this.#stamp = 0;
  }
}

/**
 * Where the unit at an offset came from. At the end it is the place after the last unit, because further
 * entries are old.
 */
function originOf({ origins }: NormalText, at: number, end: number): number {
  if (at < end) return origins[at] ?? 0;
  return end > 0 ? (origins[end - 1] ?? 0) + 1 : 0;
}

/** All digits are read as this one. */
const digitUnit = 0x30;

/** The unit at an offset as 4-grams see it; 0 before the beginning. */
function gramUnit(units: Uint16Array, kinds: Uint8Array, at: number, from: number): number {
  if (at < from) return 0;
  if (kinds[at] === kind.digit) return digitUnit;
  return kinds[at] === kind.space ? space : (units[at] ?? 0);
}

function gramHash(g0: number, g1: number, g2: number, g3: number): number {
  let mixed = Math.imul(((g0 << 16) | g1) ^ Math.imul((g2 << 16) | g3, 0x85ebca6b), 0xc2b2ae35);
  mixed ^= mixed >>> 15;
  return Math.imul(mixed ^ salt.gram, 0x9e3779b1);
}

function mix(hash: number, salted: number): number {
  let mixed = Math.imul(hash ^ salted, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  return Math.imul(mixed, 0xc2b2ae35);
}
