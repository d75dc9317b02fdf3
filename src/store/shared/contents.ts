import { refuse } from "../../contract/errors.ts";
import {
  contentFlushBytes,
  contentFlushMs,
  contentOrganizationsPerStep,
  contentPendingBytesMax,
  contentReapMs,
  contentRowsPerWrite,
  retentionDaysDefault,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import { ByteWriter } from "../../runtime/packed-bytes.ts";
import { decodeContent, packContent, unpackContent, type Content } from "../content/content.ts";
import type { Contents, Retentions } from "../content/contents.ts";
import { bareError, isOfTheValues } from "./errors.ts";
import { callFunction, type Queryable } from "./call-function.ts";

export interface SharedContentsOptions extends Retentions {
  /**
   * Must not be the connection of flushes and grants, because content is large. Its queries must have a time limit, or a
   * server that is cut off would keep readers waiting.
   */
  readonly database: Queryable;
  readonly onFailure: (error: Error) => void;
  /** Resolves once everything has arrived that other threads had packed before the call. */
  readonly handedOver?: () => Promise<void>;
  readonly clock?: Clock;
  readonly pendingBytesMax?: number;
}

/** Of one that waits, besides its bytes. */
const bytesPerWaiting = 256;

interface Waiting {
  readonly orgId: string;
  readonly requestId: string;
  readonly value: Buffer;
  /** What it takes in memory, about. */
  readonly bytes: number;
  readonly keptAtMs: number;
  /** The newest erasure that was known then. */
  readonly erasure: number;
}

/**
 * Readable content in PostgreSQL (`migrations/4_content.sql`). What is kept waits in memory, in order, until the server
 * has it; while the server is away it waits up to the bound. The server's clock alone tells how old content is.
 */
export class SharedContents implements Contents {
  readonly #options: SharedContentsOptions;
  readonly #clock: Clock;
  readonly #bytesMax: number;
  readonly #reaper: NodeJS.Timeout;
  readonly #packed = new ByteWriter();
  #waiting: Waiting[] = [];
  #pendingBytes = 0;
  #dropped = 0;
  /** Every erasure up to this one began before what is kept from now on. */
  #erasure = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  #reaping: Promise<Outcome<number>> | null = null;
  #closed: Promise<void> | null = null;
  /** Whether the last try to write has failed: it is told once. */
  #failed = false;

  private constructor(options: SharedContentsOptions, erasure: number) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#bytesMax = options.pendingBytesMax ?? contentPendingBytesMax;
    this.#erasure = erasure;
    this.#reaper = setInterval(() => void this.reap(), contentReapMs).unref();
  }

  /** Rejects if the server can't be asked. */
  static async open(options: SharedContentsOptions): Promise<SharedContents> {
    const { erasure } = await keepRows(options.database, [], 0);
    return new SharedContents(options, erasure);
  }

  get dropped(): number {
    return this.#dropped;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  keep(orgId: string, requestId: string, content: Content): void {
    this.#packed.clear();
    packContent(this.#packed, orgId, requestId, this.#clock.wallMs(), content);
    this.keepPacked(this.#packed.written);
  }

  keepPacked(packed: Buffer): void {
    const bytes = packed.length + bytesPerWaiting;
    if (this.#closed !== null || this.#pendingBytes + bytes > this.#bytesMax) {
      this.#dropped += 1;
      return;
    }
    const { orgId, requestId, value } = unpackContent(Buffer.from(packed));
    const kept = { keptAtMs: this.#clock.monotonicMs(), erasure: this.#erasure };
    this.#waiting.push({ orgId, requestId, value, bytes, ...kept });
    this.#pendingBytes += bytes;
    if (this.#flushing !== null) return;
    if (this.#pendingBytes >= contentFlushBytes) void this.flush();
    else this.#flushSoon();
  }

  async read(orgId: string, requestId: string): Promise<Outcome<Content | null>> {
    const days = this.#options.retentionDays(orgId) ?? retentionDaysDefault;
    try {
      const value = await callFunction(this.#options.database, "read_content", [
        orgId,
        requestId,
        days,
      ]);
      return accept(value === null ? null : decodeContent(value as Buffer));
    } catch {
      return notAsked;
    }
  }

  reap(): Promise<Outcome<number>> {
    return (this.#reaping ??= this.#reap().finally(() => (this.#reaping = null)));
  }

  /**
   * Content that was kept before this call is from before the erasure, also what other threads have packed and not yet
   * handed over.
   */
  async noteErasure(erasure: number): Promise<void> {
    if (erasure <= this.#erasure) return;
    await this.#options.handedOver?.();
    this.#erasure = Math.max(this.#erasure, erasure);
  }

  async flush(): Promise<void> {
    // What came since that one began is not in it.
    await this.#flushing;
    await (this.#flushing ??= this.#flush(this.#waiting.length).finally(() => {
      this.#flushing = null;
      if (this.#waiting.length > 0) this.#flushSoon();
    }));
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    clearInterval(this.#reaper);
    await this.flush();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#reaping;
    this.#drop(this.#waiting.length);
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), contentFlushMs).unref();
  }

  /** Writes so many rows of those that wait, in batches. Ends at the first one that fails. */
  async #flush(rows: number): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { database, onFailure } = this.#options;
    for (let left = rows; left > 0;) {
      const batch = batchOf(this.#waiting, left);
      try {
        const { erasure } = await keepRows(database, batch, this.#clock.monotonicMs());
        this.#take(batch.length);
        this.#failed = false;
        // Where it can't be noted now, the next answer tells it again.
        this.noteErasure(erasure).catch(() => undefined);
      } catch (error) {
        if (!this.#failed) onFailure(bareError("readable content could not be kept", error));
        this.#failed = true;
        // The same values would fail again; all else may be over soon.
        if (!isOfTheValues(error)) return;
        this.#drop(batch.length);
      }
      left -= batch.length;
    }
  }

  #take(rows: number): void {
    for (const { bytes } of this.#waiting.splice(0, rows)) this.#pendingBytes -= bytes;
  }

  #drop(rows: number): void {
    this.#take(rows);
    this.#dropped += rows;
  }

  async #reap(): Promise<Outcome<number>> {
    const own = JSON.stringify(Object.fromEntries(this.#options.retentions()));
    let [removed, after]: [number, string | null] = [0, ""];
    try {
      while (after !== null) {
        const bounds = [contentRowsPerWrite, contentOrganizationsPerStep];
        const values = [after, retentionDaysDefault, own, ...bounds];
        const step = (await callFunction(this.#options.database, "reap_content", values)) as Reaped;
        removed += step.removed;
        after = step.next;
        await this.noteErasure(step.erasure);
      }
      return accept(removed);
    } catch (error) {
      // Content must not outlive its retention.
      this.#options.onFailure(bareError("readable content could not be removed", error));
      return notRemoved;
    }
  }
}

/** At most so many rows from the first one on, of about `contentFlushBytes`. */
function batchOf(waiting: readonly Waiting[], rowsMax: number): readonly Waiting[] {
  let [rows, bytes] = [0, 0];
  while (rows < rowsMax && bytes < contentFlushBytes) {
    bytes += waiting[rows]?.value.length ?? 0;
    rows += 1;
  }
  return waiting.slice(0, rows);
}

async function keepRows(
  database: Queryable,
  batch: readonly Waiting[],
  nowMs: number,
): Promise<Kept> {
  const rows = batch.map(({ orgId, requestId, value, keptAtMs, erasure }) => {
    return [orgId, requestId, nowMs - keptAtMs, erasure, value.length];
  });
  const values = Buffer.concat(batch.map(({ value }) => value));
  return (await callFunction(database, "keep_content", [JSON.stringify(rows), values])) as Kept;
}

interface Kept {
  readonly kept: number;
  readonly erasure: number;
}

interface Reaped {
  readonly removed: number;
  readonly next: string | null;
  readonly erasure: number;
}

const notAsked = refuse(
  "internal_error",
  "The shared store can't be asked for readable content at the moment.",
  { details: { retryable: true }, retryAfterSeconds: 1 },
);
const notRemoved = refuse(
  "internal_error",
  "Content was not removed to the end; it goes on later.",
);
