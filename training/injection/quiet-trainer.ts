import { clueCount } from "../../src/detectors/injection/quiet/clues.ts";
import { Random } from "../names/random.ts";

/** A text as the trainer sees it: the clues of each of its sentences that names a deed. */
export interface QuietExample {
  readonly sentences: readonly Int32Array[];
  readonly label: 0 | 1;
  readonly weight: number;
}

export interface QuietWeights {
  readonly bias: number;
  readonly weights: Float64Array;
}

const epochs = 24;
const seed = 36;
/** Models that are trained apart and averaged: what they don't agree on is chance. */
const models = 3;
/** Share of a sentence's clues left out of a step. */
const dropout = 0.3;
/** First step of AdaGrad, and how much less it is at the end. */
const firstRate = 0.15;
const rateLost = 0.9;
const biasRate = 0.02;
/** L2 on each weight that a step touches. */
const decay = 3e-3;
/** Sentences of an honest text that a step is taken on, the worst first. */
const honestSentences = 3;
/** An error below this teaches nothing more. */
const settled = 0.002;
/** Epochs for which an honest text that taught nothing rests. */
const restEpochs = 3;

/** Logistic regression on sentences by AdaGrad; of an attack its worst sentence counts. Deterministic. */
export function trainQuiet(examples: readonly QuietExample[]): QuietWeights {
  const mean = new Float64Array(clueCount);
  let bias = 0;
  for (let model = 0; model < models; model++) {
    const one = trainOne(examples, new Random(seed + model));
    bias += one.bias / models;
    for (let clue = 0; clue < clueCount; clue++) {
      mean[clue] = (mean[clue] ?? 0) + (one.weights[clue] ?? 0) / models;
    }
  }
  return { bias, weights: mean };
}

function trainOne(examples: readonly QuietExample[], random: Random): QuietWeights {
  const weights = new Float64Array(clueCount);
  const squares = new Float64Array(clueCount).fill(1);
  let bias = -3;
  const known = examples
    .filter(({ sentences }) => sentences.length > 0)
    .map((example) => ({ example, rests: 0 }));
  for (let epoch = 0; epoch < epochs; epoch++) {
    const rate = firstRate * (1 - (rateLost * epoch) / epochs);
    for (const one of random.shuffle([...known])) {
      if (one.rests > 0) {
        one.rests--;
        continue;
      }
      const { sentences, label, weight } = one.example;
      let learned = label === 1;
      for (const { sentence, raw } of worst({ bias, weights }, sentences, label)) {
        const error = weight * (label - 1 / (1 + Math.exp(-raw)));
        if (Math.abs(error) < settled) continue;
        learned = true;
        bias += rate * biasRate * error;
        for (const clue of sentence) {
          if (random.next() < dropout) continue;
          const square = (squares[clue] ?? 0) + error * error;
          squares[clue] = square;
          const own = weights[clue] ?? 0;
          weights[clue] = own + (rate / Math.sqrt(square)) * (error - decay * own);
        }
      }
      if (!learned) one.rests = restEpochs;
    }
  }
  return { bias, weights };
}

/** Log-odds of a text; -Infinity where no sentence names a deed. */
export function quietLogOdds(model: QuietWeights, sentences: readonly Int32Array[]): number {
  return Math.max(-Infinity, ...sentences.map((sentence) => rawOf(model, sentence)));
}

function worst(
  model: QuietWeights,
  sentences: readonly Int32Array[],
  label: 0 | 1,
): { sentence: Int32Array; raw: number }[] {
  return sentences
    .map((sentence) => ({ sentence, raw: rawOf(model, sentence) }))
    .sort((a, b) => b.raw - a.raw)
    .slice(0, label === 1 ? 1 : honestSentences);
}

function rawOf({ bias, weights }: QuietWeights, sentence: Int32Array): number {
  let sum = bias;
  for (const clue of sentence) sum += weights[clue] ?? 0;
  return sum;
}
