import { createHmac, type KeyObject } from "node:crypto";
import { rememberedTextBytesMin } from "../contract/limits.ts";
import type { Segment } from "../contract/scan.ts";
import type { InjectionDetector } from "../detectors/injection/detector.ts";

/** 128 bits, kept as so many latin1 characters. */
const keyBytes = 16;

/**
 * Scores of texts that were scanned before, so that a conversation which grows by a turn costs a
 * turn (design: Screen). The key is an HMAC with a secret of this process, for a collision that
 * somebody can choose would let an attack pass; the organization is part of it, for an entry that
 * tenants share would tell one by its speed what the other sent. Verdicts are not remembered but
 * scores, so no policy needs to be. The least recently used entry makes room.
 */
export class ScoreCache {
  readonly #secret: KeyObject;
  readonly #entriesMax: number;
  readonly #scores = new Map<string, number>();

  constructor(secret: KeyObject, entriesMax: number) {
    this.#secret = secret;
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#scores.size;
  }

  /** The detector, with the memory of one organization. */
  over(detector: InjectionDetector, orgId: string): InjectionDetector {
    const owner = JSON.stringify([orgId, detector.version]);
    return {
      version: detector.version,
      score: (utf8, segment) => {
        if (utf8.length < rememberedTextBytesMin) return detector.score(utf8, segment);
        const key = this.#key(owner, segment, utf8);
        const score = this.#take(key) ?? detector.score(utf8, segment);
        this.#put(key, score);
        return score;
      },
    };
  }

  #key(owner: string, segment: Segment, utf8: Buffer): string {
    const hmac = createHmac("sha256", this.#secret).update(`${owner}${segment}:`).update(utf8);
    return hmac.digest().toString("latin1", 0, keyBytes);
  }

  #take(key: string): number | undefined {
    const score = this.#scores.get(key);
    // Put back it stands last, and the first is the least recently used.
    this.#scores.delete(key);
    return score;
  }

  #put(key: string, score: number): void {
    if (Number.isNaN(score)) return;
    const [oldest] = this.#scores.keys();
    if (this.#scores.size >= this.#entriesMax && oldest !== undefined) this.#scores.delete(oldest);
    this.#scores.set(key, score);
  }
}
