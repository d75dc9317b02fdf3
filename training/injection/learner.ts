import type { Segment } from "../../src/contract/scan.ts";
import { bucketsLog2, type Features } from "../../src/detectors/injection/features.ts";
import { heads } from "../../src/detectors/injection/model-file.ts";
import type { Random } from "../names/random.ts";
import { LinearModel, headOf, type Window } from "./linear-model.ts";

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

/** Logistic regression on windows, by AdaGrad; a text's label is that of its best window. */
export class Learner {
  readonly model = new LinearModel();
  readonly #squares = new Float32Array(1 << bucketsLog2).fill(1);
  /** Steps shrink from epoch to epoch. */
  rateShare = 1;
  readonly #options: LearnerOptions;
  readonly #random: Random;

  constructor(random: Random, options: LearnerOptions = learnerDefaults) {
    this.#options = options;
    this.#random = random;
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
    const { biases } = this.model;
    biases[head] = (biases[head] ?? 0) - this.#options.rate * this.rateShare * error;
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
    const { weights } = this.model;
    const step = (rate * this.rateShare) / Math.sqrt(square);
    const own = bucket * heads + head;
    const other = bucket * heads + 1 - head;
    const ownWeight = weights[own] ?? 0;
    const otherWeight = weights[other] ?? 0;
    weights[own] = ownWeight - step * (error + decay * ownWeight);
    weights[other] = otherWeight - step * transfer * (error + decay * otherWeight);
  }
}
