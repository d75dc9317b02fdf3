import {
  contentPendingBytesMax,
  journalCloseWaitMsMax,
  journalPendingBytesMax,
  proxyThreadPostMs,
} from "../contract/limits.ts";
import type { RequestEvent } from "../contract/request-event.ts";
import { packContent, type Content } from "../store/content/content.ts";
import { packedLine } from "../contract/packed-log.ts";
import { ByteWriter } from "../runtime/packed-bytes.ts";
import { EventPacker } from "../store/journal/event-packer.ts";
import { FlushWaiters, type JournalMark } from "../store/journal/flush-waiters.ts";
import type { KeyLastUse } from "../store/keys/key-uses.ts";
import type { SpendingJournal, SpendingOperation } from "../store/ledger/spending.ts";
import type { ThreadBatch } from "./messages.ts";
import type { SharedFlags } from "./shared-flags.ts";

export interface OutboxOptions {
  readonly words: SharedFlags;
  readonly index: number;
  /** The number of proxy threads. They divide the amount that may wait. */
  readonly threads: number;
  readonly post: (batch: ThreadBatch, transferred: readonly ArrayBuffer[]) => void;
  readonly takeUses: () => readonly KeyLastUse[];
  /** As `JournalOptions.lease`. */
  readonly lease?: { readonly isOver: boolean };
}

/**
 * Everything that the main thread has to write for a proxy thread: events, changes of the books, readable
 * content, log lines. Everything that gathers in one turn of the loop goes in one message. If nothing waits
 * for it, the time of gathering is `proxyThreadPostMs`. A mark is the number of a batch.
 *
 * The bound counts everything that the main thread has not acknowledged yet. Once it is reached, no
 * request that needs a record may begin in this thread. The main thread has the same rule.
 */
export class Outbox implements SpendingJournal {
  readonly #options: OutboxOptions;
  readonly #journalBytesMax: number;
  readonly #notesBytesMax: number;
  readonly #packer = new EventPacker();
  #operations: SpendingOperation[] = [];
  /** Packed contents. */
  readonly #contents = new ByteWriter();
  readonly #packed = new ByteWriter();
  /** Packed lines. */
  readonly #log = new ByteWriter();
  #posted: JournalMark = 0;
  /** Bytes for the journal: those that gather, and all bytes that are not durable yet. */
  #gatheredBytes = 0;
  #pendingBytes = 0;
  #underWay: { readonly mark: JournalMark; readonly bytes: number }[] = [];
  #notesBytes = 0;
  #notesDropped = 0;
  readonly #waiters = new FlushWaiters();
  #timer: NodeJS.Timeout | null = null;
  #immediate: NodeJS.Immediate | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#journalBytesMax = journalPendingBytesMax / options.threads;
    this.#notesBytesMax = contentPendingBytesMax / options.threads;
  }

  get accepting(): boolean {
    const { words, lease } = this.#options;
    return (lease === undefined ? !words.journalFails : !lease.isOver) && !this.full;
  }

  get full(): boolean {
    const { words, index } = this.#options;
    if (this.#pendingBytes >= this.#journalBytesMax) this.#acknowledge(words.durable(index));
    return this.#pendingBytes >= this.#journalBytesMax || words.journalFull;
  }

  /** Approximate bytes that wait to become durable. */
  get pendingBytes(): number {
    this.#acknowledge(this.#options.words.durable(this.#options.index));
    return this.#pendingBytes;
  }

  /** The number of readable contents that were not kept. */
  get dropped(): number {
    return this.#notesDropped;
  }

  append(events: readonly string[], operations: readonly SpendingOperation[]): JournalMark {
    for (const event of events) {
      this.#packer.line(event);
      this.#gathered(event.length);
    }
    for (const operation of operations) {
      this.#operations.push(operation);
      this.#gathered(operationBytes + (operation.kind === "usage" ? operation.line.length : 0));
    }
    this.#schedule(false);
    return this.#posted + 1;
  }

  appendRequest(event: RequestEvent, createdAtMs: number): JournalMark {
    this.#packer.request(event, createdAtMs);
    this.#gathered(requestBytes);
    this.#schedule(false);
    return this.#posted + 1;
  }

  get failing(): boolean {
    return this.#options.words.journalFails;
  }

  flushed(mark: JournalMark, waitMsMax: number | null): Promise<boolean> {
    const { words, index } = this.#options;
    if (mark <= words.durable(index)) return Promise.resolve(true);
    const durable = this.#waiters.wait(mark, waitMsMax);
    this.#schedule(true);
    return durable;
  }

  /** As `Contents.keep`. */
  keep(orgId: string, requestId: string, content: Content): void {
    this.#packed.clear();
    packContent(this.#packed, orgId, requestId, Date.now(), content);
    if (!this.#noteFits(4 + this.#packed.length)) return;
    this.#contents.packed(this.#packed.written);
    this.#schedule(false);
  }

  /** A key was used, or there are more uses than one batch takes. */
  keyUsed(): void {
    this.#schedule(false);
  }

  /** Takes a line of the log. */
  write(line: string): void {
    this.writePacked(packedLine(line));
  }

  writePacked(line: Uint8Array): void {
    if (!this.#noteFits(4 + line.length)) return;
    this.#log.packed(line);
    this.#schedule(false);
  }

  /** The main thread reports that more has become durable. */
  woken(): void {
    const durable = this.#options.words.durable(this.#options.index);
    this.#acknowledge(durable);
    this.#waiters.reached(durable);
  }

  /** Posts everything that has gathered. */
  post(): void {
    this.#cancel();
    const uses = this.#options.takeUses();
    const hasEvents = this.#packer.count > 0;
    const isUrgent = this.#waiters.count > 0;
    const isEmpty = !hasEvents && this.#operations.length === 0 && this.#contents.length === 0;
    if (isEmpty && this.#log.length === 0 && uses.length === 0 && !isUrgent) return;
    const events = hasEvents ? this.#packer.take() : null;
    const contents = taken(this.#contents);
    this.#posted += 1;
    // A thread that only refuses requests may have only log lines, and nothing for the journal, for
    // days.
    if (this.#gatheredBytes > 0) {
      this.#underWay.push({ mark: this.#posted, bytes: this.#gatheredBytes });
    }
    const batch: ThreadBatch = {
      kind: "batch",
      number: this.#posted,
      events,
      operations: this.#operations,
      contents,
      log: taken(this.#log),
      uses,
      urgent: isUrgent,
    };
    this.#gatheredBytes = 0;
    this.#operations = [];
    this.#options.post(batch, transferredOf(batch));
  }

  /** Waits until everything is durable, as long as a closing journal waits. */
  async close(): Promise<void> {
    await this.flushed(this.append([], []), journalCloseWaitMsMax);
    this.#cancel();
  }

  #gathered(bytes: number): void {
    this.#gatheredBytes += bytes;
    this.#pendingBytes += bytes;
  }

  #acknowledge(durable: JournalMark): void {
    let count = 0;
    for (const { mark, bytes } of this.#underWay) {
      if (mark > durable) break;
      this.#pendingBytes -= bytes;
      count += 1;
    }
    if (count > 0) this.#underWay.splice(0, count);
  }

  /** Notes are not guaranteed. Notes beyond the bound are dropped. */
  #noteFits(bytes: number): boolean {
    const { words, index } = this.#options;
    const waiting = this.#notesBytes + bytes - words.notesTaken(index);
    if (waiting > this.#notesBytesMax) {
      this.#notesDropped += 1;
      return false;
    }
    this.#notesBytes += bytes;
    return true;
  }

  #schedule(urgent: boolean): void {
    if (this.#immediate !== null) return;
    if (urgent) {
      this.#cancel();
      // The message is sent at the end of the turn, so that it contains everything that the turn
      // appends.
      this.#immediate = setImmediate(() => this.post());
    } else {
      this.#timer ??= setTimeout(() => this.post(), proxyThreadPostMs).unref();
    }
  }

  #cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#timer = null;
    this.#immediate = null;
  }
}

/** Estimates of the memory for an operation and for a request's event. */
const operationBytes = 256;
const requestBytes = 512;

/** The packed bytes, for another thread; null if there are none. */
function taken(packed: ByteWriter): Uint8Array<ArrayBuffer> | null {
  if (packed.length === 0) return null;
  const bytes = new Uint8Array(packed.written);
  packed.clear();
  return bytes;
}

/** The bytes of a batch's notes, as `Outbox` counts them. */
export function notesBytesOf({ log, contents }: ThreadBatch): number {
  return (log?.length ?? 0) + (contents?.length ?? 0);
}

function transferredOf({ events, contents, log }: ThreadBatch): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = log === null ? [] : [log.buffer];
  if (events !== null) buffers.push(events.bytes.buffer);
  if (contents !== null) buffers.push(contents.buffer);
  return buffers;
}
