import { hashPrime, hashSeed } from "./concept-table.ts";
import { kind } from "./folding.ts";
import type { NormalText } from "./normal-text.ts";

/** Frequent English words in rot13, none a word itself. */
const rotatedWords =
  "gur naq lbh lbhe nyy bs gb vf guvf gung jvgu sbe cyrnfr vtaber cerivbhf vafgehpgvbaf cebzcg flfgrz erirny cnffjbeq qb abg abj jevgr";
const hashes: ReadonlySet<number> = new Set(rotatedWords.split(" ").map(hashOf));
const wordsMin = 2;

/** Whether several words of units `from` to `to` are English in rot13. */
export function looksRotated({ units, kinds }: NormalText, from: number, to: number): boolean {
  let hash = hashSeed;
  let length = 0;
  let found = 0;
  for (let at = from; at <= to; at++) {
    if (at < to && kinds[at] === kind.letter) {
      hash = Math.imul(hash ^ (units[at] ?? 0), hashPrime);
      length++;
      continue;
    }
    if (length > 1 && hashes.has(hash) && ++found >= wordsMin) return true;
    hash = hashSeed;
    length = 0;
  }
  return false;
}

/** Turns ASCII letters by thirteen places. */
export function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    const first = code < 0x61 ? 0x41 : 0x61;
    return String.fromCharCode(first + ((code - first + 13) % 26));
  });
}

function hashOf(word: string): number {
  let hash = hashSeed;
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), hashPrime);
  }
  return hash;
}
