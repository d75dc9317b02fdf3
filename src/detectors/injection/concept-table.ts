import { concepts } from "./concepts.ts";
import { frequentWords, rotatedWords } from "./frequent-words.ts";
import { foldOf, kind, kindOf } from "./folding.ts";

/** Units of a word after which it may be one that a concept lists with `*`. */
export const stemUnitsMin = 4;
export const stemUnitsMax = 8;

export const hashSeed = 0x811c9dc5 | 0;
export const hashPrime = 0x01000193;

const slotsMask = 8_191;

const keys = new Int32Array(slotsMask + 1);
const values = new Uint8Array(slotsMask + 1);

/** Keeps stems apart from words. */
const stemSalt = 0x5bd1e995;

/** The concept of a word by its hash, from 1 on; 0 where it has none. */
export function conceptOfWord(hash: number): number {
  return look(hash);
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

/** Whether a word is one of the concepts' own, or frequent: what joined letters are split into. */
export function isKnownWord(hash: number): boolean {
  return frequent.has(hash) || look(hash) !== 0;
}

/** Hash of a word as it is spelled in folded units. */
function hashOf(word: string): number {
  let hash = hashSeed;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (kindOf(unit) === kind.dropped) continue;
    hash = Math.imul(hash ^ foldOf(unit), hashPrime);
  }
  return hash;
}

/** Of frequent English words in rot13, none of them a word itself. */
export const rotatedConcept = 255;

for (const [index, words] of Object.values(concepts).entries()) {
  for (const word of words.split(" ")) {
    if (word.endsWith("*")) put(hashOf(word.slice(0, -1)) ^ stemSalt, index + 1);
    else put(hashOf(word), index + 1);
  }
}
for (const word of rotatedWords.split(" ")) put(hashOf(word), rotatedConcept);

const frequent: ReadonlySet<number> = new Set(frequentWords.split(" ").map(hashOf));
