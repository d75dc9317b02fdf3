import type { Segment } from "../../contract/scan.ts";
import { calibrated } from "./calibrated.ts";
import type { InjectionDetector, ScoredSegment } from "./detector.ts";
import { featuresFingerprint } from "./fingerprint.ts";
import { HarnessReader, harnessInputs, harnessScore } from "./harness-stage.ts";
import { HeadScorer } from "./head-scorer.ts";
import type { InjectionModel } from "./model-file.ts";
import { Reader } from "./reader.ts";
import { WordNetwork } from "./word-network.ts";

/** The window of a text that scored highest. */
export interface WorstWindow {
  /** Log-odds of the text, before calibration. */
  readonly raw: number;
  /** Offsets in the text, UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/**
 * Scores text by a linear model over hashed features, window by window. The worst window counts. If
 * the verdict is still open then, a small network also reads the two worst windows. The detector is
 * not reentrant, so every thread has its own. The weights may be shared.
 */
export class ModelDetector implements InjectionDetector {
  readonly version: string;
  readonly #model: InjectionModel;
  readonly #reader = new Reader();
  readonly #heads: Readonly<Record<Segment, HeadScorer>>;
  readonly #harness: HarnessReader;

  /** Throws a RangeError if the model was trained with code that reads text differently. */
  constructor(model: InjectionModel) {
    if (model.header.features !== featuresFingerprint()) {
      throw new RangeError("the injection model was trained for other features");
    }
    if (model.header.harness.weights.length !== harnessInputs) {
      throw new RangeError("the injection model's second stage was trained for other inputs");
    }
    const network = new WordNetwork({ header: model.header.network, ...model.network });
    this.#model = model;
    this.#heads = {
      user: new HeadScorer(model, "user", network),
      tool: new HeadScorer(model, "tool", network),
    };
    this.#harness = new HarnessReader(this.#heads, network);
    this.version = model.header.version;
  }

  score(utf8: Buffer, segment: ScoredSegment): number {
    if (segment !== "harness") {
      return calibrated(this.worst(utf8, segment).raw, this.#model.header[segment].calibration);
    }
    return harnessScore(this.harnessInputs(utf8), this.#model.header.harness);
  }

  /** The inputs of the second stage; valid until the next call. Throws as `worst` does. */
  harnessInputs(utf8: Buffer): Float64Array {
    return this.#harness.read(utf8, this.#reader.read(utf8));
  }

  /** Throws a RangeError if the text is longer than `injectionTextBytesMax`. */
  worst(utf8: Buffer, segment: Segment): WorstWindow {
    const features = this.#reader.read(utf8);
    const { raw, part } = this.#heads[segment].read(features);
    const start = features.origins[Math.max(0, part.block - 1)] ?? 0;
    return { raw, start, end: features.origins[part.block + 1] ?? 0 };
  }
}
