import { concepts as conceptWords } from "../../src/detectors/injection/concepts.ts";
import { slotOf, wordSlots, type Network } from "../../src/detectors/injection/word-network.ts";
import { windowTokens, type WindowColumns } from "./windows.ts";
import { vectorLength, type WordVectors } from "./word-vectors.ts";

/** Words of the table, its size in the model file being bounded. */
const wordsMost = 15_500;
/** The most frequent words of the vectors, whether training has them or not. */
const frequentWords = 8_000;
/** Times that windows have a word with a vector, and one without, for it to be in the table. */
const countMin = 12;
const learnedCountMin = 120;

/**
 * The rows of the network's table: row 0 is nothing, then one for each concept, then one for each
 * word. Words of the vectors begin with these, which training leaves alone: that is why words which
 * no training text has are read like those near them. Other words are learned.
 */
export class Vocabulary {
  readonly concepts = Object.keys(conceptWords).length;
  /** By row; 0 where a word has none. */
  readonly conceptOf: Uint8Array;
  /** By row. */
  readonly vectors: Float32Array;
  /** The first row whose vector is learned. */
  readonly learnedFrom: number;
  readonly size: number;
  readonly #rows = new Map<number, number>();

  constructor(windows: readonly WindowColumns[], vectors: WordVectors) {
    const seen = countWords(windows);
    const count = (hash: number): number => seen.get(hash)?.count ?? 0;
    const known = vectors.words.filter(
      ({ hash }, rank) => rank < frequentWords || count(hash) >= countMin,
    );
    const hasVector = new Set(vectors.words.map(({ hash }) => hash));
    const learned = [...seen]
      .filter(([hash, word]) => !hasVector.has(hash) && word.count >= learnedCountMin)
      .sort(([a, one], [b, other]) => other.count - one.count || a - b)
      .map(([hash, { concept }]) => ({ hash, concept }));
    const words = [...known.slice(0, wordsMost - learned.length), ...learned];
    this.learnedFrom = 1 + this.concepts + words.length - learned.length;
    this.size = 1 + this.concepts + words.length;
    this.conceptOf = new Uint8Array(this.size);
    this.vectors = new Float32Array(this.size * vectorLength);
    for (let row = 1; row <= this.concepts; row++) this.conceptOf[row] = row;
    for (const [index, { hash, concept }] of words.entries()) {
      const row = 1 + this.concepts + index;
      this.#rows.set(hash, row);
      this.conceptOf[row] = concept;
    }
    for (const [index, { vector }] of known.slice(0, wordsMost - learned.length).entries()) {
      this.vectors.set(vector, (1 + this.concepts + index) * vectorLength);
    }
  }

  /** The row of each of the windows' words, as the runtime finds it. */
  rowsOf({ hashes, concepts, count }: WindowColumns): Uint16Array {
    return Uint16Array.from(
      { length: count * windowTokens },
      (_, at) => this.#rows.get(hashes[at] ?? 0) ?? concepts[at] ?? 0,
    );
  }

  /** The table from hashes to rows. */
  slots(): Pick<Network, "keys" | "rows"> {
    const keys = new Int32Array(wordSlots);
    const rows = new Uint16Array(wordSlots);
    for (const [hash, row] of this.#rows) {
      let slot = slotOf(hash);
      while (keys[slot] !== 0) slot = (slot + 1) & (wordSlots - 1);
      keys[slot] = hash;
      rows[slot] = row;
    }
    return { keys, rows };
  }
}

/** How often windows have each word, and its concept. */
function countWords(
  windows: readonly WindowColumns[],
): Map<number, { count: number; readonly concept: number }> {
  const seen = new Map<number, { count: number; readonly concept: number }>();
  for (const { hashes, concepts, lengths, count } of windows) {
    for (let window = 0; window < count; window++) {
      const from = window * windowTokens;
      for (let at = from; at < from + (lengths[window] ?? 0); at++) {
        const hash = hashes[at] ?? 0;
        const word = seen.get(hash);
        if (word !== undefined) word.count++;
        else if (hash !== 0) seen.set(hash, { count: 1, concept: concepts[at] ?? 0 });
      }
    }
  }
  return seen;
}
