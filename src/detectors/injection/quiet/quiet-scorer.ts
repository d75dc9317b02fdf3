import { calibrated } from "../calibrated.ts";
import { Clues } from "./clues.ts";
import { QuietContext } from "./context.ts";
import type { QuietModel } from "./quiet-model.ts";

/**
 * Scores a tool's result for quiet injections: orders that address nobody and are written in the style of
 * the text around them. It scores each sentence by its deeds, targets and forms, compared with what the user
 * wrote about (docs/decisions/0036). Not reentrant; the model may be shared.
 */
export class QuietScorer {
  readonly version: string;
  readonly #model: QuietModel;
  readonly #clues = new Clues();

  constructor(model: QuietModel) {
    this.#model = model;
    this.version = model.header.version;
  }

  /** The context of a new request, still without any text of the user. */
  begin(): QuietContext {
    return new QuietContext(this.#clues.sentences);
  }

  /**
   * A score from 0 to 1, calibrated to the operating points of all scores; 0 if no sentence names a
   * deed.
   */
  score(utf8: Buffer, context: QuietContext): number {
    const raw = this.logOdds(utf8, context);
    return raw === -Infinity ? 0 : calibrated(raw, this.#model.header.calibration);
  }

  /** Log-odds of the worst sentence; -Infinity if no sentence names a deed. */
  logOdds(utf8: Buffer, context: QuietContext): number {
    const clues = this.#clues;
    if (!clues.read(utf8)) return -Infinity;
    const { weights } = this.#model;
    const { bias, scale } = this.#model.header;
    let worst = -Infinity;
    for (let index = 0; index < clues.sentences.count; index++) {
      if (!clues.ofSentence(index, context)) continue;
      let sum = 0;
      for (let at = 0; at < clues.count; at++) sum += weights[clues.found[at] ?? 0] ?? 0;
      const raw = bias + scale * sum;
      if (raw > worst) worst = raw;
    }
    return worst;
  }
}
