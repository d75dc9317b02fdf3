import { injectionTextBytesMax, injectionTextOverlapBytes } from "../../src/contract/limits.ts";
import type { Features } from "../../src/detectors/injection/features.ts";
import { Reader } from "../../src/detectors/injection/reader.ts";
import { cutUtf8, pieces } from "../../src/workers/text-cut.ts";
import { Random } from "../names/random.ts";
import { Examples, exampleDefaults, type Example, type ExampleOptions } from "./examples.ts";
import { Learner, learnerDefaults, type LearnerOptions, type Window } from "./learner.ts";
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
  epochs: 6,
  seed: 20_251_121,
  learner: learnerDefaults,
  examples: exampleDefaults,
  honestWindows: 2,
};

/** An honest window with log-odds below this teaches nothing more. */
const settledRaw = -6;

/** Trains on rows, the features and windows being the runtime's own. */
export function train(rows: readonly Row[], options: TrainingOptions): Learner {
  const random = new Random(options.seed);
  const learner = new Learner(random, options.learner);
  const examples = new Examples(rows, random, options.examples);
  const reader = new Reader();
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    learner.rateShare = 1 - (0.9 * epoch) / options.epochs;
    for (const example of examples.epoch()) {
      learn(learner, reader, example, options.honestWindows);
    }
  }
  return learner;
}

function learn(learner: Learner, reader: Reader, example: Example, honestWindows: number): void {
  const { text, segment, label, weight } = example;
  if (label === 0) {
    for (const utf8 of cut(Buffer.from(text))) {
      const features = reader.read(utf8);
      const worst = learner
        .windows(features, segment)
        .filter(({ raw }) => raw > settledRaw)
        .sort((a, b) => b.raw - a.raw);
      for (const window of spread(worst, honestWindows)) {
        learner.step(features, window, segment, 0, weight);
      }
    }
    return;
  }
  // Attacks are shorter than one piece, or their best window is in the first.
  const [utf8] = cut(Buffer.from(text));
  if (utf8 === undefined) return;
  const features = reader.read(utf8);
  const own = learner
    .windows(features, segment)
    .filter((window) => overlaps(features, window, example));
  if (own.length === 0) return;
  const best = own.reduce((a, b) => (b.raw > a.raw ? b : a));
  learner.step(features, best, segment, 1, weight);
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

/** The highest log-odds of any window. */
export function scoreOf(learner: Learner, reader: Reader, text: string, row: Row): number {
  let best = -Infinity;
  for (const utf8 of cut(Buffer.from(text))) {
    for (const { raw } of learner.windows(reader.read(utf8), row.segment)) {
      if (raw > best) best = raw;
    }
  }
  return best;
}
