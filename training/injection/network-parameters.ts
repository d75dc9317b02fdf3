import {
  filters,
  rowBytes,
  type Network,
  type NetworkHead,
} from "../../src/detectors/injection/word-network.ts";
import type { Random } from "../names/random.ts";
import { vectorLength } from "./word-vectors.ts";

/** Of a filter's products so many are cut at the greatest step, so that the many small ones keep theirs. */
const cutShare = 0.0001;

/** All that training the network changes but the vectors of words, in one array and as views of it. */
export class NetworkParameters {
  readonly all: Float32Array;
  /** By place of a vector, the products' factors of all filters' places. */
  readonly products: Float32Array;
  /** By concept, what it adds to a word's products. */
  readonly concepts: Float32Array;
  /** What a first word of a sentence adds. */
  readonly starts: Float32Array;
  readonly biases: Float32Array;
  /** By head, the weights of the filters' greatest values, then both heads' biases. */
  readonly heads: Float32Array;
  readonly headBiases: Float32Array;

  constructor(concepts: number) {
    const sizes = [
      vectorLength * rowBytes,
      (concepts + 1) * rowBytes,
      rowBytes,
      filters,
      2 * filters,
      2,
    ];
    this.all = new Float32Array(sizes.reduce((sum, size) => sum + size, 0));
    let from = 0;
    const next = (): Float32Array => this.all.subarray(from, (from += sizes.shift() ?? 0));
    this.products = next();
    this.concepts = next();
    this.starts = next();
    this.biases = next();
    this.heads = next();
    this.headBiases = next();
  }

  /** Small numbers by chance, alike for both heads. */
  fill(random: Random): void {
    for (let at = 0; at < this.products.length; at++) {
      this.products[at] = (normal(random) * 0.7) / Math.sqrt(vectorLength * 3);
    }
    for (let filter = 0; filter < filters; filter++) {
      const weight = (normal(random) * 0.3) / Math.sqrt(filters);
      this.heads[filter] = weight;
      this.heads[filters + filter] = weight;
    }
  }

  /** A row's products with all filters, into `to` from `at` on. */
  multiply(
    vectors: Float32Array,
    row: number,
    concept: number,
    to: Float32Array,
    at: number,
  ): void {
    const own = this.concepts;
    for (let j = 0; j < rowBytes; j++) to[at + j] = own[concept * rowBytes + j] ?? 0;
    const { products } = this;
    const from = row * vectorLength;
    for (let i = 0; i < vectorLength; i += 4) {
      const a = vectors[from + i] ?? 0;
      const b = vectors[from + i + 1] ?? 0;
      const c = vectors[from + i + 2] ?? 0;
      const d = vectors[from + i + 3] ?? 0;
      if (a === 0 && b === 0 && c === 0 && d === 0) continue;
      const first = i * rowBytes;
      for (let j = 0; j < rowBytes; j++) {
        to[at + j] =
          (to[at + j] ?? 0) +
          a * (products[first + j] ?? 0) +
          b * (products[first + rowBytes + j] ?? 0) +
          c * (products[first + 2 * rowBytes + j] ?? 0) +
          d * (products[first + 3 * rowBytes + j] ?? 0);
      }
    }
  }

  /** The table and what goes with it, as the runtime reads them. */
  quantized(vectors: Float32Array, conceptOf: Uint8Array): Omit<Network, "keys" | "rows"> {
    const rows = conceptOf.length;
    const values = new Float32Array(rows * rowBytes);
    for (let row = 1; row < rows; row++) {
      this.multiply(vectors, row, conceptOf[row] ?? 0, values, row * rowBytes);
    }
    const scales = Array.from({ length: filters }, (_, filter) => scaleOf(values, filter));
    const table = Int8Array.from(values, (value, at) =>
      Math.max(-127, Math.min(127, Math.round(value / (scales[at % filters] ?? 1)))),
    );
    const steps = (from: Float32Array): number[] =>
      Array.from(from, (value, at) => Math.round(value / (scales[at % filters] ?? 1)));
    const head = (which: number): NetworkHead => ({
      bias: rounded(this.headBiases[which] ?? 0),
      weights: scales.map((scale, filter) =>
        rounded(scale * (this.heads[which * filters + filter] ?? 0)),
      ),
    });
    const concepts = this.concepts.length / rowBytes - 1;
    return {
      header: {
        rows,
        concepts,
        biases: steps(this.biases),
        starts: steps(this.starts),
        user: head(0),
        tool: head(1),
      },
      table,
    };
  }
}

function scaleOf(values: Float32Array, filter: number): number {
  const own = new Float32Array(values.length / filters);
  for (let at = 0; at < own.length; at++) own[at] = Math.abs(values[at * filters + filter] ?? 0);
  own.sort();
  return Math.max(1e-6, (own[Math.floor(own.length * (1 - cutShare))] ?? 1) / 127);
}

function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

/** Box and Muller's. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
