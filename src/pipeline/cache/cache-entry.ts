import { cacheRequestBytesMax } from "../../contract/limits.ts";
import type { Wire } from "../../contract/wire.ts";
import type { BufferedAnswer } from "../../exchange/exchange.ts";
import type { KeptBodies } from "../record/kept-bodies.ts";
import type { Attempt, FlatHeaders } from "../../exchange/exchange.ts";
import type { PolicyRecord } from "../record/policy-record.ts";
import type { RequestRecord } from "../record/record.ts";
import type { CacheSubject } from "./cache-subject.ts";
import type { CacheDirective } from "./cache-directive.ts";
import { cachedJson, cachedStream, type CachedAnswer } from "./cached-answer.ts";
import type { CacheKey, Found, ResponseCache } from "./response-cache.ts";
import { WatchedAnswer } from "./watched-answer.ts";

/** One request that uses the cache, with the place where its answer is looked up and kept. */
export class CacheEntry {
  readonly #cache: ResponseCache;
  readonly #key: CacheKey;
  readonly #wire: Wire;
  readonly #ttlMs: number;
  #watched: WatchedAnswer | null = null;

  private constructor(cache: ResponseCache, key: CacheKey, wire: Wire, ttlMs: number) {
    this.#cache = cache;
    this.#key = key;
    this.#wire = wire;
    this.#ttlMs = ttlMs;
  }

  /** null if there is no cache, or if the body is too long for it. */
  static of(
    cache: ResponseCache | null,
    { ttlMs }: CacheDirective,
    wire: Wire,
    orgId: string,
    subject: CacheSubject,
    body: Uint8Array,
  ): CacheEntry | null {
    if (cache === null || body.length > cacheRequestBytesMax) return null;
    return new CacheEntry(cache, cache.keyOf(orgId, subject, body), wire, ttlMs);
  }

  find(): Found | undefined {
    return this.#cache.find(this.#key, this.#ttlMs);
  }

  /** Remembers the answer that the relay is about to write, until `relayed` is called. */
  watch(bodies: KeptBodies): void {
    this.#watched = new WatchedAnswer(this.#cache);
    bodies.showTo(this.#watched);
  }

  /**
   * Keeps what the relay has written, if it is a whole stream. Must be called for every call that was
   * watched.
   */
  relayed(attempt: Attempt, record: RequestRecord): void {
    const sent = this.#watched?.end() ?? null;
    if (sent === null || attempt.kind !== "relayed" || attempt.end !== "complete") return;
    this.#keep(cachedStream(this.#wire, sent), record);
  }

  /** Keeps an answer that is still buffered here, if it is whole. */
  buffered(answer: BufferedAnswer, record: RequestRecord): void {
    this.#keep(cachedJson(answer), record);
  }

  /** An answer in which rules found something is not kept, because they may have changed it. */
  #keep(answer: CachedAnswer | null, { policy, provider }: RequestRecord): void {
    if (answer === null || hasFindings(policy)) return;
    this.#cache.put(this.#key, { answer, provider }, this.#ttlMs);
  }
}

function hasFindings(policy: PolicyRecord | null): boolean {
  return Object.values(policy?.output ?? {}).some((count) => count > 0);
}

export const cacheMissHeaders: FlatHeaders = ["X-Svc-Cache", "miss"];
