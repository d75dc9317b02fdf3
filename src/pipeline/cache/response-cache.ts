import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import {
  cacheEntriesMax,
  cacheOrganizationShare,
  cacheSweepMs,
  cacheSweptPerTurn,
  cacheWatchedShare,
} from "../../contract/limits.ts";
import { canonicalBody } from "./canonical-body.ts";
import type { CacheSubject } from "./cache-subject.ts";
import { sizeOf, type CachedAnswer } from "./cached-answer.ts";

export interface ResponseCacheOptions {
  /** The bound for all answers together; at least 1. */
  readonly bytesMax: number;
  readonly entriesMax?: number;
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
}

/** The place of an answer, and the organization that owns it. */
export interface CacheKey {
  readonly orgId: string;
  readonly digest: string;
}

/** An answer and the provider that gave it. */
export interface Found {
  readonly answer: CachedAnswer;
  /** The provider's name as in records; null for an upstream that a caller has named. */
  readonly provider: string | null;
}

interface Entry extends CacheKey, Found {
  readonly bytes: number;
  readonly storedAtMs: number;
  readonly endsAtMs: number;
}

/** One organization's entries, the least recently used first. */
interface Share {
  readonly entries: Map<string, Entry>;
  bytes: number;
}

/**
 * Answers of providers. Each belongs to one organization and to exactly the request that it answered. They
 * are in memory only, so readable text disappears with the process, or earlier when its time is over. The
 * least recently used answers make room for new ones. Keys are HMAC-SHA-256 with a secret of this process:
 * with a collision that an attacker can choose, a caller would get the answer to another question.
 *
 * One instance belongs to one thread. Each thread has its own, with a part of the bytes.
 */
export class ResponseCache {
  readonly #secret = createSecretKey(randomBytes(32));
  readonly #bytesMax: number;
  readonly #shareBytesMax: number;
  readonly #entriesMax: number;
  readonly #nowMs: () => number;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new Map<string, Share>();
  readonly #sweeper: NodeJS.Timeout;
  #bytes = 0;
  #watchedBytes = 0;

  constructor({ bytesMax, entriesMax, nowMs }: ResponseCacheOptions) {
    this.#bytesMax = bytesMax;
    this.#shareBytesMax = bytesMax * cacheOrganizationShare;
    this.#entriesMax = entriesMax ?? cacheEntriesMax;
    this.#nowMs = nowMs ?? (() => performance.now());
    this.#sweeper = setInterval(() => this.sweep(), cacheSweepMs).unref();
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The `body` must be valid JSON. */
  keyOf(orgId: string, subject: CacheSubject, body: Uint8Array): CacheKey {
    // JSON contains no line break here, so subject and body can't be confused.
    const digest = createHmac("sha256", this.#secret)
      .update(`${JSON.stringify([orgId, subject])}\n`)
      .update(canonicalBody(body))
      .digest("base64");
    return { orgId, digest };
  }

  /** An answer that is at most `ttlMs` old. */
  find({ digest }: CacheKey, ttlMs: number): Found | undefined {
    const entry = this.#entries.get(digest);
    if (entry === undefined) return undefined;
    const nowMs = this.#nowMs();
    if (nowMs >= entry.endsAtMs) {
      this.#remove(entry);
      return undefined;
    }
    if (nowMs - entry.storedAtMs >= ttlMs) return undefined;
    // The entry moves to the end, so the first entry is the least recently used.
    this.#remove(entry);
    this.#add(entry);
    return entry;
  }

  /**
   * Keeps an answer for `ttlMs` and replaces an earlier one. An answer that would fill a whole share is not
   * kept.
   */
  put(key: CacheKey, { answer, provider }: Found, ttlMs: number): void {
    const { orgId, digest } = key;
    const bytes = sizeOf(answer);
    const before = this.#entries.get(digest);
    if (before !== undefined) this.#remove(before);
    if (bytes > this.#shareBytesMax) return;
    const storedAtMs = this.#nowMs();
    const times = { storedAtMs, endsAtMs: storedAtMs + ttlMs };
    this.#makeRoom(this.#shares.get(orgId), bytes);
    this.#add({ orgId, digest, answer, provider, bytes, ...times });
  }

  /** Forgets an organization's answers. */
  forget(orgId: string): void {
    for (const entry of this.#shares.get(orgId)?.entries.values() ?? []) this.#remove(entry);
  }

  /** Removes expired answers, some of them in each turn. Public only for tests. */
  sweep(): void {
    this.#sweepOn(this.#entries.values(), this.#entries.size);
  }

  /**
   * `left` bounds the loop: an answer that is found meanwhile moves to the end, so the iterator may never
   * end.
   */
  #sweepOn(entries: Iterator<Entry>, left: number): void {
    const nowMs = this.#nowMs();
    for (let i = 0; i < Math.min(left, cacheSweptPerTurn); i += 1) {
      const next = entries.next();
      if (next.done === true) return;
      if (nowMs >= next.value.endsAtMs) this.#remove(next.value);
    }
    if (left <= cacheSweptPerTurn) return;
    setImmediate(() => this.#sweepOn(entries, left - cacheSweptPerTurn)).unref();
  }

  /** Takes memory for a stream that is being relayed; false if there is none. */
  takeWatchRoom(bytes: number): boolean {
    if (this.#watchedBytes + bytes > this.#bytesMax * cacheWatchedShare) return false;
    this.#watchedBytes += bytes;
    return true;
  }

  giveWatchRoom(bytes: number): void {
    this.#watchedBytes -= bytes;
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const orgId of [...this.#shares.keys()]) this.forget(orgId);
  }

  #makeRoom(share: Share | undefined, bytes: number): void {
    for (const entry of share?.entries.values() ?? []) {
      if ((share?.bytes ?? 0) + bytes <= this.#shareBytesMax) break;
      this.#remove(entry);
    }
    for (const entry of this.#entries.values()) {
      if (this.#bytes + bytes <= this.#bytesMax && this.#entries.size < this.#entriesMax) break;
      this.#remove(entry);
    }
  }

  #add(entry: Entry): void {
    const share = this.#shares.get(entry.orgId) ?? { entries: new Map<string, Entry>(), bytes: 0 };
    this.#shares.set(entry.orgId, share);
    share.entries.set(entry.digest, entry);
    share.bytes += entry.bytes;
    this.#entries.set(entry.digest, entry);
    this.#bytes += entry.bytes;
  }

  #remove(entry: Entry): void {
    const share = this.#shares.get(entry.orgId);
    if (share === undefined || !this.#entries.delete(entry.digest)) return;
    this.#bytes -= entry.bytes;
    share.entries.delete(entry.digest);
    share.bytes -= entry.bytes;
    if (share.entries.size === 0) this.#shares.delete(entry.orgId);
  }
}
