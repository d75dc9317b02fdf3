import type { QuietContext } from "../../detectors/injection/quiet/context.ts";
import type { QuietScorer } from "../../detectors/injection/quiet/quiet-scorer.ts";
import { operatingPoints } from "../../detectors/injection/verdict.ts";
import type { TextMemory } from "./text-memory.ts";

/**
 * This score is below the balanced point and above the strict one, so at `balanced` the scorer only
 * flags. The reason is that it still gives high scores to too many honest texts of kinds that its
 * training lacked (docs/decisions/0036-quiet-injections.md).
 */
const quietScoreMax = operatingPoints.balanced - 0.01;

/**
 * Scores the results of tools in one request against the user's earlier texts, in the order of the
 * request. A text's score depends only on itself and on earlier texts.
 */
export class QuietScan {
  readonly #scorer: QuietScorer;
  readonly #context: QuietContext;
  readonly #memory: TextMemory | null;
  readonly #orgId: string;

  /** Scores are remembered for an organization, or not at all if it is unknown. */
  constructor(scorer: QuietScorer, memory: TextMemory, orgId: string | undefined) {
    this.#scorer = scorer;
    this.#context = scorer.begin();
    this.#memory = orgId === undefined ? null : memory;
    this.#orgId = orgId ?? "";
  }

  /** Remembers a text of the user, UTF-8. */
  hear(utf8: Buffer): void {
    this.#context.add(utf8);
  }

  /**
   * 0 to `quietScoreMax` for a tool's text. The key of a remembered score contains all of the context
   * that the score depends on.
   */
  score(utf8: Buffer): number {
    const context = this.#context;
    const compute = (): number => Math.min(quietScoreMax, this.#scorer.score(utf8, context));
    if (this.#memory === null) return compute();
    const owner = JSON.stringify([this.#orgId, this.#scorer.version, context.digest]);
    return this.#memory.recall(owner, utf8, compute);
  }
}
