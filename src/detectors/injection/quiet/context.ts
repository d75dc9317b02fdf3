import { deedCount } from "./lexicon.ts";
import type { Sentences } from "./sentences.ts";

/**
 * The most targets of the user that are remembered, and the most bytes of the user's texts that are
 * read.
 */
const targetsMax = 256;
const bytesMax = 256 * 1_024;

const deedBits = (1 << deedCount) - 1;

/**
 * What the user of a request has written about so far: the kinds of deeds that the user asked for, and
 * the targets that the user named. A text is judged only by the texts before it. Targets and texts beyond
 * the limits are not remembered. That makes later texts more suspicious, never less.
 */
export class QuietContext {
  /** Deeds that the user named, one bit each. */
  deeds = 0;
  readonly #targets = new Set<number>();
  #digest = 0;
  #bytes = 0;
  #hasText = false;
  readonly #sentences: Sentences;

  /** `sentences` reads the text. Others may use it again when `add` returns. */
  constructor(sentences: Sentences) {
    this.#sentences = sentences;
  }

  /** Whether the user has said anything. */
  get isKnown(): boolean {
    return this.#hasText;
  }

  /** Two contexts with the same digest judge a text in the same way. */
  get digest(): string {
    return this.#hasText ? `${this.deeds} ${this.#targets.size} ${this.#digest}` : "";
  }

  names(target: number): boolean {
    return this.#targets.has(target);
  }

  /** Adds a text of the user, UTF-8. */
  add(utf8: Buffer): void {
    if (this.#bytes >= bytesMax) return;
    this.#bytes += utf8.length;
    this.#hasText = true;
    const sentences = this.#sentences;
    sentences.read(utf8);
    for (let at = 0; at < sentences.count; at++) this.deeds |= (sentences.low[at] ?? 0) & deedBits;
    const { targets } = sentences;
    for (let at = 0; at < targets.count && this.#targets.size < targetsMax; at++) {
      const hash = targets.hashes[at] ?? 0;
      if (this.#targets.has(hash)) continue;
      this.#targets.add(hash);
      // The digest does not depend on the order of the targets.
      this.#digest = (this.#digest + Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)) | 0;
    }
  }
}
