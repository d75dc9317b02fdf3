import {
  filters,
  filterWords,
  rowBytes,
  type Network,
} from "../../src/detectors/injection/word-network.ts";
import { Random } from "../names/random.ts";
import { NetworkParameters } from "./network-parameters.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { windowTokens, type WindowColumns } from "./windows.ts";
import { vectorLength } from "./word-vectors.ts";

/** What of the vocabulary training needs. */
export type NetworkWords = Pick<Vocabulary, "concepts" | "conceptOf" | "vectors" | "learnedFrom">;

/** Windows with the rows of their words. */
export interface NetworkWindows extends Pick<
  WindowColumns,
  "count" | "starts" | "lengths" | "heads" | "labels" | "weights" | "raws"
> {
  readonly rows: Uint16Array;
}

const batchWindows = 64;
/** Times that each window is seen. */
const passes = 3;
/** Steps of Adam, from the first to the last. */
const firstRate = 3e-3;
const lastRate = 1e-4;
/** First step of AdaGrad for the vectors that are learned. */
const vectorRate = 0.05;
const decay = 1e-5;
/** Shares of words and of filters' values left out of a step. */
const wordDropout = 0.1;
const filterDropout = 0.2;

/** Trains the network to say what the linear model, whose log-odds it is given, leaves out. */
export function trainNetwork(
  sets: readonly NetworkWindows[],
  words: NetworkWords,
  seed: number,
): Omit<Network, "keys" | "rows"> {
  const random = new Random(seed);
  const trainer = new NetworkTrainer(words, random);
  const order = sets.flatMap((set, which) =>
    Array.from({ length: set.count }, (_, window) => ({ which, window })),
  );
  const steps = passes * Math.ceil(order.length / batchWindows);
  for (let step = 0, from = 0; step < steps; step++, from += batchWindows) {
    if (from >= order.length) from = 0;
    if (from === 0) random.shuffle(order);
    const batch = order.slice(from, from + batchWindows);
    for (const { which, window } of batch) {
      const set = sets[which];
      if (set !== undefined) trainer.read(set, window);
    }
    trainer.multiply();
    for (const [place, { which, window }] of batch.entries()) {
      const set = sets[which];
      if (set !== undefined) trainer.learn(set, window, place);
    }
    trainer.step(firstRate + ((lastRate - firstRate) * step) / steps);
  }
  return trainer.parameters.quantized(trainer.vectors, words.conceptOf);
}

/** One batch after the other: its words are multiplied with the filters once, however often they are used. */
class NetworkTrainer {
  readonly parameters: NetworkParameters;
  readonly vectors: Float32Array;
  readonly #words: NetworkWords;
  readonly #random: Random;
  readonly #gradients: NetworkParameters;
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  readonly #squares: Float32Array;
  #steps = 0;
  /** Rows of the batch's different words; the first is nothing. */
  readonly #rows: number[] = [0];
  readonly #placeOf: Int32Array;
  readonly #values = new Float32Array((batchWindows * windowTokens + 1) * rowBytes);
  readonly #errors = new Float32Array((batchWindows * windowTokens + 1) * rowBytes);
  /** By window of the batch, its words' places in these, with nothing before and behind. */
  readonly #places = new Int32Array(batchWindows * (windowTokens + 2));
  readonly #starts = new Uint8Array(batchWindows * (windowTokens + 2));
  #windows = 0;
  readonly #biases = new Float32Array(filters << filterWords);
  readonly #most = new Float32Array(filters);
  readonly #mostAt = new Int32Array(filters);

  constructor(words: NetworkWords, random: Random) {
    this.#words = words;
    this.#random = random;
    this.vectors = words.vectors.slice();
    this.parameters = new NetworkParameters(words.concepts);
    this.parameters.fill(random);
    this.#gradients = new NetworkParameters(words.concepts);
    this.#first = new Float32Array(this.parameters.all.length);
    this.#second = new Float32Array(this.parameters.all.length);
    this.#squares = new Float32Array(words.conceptOf.length);
    this.#placeOf = new Int32Array(words.conceptOf.length);
  }

  /** Takes a window into the batch, without some of its words. */
  read({ rows, starts, lengths }: NetworkWindows, window: number): void {
    const to = this.#windows++ * (windowTokens + 2);
    const length = lengths[window] ?? 0;
    this.#places.fill(0, to, to + windowTokens + 2);
    this.#starts.fill(0, to, to + windowTokens + 2);
    for (let at = 0; at < length; at++) {
      if (this.#random.chance(wordDropout)) continue;
      const row = rows[window * windowTokens + at] ?? 0;
      this.#places[to + at + 1] = row === 0 ? 0 : this.#place(row);
      this.#starts[to + at + 1] = starts[window * windowTokens + at] ?? 0;
    }
  }

  #place(row: number): number {
    const known = this.#placeOf[row] ?? 0;
    if (known !== 0) return known;
    this.#placeOf[row] = this.#rows.length;
    return this.#rows.push(row) - 1;
  }

  /** Multiplies the batch's words with the filters. */
  multiply(): void {
    const { conceptOf } = this.#words;
    for (let place = 1; place < this.#rows.length; place++) {
      const row = this.#rows[place] ?? 0;
      const concept = conceptOf[row] ?? 0;
      this.parameters.multiply(this.vectors, row, concept, this.#values, place * rowBytes);
    }
    this.#errors.fill(0, 0, this.#rows.length * rowBytes);
    const { biases, starts } = this.parameters;
    for (let at = 0; at < this.#biases.length; at++) {
      const filter = at % filters;
      let bias = biases[filter] ?? 0;
      for (let place = 0; place < filterWords; place++) {
        if (((at / filters) & (1 << place)) !== 0) bias += starts[place * filters + filter] ?? 0;
      }
      this.#biases[at] = bias;
    }
  }

  /** Forward and back for the window at a place of the batch. */
  learn(
    { lengths, heads, labels, weights, raws }: NetworkWindows,
    window: number,
    place: number,
  ): void {
    const from = place * (windowTokens + 2);
    this.#convolve(from, lengths[window] ?? 0);
    const head = heads[window] ?? 0;
    const own = this.parameters.heads;
    let raw = (raws[window] ?? 0) + (this.parameters.headBiases[head] ?? 0);
    for (let filter = 0; filter < filters; filter++) {
      const kept = this.#random.chance(filterDropout) ? 0 : 1 / (1 - filterDropout);
      const value = (this.#most[filter] ?? 0) * kept;
      this.#most[filter] = value;
      raw += value * (own[head * filters + filter] ?? 0);
    }
    const error = (1 / (1 + Math.exp(-raw)) - (labels[window] ?? 0)) * (weights[window] ?? 0);
    const gradients = this.#gradients;
    gradients.headBiases[head] = (gradients.headBiases[head] ?? 0) + error;
    for (let filter = 0; filter < filters; filter++) {
      const value = this.#most[filter] ?? 0;
      if (value === 0) continue;
      const at = head * filters + filter;
      gradients.heads[at] = (gradients.heads[at] ?? 0) + error * value;
      this.#blame(filter, from, (error * (own[at] ?? 0)) / (1 - filterDropout));
    }
  }

  /** Each filter's greatest value in a window, and where. */
  #convolve(from: number, length: number): void {
    const values = this.#values;
    const most = this.#most;
    most.fill(0);
    for (let at = from + 1; at <= from + length; at++) {
      const before = (this.#places[at - 1] ?? 0) * rowBytes;
      const own = (this.#places[at] ?? 0) * rowBytes + filters;
      const behind = (this.#places[at + 1] ?? 0) * rowBytes + 2 * filters;
      const begin =
        (this.#starts[at - 1] ?? 0) |
        ((this.#starts[at] ?? 0) << 1) |
        ((this.#starts[at + 1] ?? 0) << 2);
      for (let filter = 0; filter < filters; filter++) {
        const value =
          (this.#biases[begin * filters + filter] ?? 0) +
          (values[before + filter] ?? 0) +
          (values[own + filter] ?? 0) +
          (values[behind + filter] ?? 0);
        if (value <= (most[filter] ?? 0)) continue;
        most[filter] = value;
        this.#mostAt[filter] = at;
      }
    }
  }

  /** Hands a filter's error on to the words under its greatest value. */
  #blame(filter: number, from: number, error: number): void {
    const { biases, starts } = this.#gradients;
    biases[filter] = (biases[filter] ?? 0) + error;
    const middle = this.#mostAt[filter] ?? from;
    for (let under = 0; under < filterWords; under++) {
      const at = middle + under - 1;
      const column = under * filters + filter;
      const place = this.#places[at] ?? 0;
      const cell = place * rowBytes + column;
      if (place !== 0) this.#errors[cell] = (this.#errors[cell] ?? 0) + error;
      if (this.#starts[at] === 1) starts[column] = (starts[column] ?? 0) + error;
    }
  }

  /** Ends the batch with a step. */
  step(rate: number): void {
    for (let place = 1; place < this.#rows.length; place++) this.#gather(place, rate);
    this.#adam(rate);
    for (const row of this.#rows) this.#placeOf[row] = 0;
    this.#rows.length = 1;
    this.#windows = 0;
    this.#gradients.all.fill(0);
  }

  /** From the errors of a word's products to the filters', its concept's and its own vector's. */
  #gather(place: number, rate: number): void {
    const { conceptOf, learnedFrom } = this.#words;
    const row = this.#rows[place] ?? 0;
    const from = row * vectorLength;
    const concept = conceptOf[row] ?? 0;
    const isLearned = row >= learnedFrom;
    const { products, concepts } = this.#gradients;
    const vectors = this.vectors;
    const own = isLearned ? new Float32Array(vectorLength) : undefined;
    for (let column = 0; column < rowBytes; column++) {
      const error = this.#errors[place * rowBytes + column] ?? 0;
      if (error === 0) continue;
      if (concept !== 0) {
        const at = concept * rowBytes + column;
        concepts[at] = (concepts[at] ?? 0) + error;
      }
      for (let i = 0; i < vectorLength; i++) {
        const at = i * rowBytes + column;
        products[at] = (products[at] ?? 0) + error * (vectors[from + i] ?? 0);
        if (own !== undefined) own[i] = (own[i] ?? 0) + error * (this.parameters.products[at] ?? 0);
      }
    }
    if (own === undefined) return;
    const square = own.reduce((sum, value) => sum + value * value, 0) / vectorLength;
    this.#squares[row] = (this.#squares[row] ?? 0) + square;
    const step = (vectorRate * rate) / firstRate / Math.sqrt((this.#squares[row] ?? 0) + 1e-8);
    for (let i = 0; i < vectorLength; i++) {
      vectors[from + i] = (vectors[from + i] ?? 0) - step * (own[i] ?? 0);
    }
  }

  /** Kingma and Ba, 2015. */
  #adam(rate: number): void {
    this.#steps++;
    const share = rate / (1 - 0.9 ** this.#steps);
    const scale = 1 - 0.999 ** this.#steps;
    const all = this.parameters.all;
    const gradients = this.#gradients.all;
    for (let at = 0; at < all.length; at++) {
      const value = all[at] ?? 0;
      const gradient = (gradients[at] ?? 0) / batchWindows + decay * value;
      const first = 0.9 * (this.#first[at] ?? 0) + 0.1 * gradient;
      const second = 0.999 * (this.#second[at] ?? 0) + 0.001 * gradient * gradient;
      this.#first[at] = first;
      this.#second[at] = second;
      all[at] = value - (share * first) / (Math.sqrt(second / scale) + 1e-7);
    }
  }
}
