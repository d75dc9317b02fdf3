import { deedCount } from "./lexicon.ts";
import type { Sentences } from "./sentences.ts";

/** Targets of the user's that are remembered, and how much of what a user wrote is read. */
const targetsMax = 256;
const bytesMax = 256 * 1_024;

const deedBits = (1 << deedCount) - 1;

/**
 * What the user of a request has spoken of so far: the kinds of deeds that were asked for and the targets
 * that were named. A text is judged by what stands before it alone. What is not remembered for its size
 * makes later texts more suspicious, never less.
 */
export class QuietContext {
  /** Deeds that the user named, one bit each. */
  deeds = 0;
  readonly #targets = new Set<number>();
  #digest = 0;
  #bytes = 0;
  #hasText = false;
  readonly #sentences: Sentences;

  /** `sentences`: what reads the text; free again when `add` returns. */
  constructor(sentences: Sentences) {
    this.#sentences = sentences;
  }

  /** Whether the user has said anything. */
  get isKnown(): boolean {
    return this.#hasText;
  }

  /** Differs where a text may be judged otherwise. */
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
      // No matter in which order they were named.
      this.#digest = (this.#digest + Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)) | 0;
    }
  }
}
