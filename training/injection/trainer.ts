import { injectionTextBytesMax, injectionTextOverlapBytes } from "../../src/contract/limits.ts";
import type { Features } from "../../src/detectors/injection/features.ts";
import { Reader } from "../../src/detectors/injection/reader.ts";
import { cutUtf8, pieces } from "../../src/workers/segment/text-cut.ts";
import { Random } from "../names/random.ts";
import { Examples, exampleDefaults, type Example, type ExampleOptions } from "./examples.ts";
import { Learner, learnerDefaults, type LearnerOptions } from "./learner.ts";
import type { LinearModel, Window } from "./linear-model.ts";
import type { Row } from "./rows.ts";

export interface TrainingOptions {
  readonly epochs: number;
  readonly seed: number;
  readonly learner: LearnerOptions;
  readonly examples: ExampleOptions;
  /** Windows of an honest text that a step is taken on, the worst first. */
  readonly honestWindows: number;
}

export const trainingDefaults: TrainingOptions = {
  epochs: 10,
  seed: 20_251_121,
  learner: learnerDefaults,
  examples: exampleDefaults,
  honestWindows: 2,
};

/** An honest window with log-odds below this teaches nothing more. */
const settledRaw = -6;

/** Trains the linear model on rows, the features and windows being the runtime's own. */
export function train(rows: readonly Row[], options: TrainingOptions): LinearModel {
  const random = new Random(options.seed);
  const learner = new Learner(random, options.learner);
  const examples = new Examples(rows, random, options.examples);
  const reader = new Reader();
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    learner.rateShare = stepShare(epoch, options.epochs);
    for (const example of examples.epoch()) {
      for (const utf8 of piecesOf(example)) {
        const features = reader.read(utf8);
        for (const window of worstWindows(
          learner.model,
          features,
          example,
          options.honestWindows,
        )) {
          if (example.label === 0 && window.raw <= settledRaw) continue;
          learner.step(features, window, example.segment, example.label, example.weight);
        }
      }
    }
  }
  return learner.model;
}

/** Steps shrink to a tenth. */
function stepShare(epoch: number, epochs: number): number {
  return 1 - (0.9 * epoch) / epochs;
}

/** Attacks are shorter than one piece, or their best window is in the first. */
export function piecesOf({ text, label }: Example): Buffer[] {
  return cut(Buffer.from(text)).slice(0, label === 1 ? 1 : Infinity);
}

/** The windows to learn an example from: of an attack its best one, of an honest text the worst. */
export function worstWindows(
  model: LinearModel,
  features: Features,
  example: Example,
  honestWindows: number,
): readonly Window[] {
  const windows = model.windows(features, example.segment);
  if (example.label === 0) {
    return spread(
      windows.sort((a, b) => b.raw - a.raw),
      honestWindows,
    );
  }
  const own = windows.filter((window) => overlaps(features, window, example));
  return spread(
    own.sort((a, b) => b.raw - a.raw),
    1,
  );
}

/** The first few, none next to one taken before: neighbours share a block. */
function spread(windows: readonly Window[], most: number): Window[] {
  const taken: Window[] = [];
  for (const window of windows) {
    if (taken.length >= most) break;
    if (taken.every(({ block }) => Math.abs(block - window.block) > 1)) taken.push(window);
  }
  return taken;
}

function overlaps({ origins }: Features, { block }: Window, { from, to }: Example): boolean {
  const start = origins[Math.max(0, block - 1)] ?? 0;
  const end = Math.max(origins[block + 1] ?? 0, (origins[block] ?? 0) + 1);
  return start < to && end > from;
}

/** Texts as the runtime's scanner cuts them. */
export function cut(bytes: Buffer): Buffer[] {
  const [max, overlap] = [injectionTextBytesMax, injectionTextOverlapBytes];
  return [...pieces(bytes, 0, bytes.length, cutUtf8, max, overlap)].map(([from, to]) =>
    bytes.subarray(from, to),
  );
}
