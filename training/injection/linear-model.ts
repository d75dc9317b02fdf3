import type { Segment } from "../../src/contract/scan.ts";
import {
  bucketsLog2,
  featureShare,
  type Features,
} from "../../src/detectors/injection/features.ts";
import { heads, type InjectionModel } from "../../src/detectors/injection/model-file.ts";

/** One window of a text: its last block and its log-odds. */
export interface Window {
  readonly block: number;
  readonly raw: number;
  /** What each of its features counts. */
  readonly share: number;
}

/** The weights before they become int8: for each bucket one a head, and the heads' biases. */
export class LinearModel {
  readonly weights: Float32Array<ArrayBuffer>;
  readonly biases: number[];

  constructor(
    weights = new Float32Array(heads << bucketsLog2),
    biases: readonly number[] = [-3, -3],
  ) {
    this.weights = weights;
    this.biases = [...biases];
  }

  /** All windows, in order. */
  windows({ buckets, repeats, starts, begins, blocks }: Features, segment: Segment): Window[] {
    const head = headOf(segment);
    const found: Window[] = [];
    let before = 0;
    let countBefore = 0;
    for (let block = 0; block < blocks; block++) {
      let sum = 0;
      let repeated = 0;
      let repeatedCount = 0;
      const start = starts[block] ?? 0;
      const end = starts[block + 1] ?? 0;
      for (let at = start; at < end; at++) {
        const weight = this.weights[(buckets[at] ?? 0) * heads + head] ?? 0;
        sum += weight;
        if (repeats[at] === 1) {
          repeated += weight;
          repeatedCount++;
        }
      }
      if (begins[block] === 1) {
        before = 0;
        countBefore = 0;
      }
      const share = featureShare(countBefore + (end - start) - repeatedCount);
      const raw = (this.biases[head] ?? 0) + share * (before + sum - repeated);
      found.push({ block, raw, share });
      before = sum;
      countBefore = end - start;
    }
    return found;
  }
}

/** The mean of models that differ in their random choices: what they don't agree on is chance. */
export function meanOf(models: readonly LinearModel[]): LinearModel {
  const share = 1 / models.length;
  const mean = new LinearModel(undefined, [0, 0]);
  for (const { weights, biases } of models) {
    for (let at = 0; at < weights.length; at++) {
      mean.weights[at] = (mean.weights[at] ?? 0) + share * (weights[at] ?? 0);
    }
    for (let head = 0; head < heads; head++) {
      mean.biases[head] = (mean.biases[head] ?? 0) + share * (biases[head] ?? 0);
    }
  }
  return mean;
}

export function headOf(segment: Segment): number {
  return segment === "user" ? 0 : 1;
}

/** Weights as int8; the greatest are cut, so that the many small ones keep their sign. */
export function quantized(model: LinearModel): {
  weights: InjectionModel["weights"];
  scale: number;
} {
  const sorted = Float32Array.from(model.weights, Math.abs).sort();
  const greatest = sorted[Math.floor(sorted.length * 0.99995)] ?? 1;
  const scale = greatest / 127;
  const weights = Int8Array.from(model.weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight / scale))),
  );
  return { weights, scale };
}
