import type { InjectionDetector } from "../detectors/injection/detector.ts";
import type { ScoredLeaf, Span, Text } from "./text-joiner.ts";

/** The score of a request: that of its worst text. */
export class InjectionScan {
  readonly #detector: InjectionDetector;
  #score = 0;
  #worst: ScoredLeaf | null = null;
  #failed = false;

  constructor(detector: InjectionDetector) {
    this.#detector = detector;
  }

  /** 0 to 1; null where the detector failed on any text. */
  get score(): number | null {
    return this.#failed ? null : this.#score;
  }

  /** The leaf that scored highest, if any scored above 0. */
  get worst(): ScoredLeaf | null {
    return this.#failed ? null : this.#worst;
  }

  add(text: Text): void {
    const score = this.#scoreOf(text.utf8, text);
    if (Number.isNaN(score)) this.#failed = true;
    if (!(score > this.#score)) return;
    this.#score = score;
    this.#worst = this.#worstLeaf(text);
  }

  /** A detector that fails must not let the text pass, nor take other requests' scans with it. */
  #scoreOf(utf8: Buffer, { segment }: Text): number {
    try {
      return this.#detector.score(utf8, segment);
    } catch {
      return Number.NaN;
    }
  }

  #worstLeaf(text: Text): ScoredLeaf | null {
    const { spans, utf8 } = text;
    if (spans.length === 1) return spans[0]?.leaf ?? null;
    const scoreOf = ({ from, until }: Span): number =>
      this.#scoreOf(utf8.subarray(from, until), text);
    const scored = spans.map((span) => ({ span, score: scoreOf(span) }));
    return scored.reduce((worst, next) => (next.score > worst.score ? next : worst)).span.leaf;
  }
}
