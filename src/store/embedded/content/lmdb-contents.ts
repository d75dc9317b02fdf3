import { join } from "node:path";
import {
  contentFlushBytes,
  contentFlushMs,
  contentPendingBytesMax,
  contentReapMs,
  retentionDaysDefault,
} from "../../../contract/limits.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import { databaseFiles } from "../files/database-file.ts";
import { systemClock, type Clock } from "../../../runtime/clock.ts";
import { ByteWriter } from "../../../runtime/packed-bytes.ts";
import { ringBuffer, RingWriter } from "../../../runtime/ring.ts";
import { openContentRoot, type ContentRoot } from "./content-root.ts";
import { decodeContent, packContent, type Content } from "../../content/content.ts";
import type { Contents, Retentions } from "../../content/contents.ts";
import { newestMs } from "./content-rows.ts";
import type { ContentMessage } from "./content-thread.ts";
import { ContentWriter } from "./content-writer.ts";
import { WriteHalt } from "../write-halt.ts";

export interface LmdbContentsOptions extends Retentions {
  readonly dataDir: string;
  /** The write halt of the store that belongs to this process. */
  readonly halt?: WriteHalt;
  readonly onFailure: (error: unknown) => void;
  /** Resolves once everything has arrived that other threads had packed before the call. */
  readonly handedOver?: () => Promise<void>;
  readonly clock?: Clock;
  /** A power of two. */
  readonly pendingBytesMax?: number;
}

const dayMs = 24 * 3_600_000;

/** Readable content in LMDB. A thread of its own writes and removes it. A removal is durable when it resolves. */
export class LmdbContents implements Contents {
  readonly #options: LmdbContentsOptions;
  readonly #clock: Clock;
  readonly #writer: ContentWriter;
  readonly #reads: ContentRoot;
  readonly #reaper: NodeJS.Timeout;
  #reaping: Promise<Outcome<number>> | null = null;
  /** The ring to the thread. A record stays in it until its row is on the disk or dropped. */
  readonly #ring: RingWriter;
  readonly #packed = new ByteWriter();
  /** Rows in the ring that the thread was not yet told about. */
  #gatheredRows = 0;
  #gatheredBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #dropped = 0;
  #closed: Promise<void> | null = null;

  constructor(options: LmdbContentsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const ring = ringBuffer(options.pendingBytesMax ?? contentPendingBytesMax);
    this.#ring = new RingWriter(ring);
    const path = join(options.dataDir, databaseFiles.content);
    const halt = (options.halt ?? new WriteHalt()).buffer;
    this.#writer = new ContentWriter({ path, ring, halt }, options.onFailure);
    this.#reads = openContentRoot(path);
    this.#reaper = setInterval(() => void this.#reapInTime(), contentReapMs).unref();
  }

  get dropped(): number {
    return this.#dropped;
  }

  get pendingBytes(): number {
    return this.#ring.usedBytes;
  }

  keep(orgId: string, requestId: string, content: Content): void {
    this.#packed.clear();
    packContent(this.#packed, orgId, requestId, this.#clock.wallMs(), content);
    this.keepPacked(this.#packed.written);
  }

  keepPacked(packed: Buffer): void {
    if (!this.#ring.write(packed)) {
      this.#dropped += 1;
      return;
    }
    this.#gatheredRows += 1;
    this.#gatheredBytes += packed.length;
    if (this.#gatheredBytes >= contentFlushBytes) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), contentFlushMs).unref();
  }

  read(orgId: string, requestId: string): Promise<Outcome<Content | null>> {
    return Promise.resolve(accept(this.#read(orgId, requestId)));
  }

  #read(orgId: string, requestId: string): Content | null {
    const { contents, places } = this.#reads;
    // lmdb keeps a read transaction for a turn, and would not see what the thread wrote meanwhile.
    places.resetReadTxn();
    const createdAtMs = places.get([orgId, requestId]);
    if (createdAtMs === undefined) return null;
    const days = this.#options.retentionDays(orgId) ?? retentionDaysDefault;
    if (createdAtMs < this.#clock.wallMs() - days * dayMs) return null;
    const value = contents.get([orgId, createdAtMs, requestId]);
    return value === undefined ? null : decodeContent(value);
  }

  /** Errors: `internal_error`. */
  async erase(orgId: string, requestId: string): Promise<Outcome<number>> {
    await this.#options.handedOver?.();
    await this.flush();
    return this.#remove({ kind: "erase", orgId, requestId });
  }

  /**
   * Removes all content of an organization, whatever its times, or only content older than `beforeMs`.
   * Errors: `internal_error`.
   */
  async eraseOrganization(orgId: string, beforeMs = Number.MAX_VALUE): Promise<Outcome<number>> {
    await this.#options.handedOver?.();
    await this.flush();
    return this.#remove({ kind: "eraseOrganization", orgId, beforeMs });
  }

  /** The time of the newest written content of an organization; undefined: it has none. */
  newestMs(orgId: string): number | undefined {
    const { contents } = this.#reads;
    contents.resetReadTxn();
    return newestMs(this.#reads, orgId);
  }

  reap(): Promise<Outcome<number>> {
    return (this.#reaping ??= this.#reap().finally(() => (this.#reaping = null)));
  }

  #reap(): Promise<Outcome<number>> {
    const now = this.#clock.wallMs();
    const byOrg = new Map<string, number>();
    for (const [orgId, days] of this.#options.retentions()) byOrg.set(orgId, now - days * dayMs);
    const cutoffs = { beforeMs: now - retentionDaysDefault * dayMs, byOrg };
    return this.#remove({ kind: "reap", cutoffs }, { kind: "reap", cutoffs: null });
  }

  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const rows = this.#gatheredRows;
    if (rows === 0) return;
    this.#gatheredRows = 0;
    this.#gatheredBytes = 0;
    const written = await this.#writer.ask({ kind: "put", end: this.#ring.head });
    if (!written.ok) this.#dropped += rows;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    clearInterval(this.#reaper);
    await this.flush();
    await this.#writer.close();
    await this.#reads.root.close();
  }

  /** No caller waits for it, so a failure is reported: content must not outlive its retention. */
  async #reapInTime(): Promise<void> {
    const reaped = await this.reap();
    if (!reaped.ok) this.#options.onFailure(new Error(reaped.refusal.message));
  }

  /** A bounded number of rows at a time, so that writes get their turn. */
  async #remove(first: ContentMessage, next = first): Promise<Outcome<number>> {
    let rows = 0;
    for (let message = first; ; message = next) {
      const removed = await this.#writer.ask(message);
      if (!removed.ok) return removed;
      rows += removed.value.rows;
      if (!removed.value.more) return accept(rows);
    }
  }
}
