import {
  journalCloseWaitMsMax,
  journalFlushMs,
  journalFlushMsMax,
  journalPayloadBytesMax,
  journalPendingBytesMax,
  journalRetryMs,
} from "../../contract/limits.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { JournalBatch, JournalOperation } from "./batch.ts";
import { EventPacker } from "./event-packer.ts";
import type { PackedEvents } from "./packed-events.ts";
import { FlushWaiters, type JournalMark } from "./flush-waiters.ts";

/** Where batches go. */
export interface BatchWriter {
  /**
   * When this resolves, the batch is durable and readers see it. After an error the store has nothing
   * of the batch, or all of it and only the reply was lost. So the same batch may be given again. Never
   * rejects. Errors: `internal_error` if the disk is full or the writer failed.
   */
  write(batch: JournalBatch): Promise<Outcome<null>>;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly writer: BatchWriter;
  /** `meta.journalBatch` of the store: the batch that it applied last. */
  readonly lastBatch: number;
  /**
   * Called when flushes begin to fail, and when one takes longer than `journalFlushMsMax`.
   */
  readonly onFlushFailed: (reason: string) => void;
  /** Told where it has been written after all. */
  readonly onFlushResumed?: () => void;
  readonly flushMs?: number;
  readonly flushMsMax?: number;
  readonly retryMs?: number;
  readonly pendingBytesMax?: number;
  readonly payloadBytesMax?: number;
  readonly closeWaitMs?: number;
}

/**
 * The gateway's durable records in their order: audit events and changes of the books. Appending does
 * not write; the next flush writes everything that was appended during the one before (design: Store).
 * Nothing is dropped: a failed flush is tried again. `accepting` is false until it is written, and
 * while a flush takes too long.
 */
export class Journal {
  readonly #writer: BatchWriter;
  readonly #onFlushFailed: (reason: string) => void;
  readonly #onFlushResumed: () => void;
  readonly #flushMs: number;
  readonly #flushMsMax: number;
  readonly #retryMs: number;
  readonly #pendingBytesMax: number;
  readonly #payloadBytesMax: number;
  readonly #closeWaitMs: number;
  readonly #packer = new EventPacker();
  /** What was packed before what is in the packer. */
  #packed: PackedEvents[] = [];
  #operations: JournalOperation[] = [];
  /** Without payloads. */
  #pendingBytes = 0;
  #payloadBytes = 0;
  #appended: JournalMark = 0;
  #durable: JournalMark = 0;
  #batches: number;
  readonly #waiters = new FlushWaiters();
  #timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  #timerIsUrgent = false;
  #flushing: Promise<void> | null = null;
  #failed = false;
  #closed = false;

  constructor(options: JournalOptions) {
    this.#writer = options.writer;
    this.#batches = options.lastBatch;
    this.#onFlushFailed = options.onFlushFailed;
    this.#onFlushResumed = options.onFlushResumed ?? (() => undefined);
    this.#flushMs = options.flushMs ?? journalFlushMs;
    this.#flushMsMax = options.flushMsMax ?? journalFlushMsMax;
    this.#retryMs = options.retryMs ?? journalRetryMs;
    this.#pendingBytesMax = options.pendingBytesMax ?? journalPendingBytesMax;
    this.#payloadBytesMax = options.payloadBytesMax ?? journalPayloadBytesMax;
    this.#closeWaitMs = options.closeWaitMs ?? journalCloseWaitMsMax;
  }

  /** False while flushes fail, a flush takes too long or too much waits: no paid request may begin. */
  get accepting(): boolean {
    return !this.#failed && !this.#closed && !this.full;
  }

  /** The current flush failed and is retried, or takes longer than `journalFlushMsMax`. */
  get failing(): boolean {
    return this.#failed;
  }

  /** Too much waits for a flush, payloads aside. */
  get full(): boolean {
    return this.#pendingBytes >= this.#pendingBytesMax;
  }

  /** Callers that wait for a flush. */
  get waiting(): number {
    return this.#waiters.count;
  }

  /**
   * About how many bytes of events, operations and payloads are in memory until their flush has ended.
   */
  get pendingBytes(): number {
    return this.#pendingBytes + this.#payloadBytes;
  }

  /**
   * Whether a payload of a batch job may be appended. Payloads have their own bound, so that one large
   * submission can't stop other requests. A single payload always fits: bodies have a bound.
   */
  fitsPayload(bytes: number): boolean {
    return this.#payloadBytes === 0 || this.#payloadBytes + bytes <= this.#payloadBytesMax;
  }

  /**
   * Takes events (canonical JSON, no line breaks) and changes, which become durable together and within
   * about `journalFlushMs`. Requests in flight may append even while `accepting` is false, because
   * their records must not be lost. After `close` the caller gets an error.
   */
  append(events: readonly string[], operations: readonly JournalOperation[] = []): JournalMark {
    this.#assertOpen();
    for (const event of events) {
      this.#packer.line(event);
      this.#pendingBytes += event.length;
    }
    for (const operation of operations) {
      this.#operations.push(operation);
      this.#pendingBytes += operationBytes + resultBytes(operation);
      this.#payloadBytes += payloadBytes(operation);
    }
    return this.#appendedMore();
  }

  /** Like `append`, for requests' events: the writer's thread makes their canonical form. */
  appendRequest(event: RequestEvent, createdAtMs: number): JournalMark {
    this.#assertOpen();
    this.#packer.request(event, createdAtMs);
    this.#pendingBytes += requestBytes;
    return this.#appendedMore();
  }

  /**
   * Like `append`, for events that another thread has packed; they come after everything appended
   * before.
   */
  appendPacked(events: PackedEvents): JournalMark {
    this.#assertOpen();
    this.#takePacked();
    this.#packed.push(events);
    this.#pendingBytes += events.count * requestBytes;
    return this.#appendedMore();
  }

  /**
   * Resolves true when everything up to `mark` is durable, false if `waitMsMax` passed before. null: it
   * waits as long as the gateway runs.
   */
  flushed(mark: JournalMark, waitMsMax: number | null): Promise<boolean> {
    if (mark <= this.#durable) return Promise.resolve(true);
    const durable = this.#waiters.wait(mark, waitMsMax);
    this.#schedule(true);
    return durable;
  }

  /** Resolves when everything appended is durable; false as in `flushed`. */
  flushedAll(waitMsMax: number | null): Promise<boolean> {
    return this.flushed(this.#appended, waitMsMax);
  }

  /** Flushes the rest, if the writer can, and closes it; reports lost entries. */
  async close(): Promise<void> {
    await this.flushedAll(this.#closeWaitMs);
    this.#closed = true;
    this.#cancelTimer();
    await this.#flushing;
    if (this.#durable < this.#appended) {
      this.#onFlushFailed(`${this.pendingBytes} bytes of the journal were not written.`);
    }
    await this.#writer.close();
  }

  #assertOpen(): void {
    if (this.#closed) throw new JournalClosed();
  }

  #appendedMore(): JournalMark {
    this.#schedule(false);
    this.#appended += 1;
    return this.#appended;
  }

  #takePacked(): void {
    if (this.#packer.count > 0) this.#packed.push(this.#packer.take());
  }

  #schedule(urgent: boolean): void {
    // A flush that is under way schedules the next one itself.
    if (this.#flushing !== null || this.#closed) return;
    if (this.#timer !== null && (this.#timerIsUrgent || !urgent)) return;
    this.#cancelTimer();
    this.#timerIsUrgent = urgent;
    const flush = (): void => {
      this.#timer = null;
      this.#flushing = this.#flush().finally(() => {
        this.#flushing = null;
        if (this.#durable < this.#appended) {
          this.#schedule(this.#waiters.count > 0);
        }
      });
    };
    // At the end of the loop's turn, so that everything it appends is sent together.
    this.#timer = urgent ? setImmediate(flush) : setTimeout(flush, this.#flushMs).unref();
  }

  #cancelTimer(): void {
    if (this.#timer === null) return;
    if (this.#timerIsUrgent) clearImmediate(this.#timer as NodeJS.Immediate);
    else clearTimeout(this.#timer as NodeJS.Timeout);
    this.#timer = null;
  }

  async #flush(): Promise<void> {
    const mark = this.#appended;
    const [bytes, payloadBytes] = [this.#pendingBytes, this.#payloadBytes];
    this.#takePacked();
    const batch: JournalBatch = {
      number: ++this.#batches,
      events: this.#packed,
      operations: this.#operations,
    };
    this.#packed = [];
    this.#operations = [];
    // A disk that stands still reports no error: its writes never end.
    const late = setTimeout(() => this.#fails(tooLate(this.#flushMsMax)), this.#flushMsMax).unref();
    const written = await this.#write(batch);
    clearTimeout(late);
    if (!written) return;
    if (this.#failed) this.#onFlushResumed();
    this.#failed = false;
    this.#pendingBytes -= bytes;
    this.#payloadBytes -= payloadBytes;
    this.#durable = mark;
    this.#waiters.reached(mark);
  }

  /** Tries until the batch is written; false: the journal was closed before. */
  async #write(batch: JournalBatch): Promise<boolean> {
    for (;;) {
      const written = await this.#writer.write(batch);
      if (written.ok) return true;
      this.#fails(written.refusal.message);
      if (this.#closed) return false;
      await new Promise((resolve) => setTimeout(resolve, this.#retryMs).unref());
    }
  }

  #fails(reason: string): void {
    if (!this.#failed) this.#onFlushFailed(reason);
    this.#failed = true;
  }
}

function tooLate(ms: number): string {
  return `A write to the disk has taken more than ${ms} ms, and goes on.`;
}

/** Something that was in flight has outlived the journal. */
export class JournalClosed extends Error {
  constructor() {
    super("the journal is closed: what is appended would be lost");
  }
}

/** About what a request's event takes in memory, packed. */
const requestBytes = 512;
/** About what an operation takes in memory. */
const operationBytes = 256;

function resultBytes(operation: JournalOperation): number {
  if (operation.kind === "jobItemEnd") return operation.result.length;
  if (operation.kind === "usage") return operation.line.length;
  if (operation.kind !== "windows") return 0;
  return operation.change.rows.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** The body is kept whole; its budget among request bodies ends with the request. */
function payloadBytes(operation: JournalOperation): number {
  return "body" in operation ? operation.body.length : 0;
}
