import { createHmac, type KeyObject } from "node:crypto";
import { rememberedTextBytesMin } from "../contract/limits.ts";
import type { InjectionDetector } from "../detectors/injection/detector.ts";

/** 128 bits, kept as so many latin1 characters. */
const keyBytes = 16;

/**
 * Numbers that were computed of texts before, their scores and their tokens, so that a conversation
 * which grows by a turn costs a turn (design: Screen). The key is an HMAC with a secret of this
 * process, for a collision that somebody can choose would let an attack pass; the organization is
 * part of it, for an entry that tenants share would tell one by its speed what the other sent.
 * Verdicts are not remembered but scores, so no policy needs to be. The least recently used entry
 * makes room.
 */
export class TextMemory {
  readonly #secret: KeyObject;
  readonly #entriesMax: number;
  readonly #numbers = new Map<string, number>();

  constructor(secret: KeyObject, entriesMax: number) {
    this.#secret = secret;
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** The detector, with the memory of one organization. */
  over(detector: InjectionDetector, orgId: string): InjectionDetector {
    const owner = JSON.stringify([orgId, detector.version]);
    return {
      version: detector.version,
      score: (utf8, segment) =>
        this.recall(`${owner}${segment}`, utf8, () => detector.score(utf8, segment)),
    };
  }

  /**
   * What `compute` gives for a text, computed or remembered. `owner` names organization, purpose and
   * version. Neither a short text's number nor NaN is remembered.
   */
  recall(owner: string, utf8: Buffer, compute: () => number): number {
    if (utf8.length < rememberedTextBytesMin) return compute();
    const key = this.#key(owner, utf8);
    const number = this.#take(key) ?? compute();
    this.#put(key, number);
    return number;
  }

  #key(owner: string, utf8: Buffer): string {
    const hmac = createHmac("sha256", this.#secret).update(`${owner}:`).update(utf8);
    return hmac.digest().toString("latin1", 0, keyBytes);
  }

  #take(key: string): number | undefined {
    const number = this.#numbers.get(key);
    // Put back it stands last, and the first is the least recently used.
    this.#numbers.delete(key);
    return number;
  }

  #put(key: string, number: number): void {
    if (Number.isNaN(number)) return;
    const [oldest] = this.#numbers.keys();
    if (this.#numbers.size >= this.#entriesMax && oldest !== undefined) {
      this.#numbers.delete(oldest);
    }
    this.#numbers.set(key, number);
  }
}
