import { nameWindowUnits } from "../../contract/limits.ts";
import type { NameFeatures } from "./features.ts";
import { label, labelsCount, link, linksCount } from "./labels.ts";
import { linkBetween } from "./links.ts";
import type { Sentence } from "./sentence.ts";

/** A linear-chain conditional random field over the candidates of a window. */
export interface TaggerWeights {
  /**
   * One row of `rowBytes` for every feature that the model knows, at a place that its hash gives:
   * two bytes that tell it apart from other features of the same place, then a weight for each
   * label. The number of rows is a power of two.
   */
  readonly rows: Int8Array;
  /** The value of one unit of `rows`. */
  readonly scale: number;
  /** Score of label b after label a by link: `[(link * labelsCount + a) * labelsCount + b]`. */
  readonly links: Float32Array;
  /** Added to every label's score. It balances precision and recall. */
  readonly offsets: Float32Array;
}

/** Labels the candidates of one window after another; its arrays are reused. */
export class Tagger {
  /** Candidate tokens in their order, and how each follows the one before. */
  readonly token = new Int32Array(nameWindowUnits);
  readonly link = new Uint8Array(nameWindowUnits);
  readonly label = new Uint8Array(nameWindowUnits);
  /** Probability of every label for every candidate. */
  readonly probability = new Float32Array(nameWindowUnits * labelsCount);
  count = 0;
  readonly #weights: TaggerWeights;
  readonly #mask: number;
  readonly #linkFactors: Float32Array;
  readonly #scores = new Float32Array(nameWindowUnits * labelsCount);
  readonly #backward = new Float32Array(nameWindowUnits * labelsCount);

  constructor(weights: TaggerWeights) {
    this.#weights = weights;
    this.#mask = weights.rows.length / rowBytes - 1;
    this.#linkFactors = weights.links.map((score) => Math.exp(score));
  }

  run(text: string, sentence: Sentence, features: NameFeatures): void {
    this.#score(text, sentence, features);
    for (let from = 0; from < this.count;) {
      let to = from + 1;
      while (to < this.count && this.link[to] !== link.apart) to++;
      this.#chain(from, to);
      from = to;
    }
  }

  #score(text: string, sentence: Sentence, features: NameFeatures): void {
    const { tokens, candidate } = sentence;
    this.count = 0;
    for (let i = 0; i < tokens.count; i++) {
      if (candidate[i] === 0) continue;
      const at = this.count++;
      this.token[at] = i;
      this.link[at] = at === 0 ? link.apart : linkBetween(tokens, this.token[at - 1] ?? 0, i);
      features.describe(text, i);
      this.#scoreOne(at, features);
    }
  }

  #scoreOne(at: number, features: NameFeatures): void {
    const { rows, scale, offsets } = this.#weights;
    const { hashes, count } = features;
    let none = 0;
    let person = 0;
    let location = 0;
    let organization = 0;
    let address = 0;
    for (let f = 0; f < count; f++) {
      const hash = hashes[f] ?? 0;
      const row = (hash & this.#mask) * rowBytes;
      if (rows[row] !== hash >> 24 || rows[row + 1] !== (hash << 8) >> 24) continue;
      none += rows[row + 2] ?? 0;
      person += rows[row + 3] ?? 0;
      location += rows[row + 4] ?? 0;
      organization += rows[row + 5] ?? 0;
      address += rows[row + 6] ?? 0;
    }
    const to = at * labelsCount;
    const scores = this.#scores;
    scores[to] = none * scale + (offsets[0] ?? 0);
    scores[to + 1] = person * scale + (offsets[1] ?? 0);
    scores[to + 2] = location * scale + (offsets[2] ?? 0);
    scores[to + 3] = organization * scale + (offsets[3] ?? 0);
    scores[to + 4] = address * scale + (offsets[4] ?? 0);
    exponentials(scores, to);
  }

  /** Forward-backward; every step is scaled to sum 1, so no length under- or overflows. */
  #chain(from: number, to: number): void {
    const forward = this.probability;
    const backward = this.#backward;
    for (let at = from; at < to; at++) this.#stepForward(at, at === from);
    for (let at = to - 1; at >= from; at--) this.#stepBackward(at, at === to - 1);
    for (let at = from; at < to; at++) {
      const row = at * labelsCount;
      for (let a = 0; a < labelsCount; a++) {
        forward[row + a] = (forward[row + a] ?? 0) * (backward[row + a] ?? 0);
      }
      normalize(forward, row);
      this.label[at] = best(forward, row);
    }
  }

  #stepForward(at: number, first: boolean): void {
    const row = at * labelsCount;
    const scores = this.#scores;
    const forward = this.probability;
    const factors = (this.link[at] ?? 0) * labelsCount * labelsCount;
    for (let b = 0; b < labelsCount; b++) {
      let sum = first ? 1 : 0;
      for (let a = 0; a < labelsCount && !first; a++) {
        const before = forward[row - labelsCount + a] ?? 0;
        sum += before * (this.#linkFactors[factors + a * labelsCount + b] ?? 0);
      }
      forward[row + b] = sum * (scores[row + b] ?? 0);
    }
    normalize(forward, row);
  }

  #stepBackward(at: number, last: boolean): void {
    const row = at * labelsCount;
    const backward = this.#backward;
    if (last) {
      backward.fill(1, row, row + labelsCount);
      return;
    }
    const next = row + labelsCount;
    const factors = (this.link[at + 1] ?? 0) * labelsCount * labelsCount;
    for (let a = 0; a < labelsCount; a++) {
      let sum = 0;
      for (let b = 0; b < labelsCount; b++) {
        const factor = this.#linkFactors[factors + a * labelsCount + b] ?? 0;
        sum += factor * (this.#scores[next + b] ?? 0) * (backward[next + b] ?? 0);
      }
      backward[row + a] = sum;
    }
    normalize(backward, row);
  }
}

function exponentials(row: Float32Array, from: number): void {
  let highest = -Infinity;
  for (let a = 0; a < labelsCount; a++) highest = Math.max(highest, row[from + a] ?? 0);
  for (let a = 0; a < labelsCount; a++) row[from + a] = Math.exp((row[from + a] ?? 0) - highest);
}

function normalize(row: Float32Array, from: number): void {
  let sum = 0;
  for (let a = 0; a < labelsCount; a++) sum += row[from + a] ?? 0;
  for (let a = 0; a < labelsCount; a++) row[from + a] = (row[from + a] ?? 0) / sum;
}

function best(row: Float32Array, from: number): number {
  let found: number = label.none;
  for (let a = 1; a < labelsCount; a++) {
    if ((row[from + a] ?? 0) > (row[from + found] ?? 0)) found = a;
  }
  return found;
}

/** Bytes of one row of `TaggerWeights.rows`. */
export const rowBytes = 8;
/** Length of `TaggerWeights.links`. */
export const linkWeightsCount = linksCount * labelsCount * labelsCount;
