import { injectionTextBytesMax } from "../../contract/limits.ts";
import {
  conceptOfStem,
  conceptOfWord,
  hashPrime,
  hashSeed,
  stemUnitsMax,
  stemUnitsMin,
} from "./concept-table.ts";
import { kind } from "./folding.ts";
import { space, type NormalText } from "./normal-text.ts";

/** Features are hashed into so many buckets. */
export const bucketsLog2 = 20;
/** Tokens of one block; a window is two blocks, so it slides by half its length. */
export const blockTokens = 20;

/** What each of `count` features of a window counts: a short text says little, but all of it counts. */
export function featureShare(count: number): number {
  return 16 / Math.sqrt(count + 32);
}

const blocksMax = Math.ceil((injectionTextBytesMax * 3) / blockTokens) + 8;
/** Features of a text: word 1–3-grams, character 4-grams, concepts. */
const featuresMax = injectionTextBytesMax * 3 * 8;

/** Concepts that are remembered, and how far they reach, in tokens. */
const conceptsKept = 4;
const conceptReach = 12;

/** A run of letters longer than this is a key, a hash or encoded: it has no character 4-grams. */
const wordUnitsMax = 28;

// The table of features seen of late has one entry a slot: the bucket, and the block it was in.
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
 * The features of a text, block by block, as sets: within a window of two blocks each counts once.
 * Training and runtime both read them from here. One object serves one text after the other.
 */
export class Features {
  /** Buckets, the blocks one after the other, none twice in a block. */
  readonly buckets = new Int32Array(featuresMax);
  /** 1 where the block before has the same bucket. */
  readonly repeats = new Uint8Array(featuresMax);
  /** Index of each block's first feature; that of the block behind the last one too. */
  readonly starts = new Int32Array(blocksMax + 1);
  /** Offset of each block in the text, and of the end. */
  readonly origins = new Int32Array(blocksMax + 1);
  blocks = 0;
  readonly #seen = new Int32Array(seenSlots).fill(-1);
  /** Number of the current block among all texts, so that `#seen` is seldom cleared. */
  #stamp = 0;
  #length = 0;
  readonly #recent = new Uint8Array(conceptsKept);
  readonly #recentAt = new Int32Array(conceptsKept);

  /** Forgets the text before. */
  begin(): void {
    this.#length = 0;
    this.blocks = 0;
  }

  /** Adds what stands in units `from` to `to`, beginning with a new block that has `marks`. */
  add(text: NormalText, from: number, to: number, marks: readonly number[]): void {
    const { units, kinds } = text;
    this.#nextBlock(text.origins[from] ?? 0);
    // No window reaches over the border of two texts.
    this.#skipStamp();
    for (const found of marks) this.#put(Math.imul(found + 1, salt.mark));
    let tokens = 0;
    let token = 0;
    let hash = hashSeed;
    let length = 0;
    let stem = 0;
    let last = 0;
    let lastButOne = 0;
    let isStart = true;
    let startHash = 0;
    let ideograph = 0;
    let g1 = 0;
    let g2 = 0;
    let g3 = 0;
    this.#recentAt.fill(-1000);
    for (let at = from; at <= to; at++) {
      const found = at < to ? (kinds[at] ?? 0) : kind.space;
      const unit = at < to ? (units[at] ?? 0) : space;
      const isWord = found === kind.letter || found === kind.digit;
      if (length > 0 && !isWord) {
        // A word has ended.
        this.#word(hash, last, lastButOne, isStart, startHash, stem, token);
        startHash = isStart ? hash : 0;
        isStart = false;
        lastButOne = last;
        last = hash;
        hash = hashSeed;
        length = 0;
        stem = 0;
        tokens++;
        token++;
      }
      if (isWord) {
        hash = Math.imul(hash ^ (found === kind.digit ? 48 : unit), hashPrime);
        length++;
        if (length >= stemUnitsMin && length <= stemUnitsMax && stem === 0) {
          stem = conceptOfStem(hash);
        }
        ideograph = 0;
      } else if (found === kind.ideograph) {
        const own = Math.imul(hashSeed ^ unit, hashPrime);
        const concept = ideograph === 0 ? 0 : conceptOfWord(Math.imul(ideograph ^ unit, hashPrime));
        this.#word(own, last, lastButOne, isStart, startHash, concept, token);
        startHash = isStart ? own : 0;
        isStart = false;
        lastButOne = last;
        last = own;
        ideograph = own;
        tokens++;
        token++;
      } else if (unit !== space) {
        isStart ||= isSentenceEnd(unit);
        ideograph = 0;
      }
      if (length <= wordUnitsMax) {
        const gram = found === kind.digit ? 48 : found === kind.space ? space : unit;
        let mixed = Math.imul(
          gram ^
            Math.imul(
              g1 ^ Math.imul(g2 ^ Math.imul(g3 ^ salt.gram, 0x85ebca6b), 0xc2b2ae35),
              0x27d4eb2f,
            ),
          0x165667b1,
        );
        mixed ^= mixed >>> 15;
        this.#put(Math.imul(mixed, 0x9e3779b1));
        g3 = g2;
        g2 = g1;
        g1 = gram;
      }
      if (tokens >= blockTokens && length === 0 && at < to) {
        tokens = 0;
        this.#nextBlock(text.origins[at] ?? 0);
      }
    }
    this.starts[this.blocks] = this.#length;
    this.origins[this.blocks] = to > 0 ? (text.origins[to - 1] ?? 0) + 1 : 0;
  }

  #word(
    hash: number,
    last: number,
    lastButOne: number,
    isStart: boolean,
    startHash: number,
    stem: number,
    token: number,
  ): void {
    this.#put(mix(hash, salt.word));
    const pair = Math.imul(last, 0x9e3779b1) + hash;
    this.#put(mix(pair, salt.pair));
    this.#put(mix(Math.imul(lastButOne, 0x85ebca6b) ^ Math.imul(pair, 0xc2b2ae35), salt.triple));
    if (isStart) this.#put(mix(hash, salt.start));
    else if (startHash !== 0)
      this.#put(mix(Math.imul(startHash, 0x9e3779b1) + hash, salt.startPair));
    const concept = conceptOfWord(hash) || stem;
    if (concept !== 0) this.#concept(concept, isStart, token);
  }

  /** A concept alone, and with those shortly before it, in their order. */
  #concept(concept: number, isStart: boolean, token: number): void {
    const recent = this.#recent;
    const recentAt = this.#recentAt;
    this.#put(mix(concept, salt.concept));
    if (isStart) this.#put(mix(concept, salt.conceptStart));
    for (let n = 0; n < conceptsKept; n++) {
      const distance = token - (recentAt[n] ?? 0);
      if (distance > conceptReach) break;
      const before = recent[n] ?? 0;
      const near = distance <= 4 ? 64 : 0;
      this.#put(mix((before << 8) | concept | (near << 16), salt.conceptPair));
      if (n > 0) {
        const between = recent[n - 1] ?? 0;
        this.#put(mix((before << 16) | (between << 8) | concept, salt.conceptTriple));
      }
    }
    for (let n = conceptsKept - 1; n > 0; n--) {
      recent[n] = recent[n - 1] ?? 0;
      recentAt[n] = recentAt[n - 1] ?? 0;
    }
    recent[0] = concept;
    recentAt[0] = token;
  }

  #put(hash: number): void {
    const bucket = hash >>> (32 - bucketsLog2);
    const slot = bucket & (seenSlots - 1);
    const stamp = this.#stamp;
    const entry = this.#seen[slot] ?? -1;
    let repeat = 0;
    if (entry >>> blockBits === bucket) {
      const block = entry & blockMask;
      if (block === stamp) return;
      if (block === stamp - 1) repeat = 1;
    }
    this.#seen[slot] = (bucket << blockBits) | stamp;
    this.buckets[this.#length] = bucket;
    this.repeats[this.#length++] = repeat;
  }

  #nextBlock(origin: number): void {
    this.starts[this.blocks] = this.#length;
    this.origins[this.blocks++] = origin;
    this.starts[this.blocks] = this.#length;
    if (this.#stamp + 1 > blockMask - 1) {
      this.#seen.fill(-1);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  #skipStamp(): void {
    this.#stamp++;
  }
}

function mix(hash: number, salted: number): number {
  let mixed = Math.imul(hash ^ salted, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** What stands before the first word of a sentence, a cell, a list item or a quotation. */
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
