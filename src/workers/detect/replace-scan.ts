import type { Sensitivity } from "../../contract/scan.ts";
import { requestScore } from "../../detectors/injection/request-score.ts";
import { judge } from "../../detectors/injection/verdict.ts";
import type { InjectionScan } from "./injection-scan.ts";
import type { Replaced } from "../pool/scan-job.ts";
import type { Leaf, LeafVisitor } from "../segment/leaf.ts";
import { splitWrappers } from "../segment/wrappers.ts";
import { TextJoiner, type ScoredLeaf, type Text } from "../segment/text-joiner.ts";

/**
 * Decides which tools' results, and which texts that a harness put into the user role, must be replaced
 * (docs/decisions/0042-harmful-results-are-replaced.md). All other leaves go to `others`.
 *
 * A text's decision depends only on its message and on earlier ones, so that it is the same in all
 * later turns: texts are joined only within a message, their score depends on the number of texts so
 * far, and they are scored against the user's earlier words. So pending texts are decided before more
 * of the user's text is read.
 */
export class ReplaceScan implements LeafVisitor {
  readonly replaced: Replaced[] = [];
  /** The highest score that a replaced text had; 0: none was replaced. */
  replacedScore = 0;
  /** The leaf that had this score. */
  replacedLeaf: ScoredLeaf | null = null;
  /** All the texts that may be replaced. */
  readonly results: InjectionScan;
  readonly #bytes: Buffer;
  readonly #sensitivity: Sensitivity;
  readonly #others: TextJoiner;
  readonly #joiner: TextJoiner;
  #texts = 0;
  #last: ScoredLeaf | null = null;
  readonly #decided = new Set<ScoredLeaf>();

  /**
   * `buffer` is as for the joiner, but must not be the buffer of `others`. `results` scores the texts
   * and must be new.
   */
  constructor(
    bytes: Buffer,
    buffer: Buffer,
    results: InjectionScan,
    sensitivity: Sensitivity,
    others: TextJoiner,
  ) {
    this.#bytes = bytes;
    this.#sensitivity = sensitivity;
    this.#others = others;
    this.results = results;
    this.#joiner = new TextJoiner(bytes, buffer, (text) => this.#decide(text), false);
  }

  /**
   * The number of leaves that may be replaced. A harness text counts with the leaf that it is in.
   */
  get leaves(): number {
    return this.#joiner.leaves;
  }

  leaf(leaf: Leaf): void {
    if (leaf.isResult === true && leaf.isSigned !== true) {
      this.#others.flush();
      return this.#joiner.leaf(leaf);
    }
    const parts = leaf.segment === "user" ? splitWrappers(this.#bytes, leaf.start, leaf.end) : null;
    if (parts === null) return this.#pass(leaf);
    for (const { isHarness, start, end } of parts) {
      if (isHarness) this.#joiner.part({ ...leaf, segment: "harness", start, end });
      else this.#pass({ ...leaf, start, end });
    }
  }

  #pass(leaf: Leaf): void {
    if (leaf.segment === "user") this.#joiner.flush();
    this.#others.leaf(leaf);
  }

  unscanned(): void {
    // Not text.
  }

  /** To be called after the last leaf. */
  flush(): void {
    this.#joiner.flush();
  }

  #decide(text: Text): void {
    const { spans } = text;
    if (spans[0]?.leaf !== this.#last) this.#texts++;
    this.#last = spans.at(-1)?.leaf ?? null;
    this.results.add(text);
    const score = this.#scoreOf(text.utf8, text);
    if (!this.#blocks(score)) return;
    const alone = spans.filter(({ from, until }) =>
      this.#blocks(this.#scoreOf(text.utf8.subarray(from, until), text)),
    );
    // If no text blocks alone, all of them block together.
    for (const { leaf } of alone.length > 0 ? alone : spans) this.#replace(leaf);
    if (score <= this.replacedScore) return;
    this.replacedScore = score;
    this.replacedLeaf = (alone[0] ?? spans[0])?.leaf ?? null;
  }

  /** NaN if the score can't be computed. `results` notes that. */
  #scoreOf(utf8: Buffer, { segment }: Text): number {
    return requestScore(this.results.scoreOf(utf8, segment), this.#texts);
  }

  #blocks(score: number): boolean {
    return !Number.isNaN(score) && judge(score, this.#sensitivity).verdict === "block";
  }

  #replace(leaf: ScoredLeaf): void {
    if (this.#decided.has(leaf)) return;
    this.#decided.add(leaf);
    const { start, end, form } = leaf;
    this.replaced.push({ start, end, isValue: form === "serialized" });
  }
}
