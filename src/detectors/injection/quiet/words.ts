import { concepts, lexicon } from "./lexicon.ts";

// A hash table with open addressing. An entry is the hash and the concepts as two words of bits.
const slots = 1 << 15;
const seed = 0x811c9dc5;
const prime = 0x01000193;
/** The least length, in bytes, of the prefix in an entry with a star. */
const prefixMin = 3;
/** The most characters of an entry in Chinese or Japanese. */
export const ideographsMax = 6;

/** Continues a hash with one byte. */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, prime);
}

export const hashSeed = seed;

/** The hash of two neighbouring words. */
export function hashPair(first: number, second: number): number {
  return Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ 0x2c9277b5;
}

function hashPrefix(hash: number): number {
  return Math.imul(hash, 0xc2b2ae35) ^ 0x517cc1b7;
}

/**
 * The concepts of words, by hashes of their lower-case UTF-8. Concepts are bits of two numbers, 32 in
 * the first. Two words with the same hash would share their concepts, but no two words of the lexicon
 * have the same hash.
 */
export class Words {
  readonly #hashes = new Int32Array(slots);
  readonly #low = new Int32Array(slots);
  readonly #high = new Int32Array(slots);
  /** One bit for the hash of each prefix, so that few prefixes are looked up. */
  readonly #prefixes = new Uint8Array(1 << 16);
  /** Concepts of the last word found. */
  low = 0;
  high = 0;

  constructor() {
    concepts.forEach((concept, bit) => {
      for (const entry of lexicon[concept].split(" ")) this.#add(entry, bit);
    });
  }

  /** Whether a whole word, or a pair of words, has concepts. If it does, `low` and `high` are set. */
  find(hash: number): boolean {
    let slot = (hash ^ (hash >>> 15)) & (slots - 1);
    for (;;) {
      const found = this.#hashes[slot] ?? 0;
      if (found === 0) return false;
      if (found === hash) break;
      slot = (slot + 1) & (slots - 1);
    }
    this.low = this.#low[slot] ?? 0;
    this.high = this.#high[slot] ?? 0;
    return true;
  }

  /** The same for the beginning of a word, by the hash of its first bytes. */
  findPrefix(hash: number): boolean {
    const own = hashPrefix(hash);
    return this.#prefixes[own >>> 16] === 1 && this.find(own);
  }

  #add(entry: string, bit: number): void {
    const isPrefix = entry.endsWith("*");
    const word = isPrefix ? entry.slice(0, -1) : entry;
    const [first, second] = word.split("_");
    const isPair = second !== undefined && second !== "" && /^[^.]/.test(word) && !fixed.has(word);
    const whole = isPair ? hashPair(hashOf(first ?? ""), hashOf(second)) : hashOf(word);
    if (isPrefix && Buffer.byteLength(word) < prefixMin)
      throw new RangeError(`too short: ${entry}`);
    const hash = isPrefix ? hashPrefix(whole) : whole;
    if (isPrefix) this.#prefixes[hash >>> 16] = 1;
    let slot = (hash ^ (hash >>> 15)) & (slots - 1);
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & (slots - 1);
    this.#hashes[slot] = hash;
    if (bit < 32) this.#low[slot] = (this.#low[slot] ?? 0) | (1 << bit);
    else this.#high[slot] = (this.#high[slot] ?? 0) | (1 << (bit - 32));
  }
}

/** Words in which an underscore is part of the word. */
const fixed = new Set(["id_rsa", "api_key", "authorized_keys", "session_id", "private_key"]);

/** The hash of a word, the same as the reader computes. */
export function hashOf(word: string): number {
  let hash = seed;
  for (const byte of Buffer.from(word)) hash = hashByte(hash, byte);
  return hash;
}
