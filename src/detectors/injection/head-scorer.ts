import type { Segment } from "../../contract/scan.ts";
import { logOdds, networkShare } from "./evidence.ts";
import { blocksMax, featureShare, type Features } from "./features.ts";
import { heads, type Head, type InjectionModel } from "./model-file.ts";
import type { WordNetwork } from "./word-network.ts";

/** The result of one head for a text. */
export interface HeadReading {
  /** Log-odds of the text, before calibration. */
  readonly raw: number;
  /** The text, or the run decoded in it, that these log-odds come from. */
  readonly part: TextPart;
  /** The network's score; 0 if the network was not asked. */
  readonly network: number;
}

/** The weights of one segment, and the sums that they gave for the windows of the last text. */
export class HeadScorer {
  readonly #segment: Segment;
  readonly #head: Head;
  readonly #place: number;
  readonly #weights: Int8Array;
  readonly #network: WordNetwork;
  /** Sums of weights in each window of the text, by its last block. */
  readonly #sums = new Float64Array(blocksMax);

  constructor({ header, weights }: InjectionModel, segment: Segment, network: WordNetwork) {
    this.#segment = segment;
    this.#head = header[segment];
    this.#place = segment === "user" ? 0 : 1;
    this.#weights = weights;
    this.#network = network;
  }

  /** The worst part of a text decides. `raw` is NaN if the score of a window is NaN. */
  read(features: Features): HeadReading {
    const { weighing, band } = this.#head;
    let raw = -Infinity;
    let worst: TextPart = { best: 0, mean: 0, block: 0, from: 0, end: 0 };
    for (let from = 0; from < features.blocks;) {
      const part = scorePart(features, this.#weights, this.#place, from, this.#sums);
      const found = logOdds(
        {
          best: this.logOddsOf(part.best),
          mean: this.logOddsOf(part.mean),
          windows: features.blocks,
        },
        weighing,
      );
      if (!(found <= raw)) {
        raw = found;
        worst = part;
      }
      if (Number.isNaN(found)) break;
      from = part.end;
    }
    const share = networkShare(raw, band);
    const network = share > 0 ? share * this.#ask(features, worst) : 0;
    return { raw: raw + network, part: worst, network };
  }

  /** Log-odds of a window, after the sum of its weights. */
  logOddsOf(sum: number): number {
    return this.#head.bias + this.#head.scale * sum;
  }

  /** Log-odds of the second-best window without a common block; those of the best window if there is none. */
  second(part: TextPart): number {
    const found = secondBest(this.#sums, part);
    return this.logOddsOf(found < 0 ? part.best : (this.#sums[found] ?? 0));
  }

  /** The share of windows of a part whose log-odds are above `raw`. */
  shareAbove(raw: number, { from, end }: TextPart): number {
    let above = 0;
    for (let at = from; at < end; at++) if (this.logOddsOf(this.#sums[at] ?? 0) > raw) above++;
    return above / (end - from);
  }

  /**
   * The network's score of the best window and of the best other window that shares no block with
   * it.
   */
  #ask(features: Features, part: TextPart): number {
    const first = this.#network.logOdds(features, part.block, this.#segment);
    const second = secondBest(this.#sums, part);
    if (second < 0) return first;
    return (first + this.#network.logOdds(features, second, this.#segment)) / 2;
  }
}

export interface TextPart {
  /** The greatest and the mean sum of weights in a window. */
  readonly best: number;
  readonly mean: number;
  /** The last block of the window that has the greatest sum. */
  readonly block: number;
  /** The part's first block, and the first block of the next part. */
  readonly from: number;
  readonly end: number;
}

/** The text, or a decoded run, that begins with block `from`. A window is two neighbouring blocks. */
function scorePart(
  { buckets, repeats, starts, begins, blocks }: Features,
  weights: Int8Array,
  head: number,
  from: number,
  sums: Float64Array,
): TextPart {
  let best = -Infinity;
  let bestBlock = from;
  let total = 0;
  let before = 0;
  let countBefore = 0;
  let block = from;
  for (; block < blocks && (block === from || begins[block] === 0); block++) {
    let sum = 0;
    let repeated = 0;
    let repeatedCount = 0;
    const start = starts[block] ?? 0;
    const end = starts[block + 1] ?? 0;
    for (let at = start; at < end; at++) {
      const weight = weights[(buckets[at] ?? 0) * heads + head] ?? 0;
      sum += weight;
      if (repeats[at] === 1) {
        repeated += weight;
        repeatedCount++;
      }
    }
    const count = countBefore + (end - start) - repeatedCount;
    const window = featureShare(count) * (before + sum - repeated);
    sums[block] = window;
    total += window;
    if (window > best) {
      best = window;
      bestBlock = block;
    }
    before = sum;
    countBefore = end - start;
  }
  return { best, mean: total / (block - from), block: bestBlock, from, end: block };
}

/** The window with the greatest sum among those that share no block with the best one; -1 for none. */
function secondBest(sums: Float64Array, { block, from, end }: TextPart): number {
  let best = -Infinity;
  let found = -1;
  for (let at = from; at < end; at++) {
    const sum = sums[at] ?? 0;
    if (sum <= best || Math.abs(at - block) < 2) continue;
    best = sum;
    found = at;
  }
  return found;
}
