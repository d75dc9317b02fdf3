import type { Segment } from "../../src/contract/scan.ts";
import {
  bucketsLog2,
  featureShare,
  type Features,
} from "../../src/detectors/injection/features.ts";
import { heads, type InjectionModel } from "../../src/detectors/injection/model-file.ts";
import type { Random } from "../names/random.ts";

/** Constants of the learner. */
export interface LearnerOptions {
  /** First step of AdaGrad. */
  readonly rate: number;
  /** How much of a step the other head takes too: both speak the same language. */
  readonly transfer: number;
  /** Share of a window's features left out of a step. */
  readonly dropout: number;
  /** L2 on each weight that a step touches. */
  readonly decay: number;
}

export const learnerDefaults: LearnerOptions = {
  rate: 0.05,
  transfer: 0.1,
  dropout: 0.5,
  decay: 2e-6,
};

/** One window of a text: its last block and its log-odds. */
export interface Window {
  readonly block: number;
  readonly raw: number;
  /** What each of its features counts. */
  readonly share: number;
}

/** Logistic regression on windows, by AdaGrad; a text's label is that of its best window. */
export class Learner {
  readonly weights = new Float32Array(heads << bucketsLog2);
  readonly #squares = new Float32Array(1 << bucketsLog2).fill(1);
  readonly biases = [-3, -3];
  /** Steps shrink from epoch to epoch. */
  rateShare = 1;
  readonly #options: LearnerOptions;
  readonly #random: Random;

  constructor(random: Random, options: LearnerOptions = learnerDefaults) {
    this.#options = options;
    this.#random = random;
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

  /** One step towards `label` on the window that ends with `block`. */
  step(
    features: Features,
    { block, raw, share }: Window,
    segment: Segment,
    label: number,
    weight: number,
  ): void {
    const head = headOf(segment);
    const error = (1 / (1 + Math.exp(-raw)) - label) * weight;
    if (Math.abs(error) < 1e-4) return;
    this.biases[head] = (this.biases[head] ?? 0) - this.#options.rate * this.rateShare * error;
    const { starts, repeats, begins } = features;
    const isFirst = begins[block] === 1;
    const middle = starts[block] ?? 0;
    const end = starts[block + 1] ?? 0;
    for (let at = isFirst ? middle : (starts[block - 1] ?? 0); at < end; at++) {
      if (at >= middle && !isFirst && repeats[at] === 1) continue;
      this.#update(features.buckets[at] ?? 0, head, error * share);
    }
  }

  #update(bucket: number, head: number, error: number): void {
    const { rate, transfer, dropout, decay } = this.#options;
    if (this.#random.next() < dropout) return;
    const square = (this.#squares[bucket] ?? 0) + error * error;
    this.#squares[bucket] = square;
    const step = (rate * this.rateShare) / Math.sqrt(square);
    const own = bucket * heads + head;
    const other = bucket * heads + 1 - head;
    const ownWeight = this.weights[own] ?? 0;
    const otherWeight = this.weights[other] ?? 0;
    this.weights[own] = ownWeight - step * (error + decay * ownWeight);
    this.weights[other] = otherWeight - step * transfer * (error + decay * otherWeight);
  }
}

export function headOf(segment: Segment): number {
  return segment === "user" ? 0 : 1;
}

/** Weights as int8; the greatest are cut, so that the many small ones keep their sign. */
export function quantized(learner: Learner): {
  weights: InjectionModel["weights"];
  scale: number;
} {
  const sorted = Float32Array.from(learner.weights, Math.abs).sort();
  const greatest = sorted[Math.floor(sorted.length * 0.99995)] ?? 1;
  const scale = greatest / 127;
  const weights = Int8Array.from(learner.weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight / scale))),
  );
  return { weights, scale };
}
