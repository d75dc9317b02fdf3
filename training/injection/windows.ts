import type { Segment } from "../../src/contract/scan.ts";
import type { Features } from "../../src/detectors/injection/features.ts";
import { Reader } from "../../src/detectors/injection/reader.ts";
import { blockTokens } from "../../src/detectors/injection/tokens.ts";
import { Random } from "../names/random.ts";
import { Examples, exampleDefaults, type Example } from "./examples.ts";
import { headOf, type LinearModel, type Window } from "./linear-model.ts";
import type { Row } from "./rows.ts";
import { piecesOf, worstWindows } from "./trainer.ts";

export const windowTokens = 2 * blockTokens;

/** The network learns where the linear model leaves something open, and from attacks that it misses. */
const rawMin = -5;
/** What the linear model says counts so much at most: it is surer of what it saw. */
const rawMost = 5;
/** Epochs of examples that windows are taken from; the network sees each window once. */
const epochs = 6;
/** Windows of an honest text, the worst first, that share no block. */
const honestWindows = 2;
/** What an honest window counts beside an attack's: a false alarm costs more than a miss. */
const honestWeight = 1.5;

/** Windows to train the network on, each with what a linear model that has not seen it says. */
export class TrainingWindows {
  count = 0;
  /** `windowTokens` places a window; 0 where there is no word. */
  hashes = new Int32Array(windowTokens << 12);
  concepts = new Uint8Array(windowTokens << 12);
  starts = new Uint8Array(windowTokens << 12);
  /** Words in each window. */
  lengths = new Uint8Array(1 << 12);
  heads = new Uint8Array(1 << 12);
  labels = new Uint8Array(1 << 12);
  weights = new Float32Array(1 << 12);
  raws = new Float32Array(1 << 12);

  /** Adds the window of a text that ends with `block`. */
  add(features: Features, { block, raw }: Window, segment: Segment, example: Example): void {
    if (this.count === this.lengths.length) this.#grow();
    const at = this.count++;
    let place = at * windowTokens;
    for (let part = features.begins[block] === 1 ? block : block - 1; part <= block; part++) {
      const from = part * blockTokens;
      const to = from + (features.wordCounts[part] ?? 0);
      this.hashes.set(features.words.subarray(from, to), place);
      this.concepts.set(features.wordConcepts.subarray(from, to), place);
      this.starts.set(features.wordStarts.subarray(from, to), place);
      place += to - from;
    }
    this.lengths[at] = place - at * windowTokens;
    this.heads[at] = headOf(segment);
    this.labels[at] = example.label;
    // Weights level sources; their root levels them less, for windows are chosen by what is hard.
    this.weights[at] = Math.sqrt(example.weight) * (example.label === 0 ? honestWeight : 1);
    this.raws[at] = Math.max(-rawMost, Math.min(rawMost, raw));
  }

  #grow(): void {
    const grown = <A extends Int32Array | Uint8Array | Float32Array>(from: A, to: A): A => {
      to.set(from);
      return to;
    };
    this.hashes = grown(this.hashes, new Int32Array(this.hashes.length * 2));
    this.concepts = grown(this.concepts, new Uint8Array(this.concepts.length * 2));
    this.starts = grown(this.starts, new Uint8Array(this.starts.length * 2));
    this.lengths = grown(this.lengths, new Uint8Array(this.lengths.length * 2));
    this.heads = grown(this.heads, new Uint8Array(this.heads.length * 2));
    this.labels = grown(this.labels, new Uint8Array(this.labels.length * 2));
    this.weights = grown(this.weights, new Float32Array(this.weights.length * 2));
    this.raws = grown(this.raws, new Float32Array(this.raws.length * 2));
  }
}

/** What of them a thread hands on. */
export type WindowColumns = Omit<TrainingWindows, "add">;

/** The windows of some epochs' examples from rows that the linear model has not seen. */
export function collectWindows(
  rows: readonly Row[],
  linear: LinearModel,
  seed: number,
): TrainingWindows {
  const examples = new Examples(rows, new Random(seed), exampleDefaults);
  const reader = new Reader();
  const found = new TrainingWindows();
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const example of examples.epoch()) {
      for (const utf8 of piecesOf(example)) {
        const features = reader.read(utf8);
        for (const window of worstWindows(linear, features, example, honestWindows)) {
          if (window.raw > rawMin) found.add(features, window, example.segment, example);
        }
      }
    }
  }
  return found;
}
