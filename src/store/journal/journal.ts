import {
  journalApplyMs,
  journalBatchBytes,
  journalCloseWaitMsMax,
  journalFlushMs,
  journalFlushMsMax,
  journalPayloadBytesMax,
  journalPendingBytesMax,
  journalRetryMs,
  sharedInForceMsMax,
} from "../../contract/limits.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import { Application } from "./application.ts";
import { Attempts } from "./attempts.ts";
import type { JournalBatch, JournalOperation } from "./batch.ts";
import type { PackedEvents } from "./packed-events.ts";
import { FlushWaiters, type JournalMark } from "./flush-waiters.ts";
import { Gathering, type GatheredBatch } from "./gathering.ts";

/** The destination of batches. */
export interface BatchWriter {
  /**
   * When this resolves, the batch is durable. After an error the store has nothing of the batch, or all
   * of it and only the reply was lost. So the same batch may be given again. Never rejects. Errors:
   * `internal_error` if the disk is full or the writer failed.
   */
  write(batch: JournalBatch): Promise<Outcome<null>>;
  /**
   * When this resolves, readers see every batch that was durable at the call. It may be called again
   * after an error. Never rejects. Errors: as `write`.
   */
  apply(): Promise<Outcome<null>>;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly writer: BatchWriter;
  /** `meta.journalBatch` of the store: the batch that it applied last. */
  readonly lastBatch: number;
  /**
   * Called when writes begin to fail, and when one takes longer than `journalFlushMsMax`.
   */
  readonly onFlushFailed: (reason: string) => void;
  /** Called when everything has finally been written. */
  readonly onFlushResumed?: () => void;
  /** Called when a batch is complete; it has all that was appended. Calls the result once it is durable. */
  readonly onFlush?: () => () => void;
  /** Absent: nothing is accepted while a write fails. Else it is accepted as long as this is not over. */
  readonly lease?: { readonly isOver: boolean };
  /** With a lease: how long a copy may take to have what was flushed until that counts as a failure. */
  readonly copyMsMax?: number;
  readonly flushMs?: number;
  readonly applyMs?: number;
  readonly flushMsMax?: number;
  readonly retryMs?: number;
  readonly pendingBytesMax?: number;
  readonly payloadBytesMax?: number;
  readonly batchBytes?: number;
  readonly closeWaitMs?: number;
}

/**
 * The gateway's durable records in their order: audit events and changes of the books. Appending does
 * not write; the next flush writes everything that was appended during the one before (design: Store).
 * Readers of the store see it a little later, or as soon as a caller waits for that (`applied`).
 * Nothing is dropped: a failed write is tried again. `accepting` is false until it is written, and
 * while a write takes too long.
 */
export class Journal {
  readonly #writer: BatchWriter;
  readonly #onFlushFailed: (reason: string) => void;
  readonly #onFlush: () => () => void;
  readonly #flushMs: number;
  readonly #lease: JournalOptions["lease"];
  readonly #pendingBytesMax: number;
  readonly #payloadBytesMax: number;
  readonly #closeWaitMs: number;
  readonly #batchBytes: number;
  readonly #gathering = new Gathering();
  /** Batches that are full, oldest first. */
  #full: GatheredBatch[] = [];
  /** Of these, and of the one that is being written. */
  #takenBytes = 0;
  #takenPayloadBytes = 0;
  #isCutting = false;
  #appended: JournalMark = 0;
  #durable: JournalMark = 0;
  #batches: number;
  readonly #waiters = new FlushWaiters();
  readonly #attempts: Attempts;
  readonly #applyAttempts: Attempts;
  readonly #application: Application;
  #timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  #timerIsUrgent = false;
  #flushing: Promise<void> | null = null;
  #closed = false;

  constructor(options: JournalOptions) {
    this.#writer = options.writer;
    this.#batches = options.lastBatch;
    this.#onFlushFailed = options.onFlushFailed;
    this.#onFlush = options.onFlush ?? (() => () => undefined);
    this.#lease = options.lease;
    this.#flushMs = options.flushMs ?? journalFlushMs;
    this.#pendingBytesMax = options.pendingBytesMax ?? journalPendingBytesMax;
    this.#batchBytes = options.batchBytes ?? journalBatchBytes;
    this.#payloadBytesMax = options.payloadBytesMax ?? journalPayloadBytesMax;
    this.#closeWaitMs = options.closeWaitMs ?? journalCloseWaitMsMax;
    const attempts = {
      msMax: options.flushMsMax ?? journalFlushMsMax,
      retryMs: options.retryMs ?? journalRetryMs,
      onFailed: options.onFlushFailed,
      onResumed: options.onFlushResumed ?? (() => undefined),
    };
    this.#attempts = new Attempts(attempts);
    // A copy of a shared store may take long to catch up, while flushes are as quick as ever.
    this.#applyAttempts =
      options.lease === undefined
        ? this.#attempts
        : new Attempts({ ...attempts, msMax: options.copyMsMax ?? sharedInForceMsMax });
    this.#application = new Application({
      apply: () => this.#writer.apply(),
      attempts: this.#applyAttempts,
      afterMs: options.applyMs ?? journalApplyMs,
    });
  }

  /** False while writes fail, one takes too long or too much waits: no paid request may begin. */
  get accepting(): boolean {
    const mayWrite = this.#lease === undefined ? !this.failing : !this.#lease.isOver;
    return mayWrite && !this.#closed && !this.full;
  }

  /**
   * The current write failed and is retried, or takes longer than `journalFlushMsMax`. Without a lease it is the same if it
   * can't be applied.
   */
  get failing(): boolean {
    return this.#attempts.failing;
  }

  /** Too much waits for a flush, not counting payloads. */
  get full(): boolean {
    return this.#takenBytes + this.#gathering.size.bytes >= this.#pendingBytesMax;
  }

  /** The number of callers that wait for a flush or its application. */
  get waiting(): number {
    return this.#waiters.count + this.#application.waiting;
  }

  /**
   * About how many bytes of events, operations and payloads are in memory until their flush has ended.
   */
  get pendingBytes(): number {
    return this.#takenBytes + this.#gathering.size.bytes + this.#pendingPayloadBytes;
  }

  /**
   * Whether a payload of a batch job may be appended. Payloads have their own bound, so that one large
   * submission can't stop other requests. A single payload always fits: bodies have a bound.
   */
  fitsPayload(bytes: number): boolean {
    const pending = this.#pendingPayloadBytes;
    return pending === 0 || pending + bytes <= this.#payloadBytesMax;
  }

  /**
   * Takes events (canonical JSON, no line breaks) and changes, which become durable together and within
   * about `journalFlushMs`. Requests in flight may append even while `accepting` is false, because
   * their records must not be lost. After `close` the caller gets an error.
   */
  append(events: readonly string[], operations: readonly JournalOperation[] = []): JournalMark {
    this.#assertOpen();
    for (const event of events) this.#gathering.event(event);
    for (const operation of operations) this.#gathering.operation(operation);
    return this.#appendedMore();
  }

  /** Like `append`, for requests' events: the writer's thread makes their canonical form. */
  appendRequest(event: RequestEvent, createdAtMs: number): JournalMark {
    this.#assertOpen();
    this.#gathering.request(event, createdAtMs);
    return this.#appendedMore();
  }

  /**
   * Like `append`, for events that another thread has packed; they come after everything appended
   * before.
   */
  appendPacked(events: PackedEvents): JournalMark {
    this.#assertOpen();
    this.#gathering.packed(events);
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

  /** Like `flushed`, and readers of the store see everything up to `mark`. */
  applied(mark: JournalMark, waitMsMax: number | null): Promise<boolean> {
    const applied = this.#application.applied(mark, waitMsMax);
    if (mark > this.#durable) this.#schedule(true);
    return applied;
  }

  /** Like `flushedAll`, and readers of the store see it. */
  appliedAll(waitMsMax: number | null): Promise<boolean> {
    return this.applied(this.#appended, waitMsMax);
  }

  /**
   * Resolves when readers of the store see everything that is durable now, because a caller that
   * was told about a write must find it. False as in `flushed`.
   */
  caughtUp(waitMsMax: number | null): Promise<boolean> {
    return this.applied(this.#durable, waitMsMax);
  }

  /** Writes the rest, if the writer can, and closes it; reports lost entries. */
  async close(): Promise<void> {
    await this.appliedAll(this.#closeWaitMs);
    this.#closed = true;
    this.#attempts.close();
    this.#applyAttempts.close();
    this.#cancelTimer();
    await Promise.all([this.#flushing, this.#application.close()]);
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
    if (this.#hasFullBatch && !this.#isCutting) {
      this.#isCutting = true;
      setImmediate(() => this.#cut());
    }
    return this.#appended;
  }

  get #pendingPayloadBytes(): number {
    return this.#takenPayloadBytes + this.#gathering.size.payloadBytes;
  }

  get #hasFullBatch(): boolean {
    const { bytes, payloadBytes } = this.#gathering.size;
    return bytes + payloadBytes >= this.#batchBytes;
  }

  /** At the end of a turn of the loop, because what one turn appends becomes durable together. */
  #cut(): void {
    this.#isCutting = false;
    if (this.#hasFullBatch) this.#full.push(this.#take());
  }

  #take(): GatheredBatch {
    const taken = this.#gathering.take(this.#appended, this.#onFlush());
    this.#takenBytes += taken.size.bytes;
    this.#takenPayloadBytes += taken.size.payloadBytes;
    return taken;
  }

  #schedule(urgent: boolean): void {
    // A flush that is under way schedules the next one itself.
    if (this.#flushing !== null || this.#closed) return;
    if (this.#timer !== null && (this.#timerIsUrgent || !urgent)) return;
    this.#cancelTimer();
    this.#timerIsUrgent = urgent;
    const flush = (): void => {
      this.#timer = null;
      this.#flushing = this.#flush();
    };
    // The flush runs at the end of the loop's turn, so that everything appended in this turn is
    // sent together.
    this.#timer = urgent ? setImmediate(flush) : setTimeout(flush, this.#flushMs).unref();
  }

  #cancelTimer(): void {
    if (this.#timer === null) return;
    if (this.#timerIsUrgent) clearImmediate(this.#timer as NodeJS.Immediate);
    else clearTimeout(this.#timer as NodeJS.Timeout);
    this.#timer = null;
  }

  #flush(): Promise<void> {
    const { mark, events, operations, size, durable } = this.#full.shift() ?? this.#take();
    const batch: JournalBatch = { number: ++this.#batches, events, operations };
    const ended = (written: boolean): void => {
      this.#flushing = null;
      if (written) {
        durable();
        this.#takenBytes -= size.bytes;
        this.#takenPayloadBytes -= size.payloadBytes;
        this.#durable = mark;
        this.#waiters.reached(mark);
        this.#application.durable(mark, size.bytes);
      }
      if (this.#durable < this.#appended) {
        this.#schedule(this.waiting > 0 || this.#full.length > 0);
      }
    };
    return this.#attempts.untilWritten(() => this.#writer.write(batch), ended);
  }
}

/** A caller used the journal after it was closed. */
export class JournalClosed extends Error {
  constructor() {
    super("the journal is closed: what is appended would be lost");
  }
}
