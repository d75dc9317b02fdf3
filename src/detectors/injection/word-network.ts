import type { Segment } from "../../contract/scan.ts";
import type { Features } from "./features.ts";
import { blockTokens } from "./tokens.ts";

/** The number of filters of the convolution. */
export const filters = 32;
/** Neighbouring words that a filter sees at once. */
export const filterWords = 3;
/**
 * Bytes of a row: one word's products with all filters, for each place that it may have under a
 * filter.
 */
export const rowBytes = filters * filterWords;
/** Slots of the table from a word's hash to its row. At least half of them are free. */
export const wordSlots = 32_768;
/** A window is two blocks. */
const windowTokens = 2 * blockTokens;

/** Weights of the filters' greatest values, by segment. */
export interface NetworkHead {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** The part of the network that stands in the model file's header. */
export interface NetworkHeader {
  /**
   * The number of rows of the table: one for no word, then one for each concept, then one for each
   * word.
   */
  readonly rows: number;
  readonly concepts: number;
  /** Each filter's bias, in steps of its products. */
  readonly biases: readonly number[];
  /** The values that are added to a word's row if it is the first of a sentence. */
  readonly starts: readonly number[];
  readonly user: NetworkHead;
  readonly tool: NetworkHead;
}

export interface Network {
  readonly header: NetworkHeader;
  /** Hashes of words, by slot; 0 is a free one. */
  readonly keys: Int32Array;
  /** The row of the word in a slot. */
  readonly rows: Uint16Array;
  readonly table: Int8Array;
}

/** Where a word's search begins among the slots. */
export function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (wordSlots - 1);
}

/**
 * A convolution over the words of one window, the greatest value of each filter, and a weighted sum
 * of these. A table holds the products of all words with all filters, so a filter's value takes
 * three additions. Words of similar meaning have similar rows (docs/decisions/0017). A window takes
 * about 6 µs, independent of its words. Not reentrant.
 */
export class WordNetwork {
  readonly #network: Network;
  /**
   * Biases of the filters, for each combination of three neighbours that begin a sentence, one bit
   * for each neighbour.
   */
  readonly #biases = new Int32Array(filters << filterWords);
  readonly #most = new Int32Array(filters);
  /**
   * Offsets of the rows of a window's words, in bytes, with the row for no word before and after
   * them.
   */
  readonly #rows = new Int32Array(windowTokens + 2);
  readonly #starts = new Uint8Array(windowTokens + 2);

  constructor(network: Network) {
    this.#network = network;
    const { biases, starts } = network.header;
    for (let at = 0; at < this.#biases.length; at++) {
      const filter = at % filters;
      let bias = biases[filter] ?? 0;
      for (let place = 0; place < filterWords; place++) {
        const isStart = (at / filters) & (1 << place);
        if (isStart !== 0) bias += starts[place * filters + filter] ?? 0;
      }
      this.#biases[at] = bias;
    }
  }

  /**
   * The network's log-odds for the window that ends with a block. They are added to those of the
   * linear model.
   */
  logOdds(features: Features, block: number, segment: Segment): number {
    this.read(features, block);
    const { bias, weights } = this.#network.header[segment];
    let sum = bias;
    for (let filter = 0; filter < filters; filter++) {
      sum += (weights[filter] ?? 0) * (this.#most[filter] ?? 0);
    }
    return sum;
  }

  /** The greatest value of each filter in the window that ends with a block; valid until the next call. */
  read(features: Features, block: number): Int32Array {
    this.#convolve(this.#look(features, block));
    return this.#most;
  }

  /** Finds the rows of a window's words; returns how many words it has. */
  #look({ words, wordCounts, wordConcepts, wordStarts, begins }: Features, block: number): number {
    const rows = this.#rows;
    const starts = this.#starts;
    let count = 0;
    for (let part = begins[block] === 1 ? block : block - 1; part <= block; part++) {
      const from = part * blockTokens;
      const to = from + (wordCounts[part] ?? 0);
      for (let at = from; at < to; at++) {
        count++;
        rows[count] = this.#rowOf(words[at] ?? 0, wordConcepts[at] ?? 0) * rowBytes;
        starts[count] = wordStarts[at] ?? 0;
      }
    }
    rows[count + 1] = 0;
    starts[count + 1] = 0;
    return count;
  }

  /** A word that the table does not have counts as its concept. */
  #rowOf(hash: number, concept: number): number {
    const { keys, rows, header } = this.#network;
    for (let slot = slotOf(hash); ; slot = (slot + 1) & (wordSlots - 1)) {
      const key = keys[slot] ?? 0;
      if (key === 0) return concept <= header.concepts ? concept : 0;
      if (key === hash) return rows[slot] ?? 0;
    }
  }

  #convolve(count: number): void {
    const rows = this.#rows;
    const starts = this.#starts;
    const biases = this.#biases;
    const most = this.#most;
    const { table } = this.#network;
    most.fill(0);
    for (let at = 1; at <= count; at++) {
      const before = rows[at - 1] ?? 0;
      const own = (rows[at] ?? 0) + filters;
      const behind = (rows[at + 1] ?? 0) + 2 * filters;
      const begin = (starts[at - 1] ?? 0) | ((starts[at] ?? 0) << 1) | ((starts[at + 1] ?? 0) << 2);
      const bias = begin * filters;
      for (let filter = 0; filter < filters; filter++) {
        const value =
          (biases[bias + filter] ?? 0) +
          (table[before + filter] ?? 0) +
          (table[own + filter] ?? 0) +
          (table[behind + filter] ?? 0);
        if (value > (most[filter] ?? 0)) most[filter] = value;
      }
    }
  }
}
