import { concepts } from "./concepts.ts";
import { frequentWords, shortRotatedWords } from "./frequent-words.ts";
import { foldOf, kind, kindOf } from "./folding.ts";
import { rotate } from "./rotation.ts";

/** The least length, in units, of the part before the `*` in a concept's entry. */
export const stemUnitsMin = 4;
export const stemUnitsMax = 8;

export const hashSeed = 0x811c9dc5 | 0;
export const hashPrime = 0x01000193;

const slotsMask = 32_767;

const keys = new Int32Array(slotsMask + 1);
const values = new Uint8Array(slotsMask + 1);

/** Keeps the hashes of stems apart from those of words. */
const stemSalt = 0x5bd1e995;

/** A frequent word without a concept. */
const frequent = 254;
/** A frequent English word, or one of a concept, in rot13. */
const rotated = 255;

/** The concept of a word by its hash, from 1 on; 0 where it has none. */
export function conceptOfWord(hash: number): number {
  const found = look(hash);
  return found < frequent ? found : 0;
}

/** Whether a word is a frequent English one in rot13. */
export function isRotatedWord(hash: number): boolean {
  return look(hash) === rotated;
}

/** The concept of all words that begin with these units. */
export function conceptOfStem(hash: number): number {
  return look(hash ^ stemSalt);
}

function look(hash: number): number {
  for (let slot = (hash ^ (hash >>> 15)) & slotsMask; ; slot = (slot + 1) & slotsMask) {
    const value = values[slot] ?? 0;
    if (value === 0 || keys[slot] === hash) return value;
  }
}

function put(hash: number, value: number): void {
  let slot = (hash ^ (hash >>> 15)) & slotsMask;
  while (values[slot] !== 0) {
    if (keys[slot] === hash) return;
    slot = (slot + 1) & slotsMask;
  }
  keys[slot] = hash;
  values[slot] = value;
}

/**
 * Whether a word is one of the concepts' words, or a frequent word. Joined letters are split into
 * such words.
 */
export function isKnownWord(hash: number): boolean {
  const found = look(hash);
  return found !== 0 && found !== rotated;
}

/** The number of first units that `wordStarts` knows of each word. */
export const wordStartUnits = 3;

/** One bit of a hash of the first units of each known word. */
const wordStarts = new Uint8Array(1 << 14);

/** False where no known word begins with units of this hash; true where one may. */
export function mayStartWord(hash: number): boolean {
  return wordStarts[hash >>> 18] === 1;
}

/** Hash of a word as it is spelled in folded units; with `most`, of its first ones. */
function hashOf(word: string, most = Infinity): number {
  let hash = hashSeed;
  let units = 0;
  for (let at = 0; at < word.length && units < most; at++) {
    const unit = word.charCodeAt(at);
    if (kindOf(unit) === kind.dropped) continue;
    hash = Math.imul(hash ^ foldOf(unit), hashPrime);
    units++;
  }
  return hash;
}

function putKnown(word: string, value: number): void {
  put(hashOf(word), value);
  wordStarts[hashOf(word, wordStartUnits) >>> 18] = 1;
}

/** A shorter word in rot13 is often a real word of some language. */
const rotatedUnitsMin = 4;

for (const [index, words] of Object.values(concepts).entries()) {
  for (const word of words.split(" ")) {
    if (word.endsWith("*")) put(hashOf(word.slice(0, -1)) ^ stemSalt, index + 1);
    else putKnown(word, index + 1);
  }
}
for (const word of ["a", "i", ...frequentWords.split(" ")]) putKnown(word, frequent);
for (const word of [frequentWords, ...Object.values(concepts)].join(" ").split(" ")) {
  if (word.length >= rotatedUnitsMin && /^[a-z]+$/.test(word)) put(hashOf(rotate(word)), rotated);
}
for (const word of shortRotatedWords.split(" ")) put(hashOf(word), rotated);
