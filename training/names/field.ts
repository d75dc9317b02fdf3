import { labelsCount } from "../../src/detectors/names/labels.ts";
import { linkWeightsCount } from "../../src/detectors/names/tagger.ts";
import type { Chain } from "./examples.ts";

const tableLog2 = 22;
const mask = (1 << tableLog2) - 1;

/** A linear-chain conditional random field in training: stochastic gradient steps with AdaGrad. */
export class Field {
  readonly weights = new Float32Array(labelsCount << tableLog2);
  readonly links = new Float32Array(linkWeightsCount);
  /** The hash of the feature at each place of the table; the first that came. */
  readonly hashes = new Int32Array(1 << tableLog2);
  /** How often each was seen. */
  readonly seen = new Uint32Array(1 << tableLog2);
  readonly #squares = new Float32Array(labelsCount << tableLog2);
  readonly #linkSquares = new Float32Array(linkWeightsCount);
  readonly #rate: number;
  readonly #weightSums = new Float32Array(labelsCount << tableLog2);
  readonly #linkSums = new Float32Array(linkWeightsCount);
  #sums = 0;

  constructor(rate: number) {
    this.#rate = rate;
  }

  /** Takes the present weights into the average. */
  note(): void {
    this.#sums++;
    add(this.#weightSums, this.weights);
    add(this.#linkSums, this.links);
  }

  /** Ends the training: the weights become the average of those noted, which errs less than the last. */
  settle(): void {
    for (let at = 0; at < this.weights.length; at++) {
      this.weights[at] = (this.#weightSums[at] ?? 0) / this.#sums;
    }
    for (let at = 0; at < this.links.length; at++) {
      this.links[at] = (this.#linkSums[at] ?? 0) / this.#sums;
    }
  }

  /** One step; returns the chain's negative log-likelihood before it. */
  step(chain: Chain): number {
    const length = chain.labels.length;
    const scores = this.#scores(chain);
    const forward = new Float64Array(length * labelsCount);
    const backward = new Float64Array(length * labelsCount).fill(1);
    let loss = this.#forward(chain, scores, forward);
    this.#backward(chain, scores, backward);
    for (let at = 0; at < length; at++) {
      const gold = chain.labels[at] ?? 0;
      const row = at * labelsCount;
      const probability = product(forward, backward, row);
      loss -= at === 0 ? Math.log(Math.max(probability[gold] ?? 0, 1e-12)) : 0;
      if (at > 0) this.#stepLink(chain, at, scores, forward, backward);
      this.#stepFeatures(chain.features[at] ?? new Int32Array(), probability, gold);
    }
    return loss;
  }

  #scores(chain: Chain): Float64Array {
    const scores = new Float64Array(chain.labels.length * labelsCount);
    chain.features.forEach((features, at) => {
      for (const hash of features) {
        const place = (hash & mask) * labelsCount;
        for (let a = 0; a < labelsCount; a++) {
          scores[at * labelsCount + a] =
            (scores[at * labelsCount + a] ?? 0) + (this.weights[place + a] ?? 0);
        }
      }
      exponentials(scores, at * labelsCount);
    });
    return scores;
  }

  #factor(how: number, a: number, b: number): number {
    return Math.exp(this.links[(how * labelsCount + a) * labelsCount + b] ?? 0);
  }

  #forward(chain: Chain, scores: Float64Array, forward: Float64Array): number {
    for (let at = 0; at < chain.labels.length; at++) {
      const row = at * labelsCount;
      for (let b = 0; b < labelsCount; b++) {
        let sum = at === 0 ? 1 : 0;
        for (let a = 0; a < labelsCount && at > 0; a++) {
          sum += (forward[row - labelsCount + a] ?? 0) * this.#factor(chain.links[at] ?? 0, a, b);
        }
        forward[row + b] = sum * (scores[row + b] ?? 0);
      }
      normalize(forward, row);
    }
    return 0;
  }

  #backward(chain: Chain, scores: Float64Array, backward: Float64Array): void {
    for (let at = chain.labels.length - 2; at >= 0; at--) {
      const row = at * labelsCount;
      const next = row + labelsCount;
      for (let a = 0; a < labelsCount; a++) {
        let sum = 0;
        for (let b = 0; b < labelsCount; b++) {
          const factor = this.#factor(chain.links[at + 1] ?? 0, a, b);
          sum += factor * (scores[next + b] ?? 0) * (backward[next + b] ?? 0);
        }
        backward[row + a] = sum;
      }
      normalize(backward, row);
    }
  }

  #stepLink(
    chain: Chain,
    at: number,
    scores: Float64Array,
    forward: Float64Array,
    backward: Float64Array,
  ): void {
    const how = chain.links[at] ?? 0;
    const row = at * labelsCount;
    const joint = new Float64Array(labelsCount * labelsCount);
    let sum = 0;
    for (let a = 0; a < labelsCount; a++) {
      for (let b = 0; b < labelsCount; b++) {
        const after = (scores[row + b] ?? 0) * (backward[row + b] ?? 0);
        const value = (forward[row - labelsCount + a] ?? 0) * this.#factor(how, a, b) * after;
        joint[a * labelsCount + b] = value;
        sum += value;
      }
    }
    const gold = (chain.labels[at - 1] ?? 0) * labelsCount + (chain.labels[at] ?? 0);
    for (let pair = 0; pair < joint.length; pair++) {
      const gradient = (joint[pair] ?? 0) / sum - (pair === gold ? 1 : 0);
      const place = how * joint.length + pair;
      this.#linkSquares[place] = (this.#linkSquares[place] ?? 0) + gradient * gradient;
      const rate = this.#rate / Math.sqrt(1 + (this.#linkSquares[place] ?? 0));
      this.links[place] = (this.links[place] ?? 0) - rate * gradient;
    }
  }

  #stepFeatures(features: Int32Array, probability: Float64Array, gold: number): void {
    const gradient = probability.map((value, a) => value - (a === gold ? 1 : 0));
    if (Math.abs(gradient[gold] ?? 0) < 0.002) return;
    for (const hash of features) {
      const slot = hash & mask;
      if (this.seen[slot] === 0) this.hashes[slot] = hash;
      this.seen[slot] = (this.seen[slot] ?? 0) + 1;
      const place = slot * labelsCount;
      for (let a = 0; a < labelsCount; a++) {
        const slope = gradient[a] ?? 0;
        const squares = (this.#squares[place + a] ?? 0) + slope * slope;
        this.#squares[place + a] = squares;
        const step = (this.#rate * slope) / Math.sqrt(1 + squares);
        this.weights[place + a] = (this.weights[place + a] ?? 0) - step;
      }
    }
  }
}

function add(sums: Float32Array, values: Float32Array): void {
  for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (values[at] ?? 0);
}

function product(forward: Float64Array, backward: Float64Array, row: number): Float64Array {
  const both = new Float64Array(labelsCount);
  for (let a = 0; a < labelsCount; a++)
    both[a] = (forward[row + a] ?? 0) * (backward[row + a] ?? 0);
  normalize(both, 0);
  return both;
}

function exponentials(row: Float64Array, from: number): void {
  let highest = -Infinity;
  for (let a = 0; a < labelsCount; a++) highest = Math.max(highest, row[from + a] ?? 0);
  for (let a = 0; a < labelsCount; a++) row[from + a] = Math.exp((row[from + a] ?? 0) - highest);
}

function normalize(row: Float64Array, from: number): void {
  let sum = 0;
  for (let a = 0; a < labelsCount; a++) sum += row[from + a] ?? 0;
  for (let a = 0; a < labelsCount; a++) row[from + a] = (row[from + a] ?? 0) / sum;
}
