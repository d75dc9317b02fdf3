import type { Segment } from "../../contract/scan.ts";
import type { InjectionDetector } from "./detector.ts";
import { logOdds, networkShare } from "./evidence.ts";
import { blocksMax, featureShare, type Features } from "./features.ts";
import { featuresFingerprint } from "./fingerprint.ts";
import { heads, type Calibration, type InjectionModel } from "./model-file.ts";
import { Reader } from "./reader.ts";
import { WordNetwork } from "./word-network.ts";

/** The window of a text that scored highest. */
export interface WorstWindow {
  /** Log-odds of the text, before calibration. */
  readonly raw: number;
  /** Offsets in the text, UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/**
 * Scores text by a linear model over hashed features, window by window; the worst window counts. Where
 * that leaves a verdict open, a small network reads the two worst windows too. It is not reentrant, so
 * every thread has its own; the weights may be shared.
 */
export class ModelDetector implements InjectionDetector {
  readonly version: string;
  readonly #model: InjectionModel;
  readonly #reader = new Reader();
  readonly #network: WordNetwork;
  /** Sums of weights in each window of the text, by its last block. */
  readonly #sums = new Float64Array(blocksMax);

  /** Throws a RangeError where the model was trained with code that read text otherwise. */
  constructor(model: InjectionModel) {
    if (model.header.features !== featuresFingerprint()) {
      throw new RangeError("the injection model was trained for other features");
    }
    this.#model = model;
    this.#network = new WordNetwork({ header: model.header.network, ...model.network });
    this.version = model.header.version;
  }

  score(utf8: Buffer, segment: Segment): number {
    return calibrated(this.worst(utf8, segment).raw, this.#model.header[segment].calibration);
  }

  /** Throws a RangeError where the text is longer than `injectionTextBytesMax`. */
  worst(utf8: Buffer, segment: Segment): WorstWindow {
    const features = this.#reader.read(utf8);
    const { bias, scale, weighing, band } = this.#model.header[segment];
    const head = segment === "user" ? 0 : 1;
    const { weights } = this.#model;
    let raw = -Infinity;
    let worst: Part = { best: 0, mean: 0, block: 0, from: 0, end: 0 };
    for (let from = 0; from < features.blocks;) {
      const part = scorePart(features, weights, head, from, this.#sums);
      const found = logOdds(
        {
          best: bias + scale * part.best,
          mean: bias + scale * part.mean,
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
    if (share > 0) raw += share * this.#ask(features, worst, segment);
    const { block } = worst;
    const start = features.origins[Math.max(0, block - 1)] ?? 0;
    return { raw, start, end: features.origins[block + 1] ?? 0 };
  }

  /** What the network says of the best window, and the best one that shares no block with it. */
  #ask(features: Features, part: Part, segment: Segment): number {
    const first = this.#network.logOdds(features, part.block, segment);
    const second = secondBest(this.#sums, part);
    if (second < 0) return first;
    return (first + this.#network.logOdds(features, second, segment)) / 2;
  }
}

interface Part {
  /** The greatest and the mean sum of weights in a window. */
  readonly best: number;
  readonly mean: number;
  /** The last block of the window that has the greatest. */
  readonly block: number;
  /** Where it begins, and the next part. */
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
): Part {
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
function secondBest(sums: Float64Array, { block, from, end }: Part): number {
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

/** The score that stands for log-odds; NaN stays NaN. */
export function calibrated(raw: number, { raw: points, score }: Calibration): number {
  const last = points.length - 1;
  if (!(raw > (points[0] ?? 0))) return Number.isNaN(raw) ? raw : (score[0] ?? 0);
  if (raw >= (points[last] ?? 0)) return score[last] ?? 1;
  let at = 1;
  while (raw > (points[at] ?? 0)) at++;
  const [from, to] = [points[at - 1] ?? 0, points[at] ?? 0];
  const [low, high] = [score[at - 1] ?? 0, score[at] ?? 0];
  return low + ((high - low) * (raw - from)) / (to - from);
}
