import type { InjectionDetector, ScoredSegment } from "../../detectors/injection/detector.ts";
import { requestScore } from "../../detectors/injection/request-score.ts";
import type { QuietScan } from "./quiet-scan.ts";
import type { ScoredLeaf, Span, Text } from "../segment/text-joiner.ts";

/** The worst of a request's texts of one segment. */
interface Worst {
  /** Pieces of one long leaf count as one. */
  texts: number;
  last: ScoredLeaf | null;
  score: number;
  leaf: ScoredLeaf | null;
}

/**
 * The score of a request: the score of its worst text, corrected for the number of its texts. Texts of
 * users, tools and harnesses count separately, because long sessions have hundreds of tools' texts.
 */
export class InjectionScan {
  readonly #detector: InjectionDetector;
  readonly #worst: Readonly<Record<ScoredSegment, Worst>> = {
    user: { texts: 0, last: null, score: 0, leaf: null },
    tool: { texts: 0, last: null, score: 0, leaf: null },
    harness: { texts: 0, last: null, score: 0, leaf: null },
  };
  readonly #quiet: QuietScan | null;
  #failed = false;

  /** `quiet`: also scores tools' texts against the user's earlier texts; the higher score counts. */
  constructor(detector: InjectionDetector, quiet: QuietScan | null = null) {
    this.#detector = detector;
    this.#quiet = quiet;
  }

  /** 0 to 1; null if the detector failed on any text. */
  get score(): number | null {
    return this.#failed ? null : scoreOf(this.#worstOfAll());
  }

  /** The leaf that scored highest, if any scored above 0. */
  get worst(): ScoredLeaf | null {
    return this.#failed ? null : this.#worstOfAll().leaf;
  }

  #worstOfAll(): Worst {
    const { user, tool, harness } = this.#worst;
    const worst = scoreOf(tool) > scoreOf(user) ? tool : user;
    return scoreOf(harness) > scoreOf(worst) ? harness : worst;
  }

  add(text: Text): void {
    const score = this.scoreOf(text.utf8, text.segment);
    if (Number.isNaN(score)) this.#failed = true;
    if (text.segment === "user") this.#quiet?.hear(text.utf8);
    const worst = this.#worst[text.segment];
    const last = text.spans.at(-1)?.leaf ?? null;
    if (last === null || text.spans[0]?.leaf !== worst.last) worst.texts++;
    worst.last = last;
    if (!(score > worst.score)) return;
    worst.score = score;
    worst.leaf = this.#worstLeaf(text);
  }

  /**
   * The score of one text as it would count after the texts so far; NaN if it can't be computed. A
   * failing detector must not let the text pass, and must not fail other requests' scans.
   */
  scoreOf(utf8: Buffer, segment: ScoredSegment): number {
    try {
      const score = this.#detector.score(utf8, segment);
      if (segment !== "tool" || this.#quiet === null) return score;
      return Math.max(score, this.#quiet.score(utf8));
    } catch {
      return Number.NaN;
    }
  }

  #worstLeaf(text: Text): ScoredLeaf | null {
    const { spans, utf8, segment } = text;
    if (spans.length === 1) return spans[0]?.leaf ?? null;
    const scoreOfSpan = ({ from, until }: Span): number =>
      this.scoreOf(utf8.subarray(from, until), segment);
    const scored = spans.map((span) => ({ span, score: scoreOfSpan(span) }));
    return scored.reduce((worst, next) => (next.score > worst.score ? next : worst)).span.leaf;
  }
}

function scoreOf({ score, texts }: Worst): number {
  return requestScore(score, texts);
}
