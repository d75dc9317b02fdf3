import type { Segment } from "../../contract/scan.ts";
import { calibrated } from "./calibrated.ts";
import type { Features } from "./features.ts";
import type { HeadScorer } from "./head-scorer.ts";
import type { HarnessHead } from "./model-file.ts";
import { readShape, shapeLength } from "./text-shape.ts";
import { filters, type WordNetwork } from "./word-network.ts";

/**
 * How many numbers one head gives: log-odds of the text and its windows, how many windows are hot, the
 * network's share.
 */
const headLength = 6;
/** The numbers of the two heads, of the windows, of both heads together, and of the bends. */
const readingLength = 2 * headLength + 1 + 7 + 9;
/** Inputs of the second stage. */
export const harnessInputs = readingLength + filters + shapeLength + 2;

/** Log-odds are cut off at this value. */
const rawMost = 8;
/** A window with log-odds of at least this value is hot. */
const hotRaw = -1;
/** The value of a filter, in steps, that counts as 1; and the most that a filter counts. */
const filterUnit = 64;
const filterMost = 4;

/**
 * The inputs of the second stage for a text that a coding agent added by itself: the results of both
 * heads and of the network for its windows, and how the text is written. An attack is hot throughout and
 * reads like prose. An honest rule file or log is long, has one hot window, and is full of lists, paths
 * and numbers (docs/decisions/0035). One object reads one text after the other.
 */
export class HarnessReader {
  readonly inputs = new Float64Array(harnessInputs);
  readonly #heads: Readonly<Record<Segment, HeadScorer>>;
  readonly #network: WordNetwork;

  constructor(heads: Readonly<Record<Segment, HeadScorer>>, network: WordNetwork) {
    this.#heads = heads;
    this.#network = network;
  }

  /**
   * `features` are those of `utf8`. The inputs are valid until the next call. They contain NaN if a
   * weight is NaN.
   */
  read(utf8: Buffer, features: Features): Float64Array {
    const { inputs } = this;
    this.#head("user", features, 0);
    const block = this.#head("tool", features, headLength);
    const windows = Math.log(Math.max(1, features.blocks));
    this.#join(windows);
    const values = this.#network.read(features, block);
    for (let filter = 0; filter < filters; filter++) {
      inputs[readingLength + filter] = Math.min(filterMost, (values[filter] ?? 0) / filterUnit);
    }
    const shape = readingLength + filters;
    readShape(utf8, inputs, shape);
    const [listShare, length] = [inputs[shape + 7] ?? 0, inputs[shape + 9] ?? 0];
    inputs[shape + shapeLength] = 0.1 * length * length;
    inputs[shape + shapeLength + 1] = listShare * windows;
    return inputs;
  }

  /** Returns the last block of the best window. */
  #head(segment: Segment, features: Features, at: number): number {
    const { inputs } = this;
    const scorer = this.#heads[segment];
    const { raw, part, network } = scorer.read(features);
    inputs[at] = bounded(raw);
    inputs[at + 1] = bounded(scorer.logOddsOf(part.best));
    inputs[at + 2] = bounded(scorer.second(part));
    inputs[at + 3] = bounded(scorer.logOddsOf(part.mean));
    inputs[at + 4] = scorer.shareAbove(hotRaw, part);
    inputs[at + 5] = network;
    return part.block;
  }

  /** Writes the numbers of the windows, of both heads window by window, and of the bends. */
  #join(windows: number): void {
    const { inputs } = this;
    const user = inputs.subarray(0, headLength);
    const tool = inputs.subarray(headLength, 2 * headLength);
    const [userRaw = 0, userBest = 0, , userMean = 0, userHot = 0] = user;
    const [toolRaw = 0, toolBest = 0, , toolMean = 0, toolHot = 0] = tool;
    let at = 2 * headLength;
    inputs[at++] = windows;
    inputs[at++] = windows * windows;
    for (const value of [userBest, toolBest, userMean, toolMean, userHot, toolHot]) {
      inputs[at++] = windows * value;
    }
    for (const [value, from] of [
      [userRaw, 0],
      [userRaw, 3],
      [toolRaw, 0],
      [toolRaw, 3],
      [userMean, -2],
      [userMean, 0],
      [toolMean, -4],
      [toolMean, -2],
      [toolMean, 0],
    ] as const) {
      inputs[at++] = Math.max(0, value - from);
    }
  }
}

/** The log-odds that the second stage gives to its inputs. */
export function harnessLogOdds(
  inputs: Float64Array,
  { bias, weights }: Pick<HarnessHead, "bias" | "weights">,
): number {
  let sum = bias;
  for (let at = 0; at < harnessInputs; at++) sum += (weights[at] ?? 0) * (inputs[at] ?? 0);
  return sum;
}

/** The index of the tool head's log-odds of the text among the inputs. */
export const toolRawAt = headLength;

/**
 * The calibrated score of inputs, 0 to 1; NaN if an input is NaN. The second stage finds texts that are
 * an attack throughout. The tool head, calibrated on the same honest texts, finds one sentence in a long
 * text.
 */
export function harnessScore(inputs: Float64Array, head: HarnessHead): number {
  const own = calibrated(harnessLogOdds(inputs, head), head.calibration);
  return Math.max(own, calibrated(inputs[toolRawAt] ?? 0, head.tool));
}

/** NaN stays NaN. */
function bounded(raw: number): number {
  return Math.min(rawMost, Math.max(-rawMost, raw));
}
