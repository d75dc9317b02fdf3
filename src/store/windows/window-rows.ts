import {
  windowFlushMs,
  windowIdleMs,
  windowRowsPerWrite,
  windowsReclaimedPerFlush,
} from "../../contract/limits.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { SlotChanges } from "../slots/slot-changes.ts";
import { headOf, restoreWindows, type KeptWindows, type StoredWindows } from "./stored-windows.ts";
import type { WindowChange } from "./window-change.ts";

/**
 * The number of flushes without a change after which a window may be removed. A rate window is empty
 * by then.
 */
const idleFlushes = windowIdleMs / windowFlushMs;

/**
 * Writes a change, all or nothing; durable when resolved. It must not block the loop during a
 * disk's flush. Errors: `internal_error`.
 */
export type WriteWindows = (change: WindowChange) => Promise<Outcome<null>>;

/**
 * Writes windows to the store every `windowFlushMs` and at `close`, in changes of at most
 * `windowRowsPerWrite` rows, and reads them back when it is made. A crash loses the counts since the
 * last flush. The next flush writes what the last one could not write; `onFailed` is called when
 * flushes begin to fail.
 */
export class WindowRows {
  readonly #writeChange: WriteWindows;
  readonly #windows: KeptWindows;
  readonly #onFailed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<unknown> = Promise.resolve();
  readonly #changes: SlotChanges;
  readonly #unwritten = new Set<number>();
  /** Slots that may be removed. There may be many at once. */
  readonly #idle = new Set<number>();
  /** Ids to forget. */
  readonly #forgotten = new Set<string>();
  readonly #gone: string[];
  #isFailing = false;

  constructor(
    rows: StoredWindows,
    writeChange: WriteWindows,
    windows: KeptWindows,
    onFailed: (error: unknown) => void,
  ) {
    this.#writeChange = writeChange;
    this.#windows = windows;
    this.#onFailed = onFailed;
    this.#gone = restoreWindows(rows, windows).gone;
    // Windows that were just read count as unchanged and are not written again.
    this.#changes = new SlotChanges(windows.table);
    this.#timer = setInterval(() => void this.flush(), windowFlushMs).unref();
  }

  /** Resolves when all counts before the call are durable, or could not be written. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing
      .then(() => this.#write())
      .then(() => (this.#isFailing = false))
      .catch((error: unknown) => this.#fails(error));
    await this.#flushing;
  }

  /** Forgets an id for good. Durable with the next flush. */
  forget(id: string): void {
    this.#forgotten.add(id);
    this.#forget();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const { table } = this.#windows;
    this.#forget();
    for (const index of this.#changes.look()) this.#unwritten.add(index);
    this.#makeRoom();
    const head = headOf(this.#windows);
    while (this.#unwritten.size > 0 || this.#gone.length > 0) {
      const gone = this.#gone.slice(0, windowRowsPerWrite);
      const room = windowRowsPerWrite - gone.length;
      const indexes = firstOf(this.#unwritten, room);
      const rows = indexes.flatMap((index) => table.copyOf(index) ?? []);
      const written = await this.#writeChange({ head, gone, rows });
      if (!written.ok) throw new Error(written.refusal.message);
      this.#gone.splice(0, gone.length);
      for (const index of indexes) this.#unwritten.delete(index);
    }
  }

  /** Reports only the first failure in a row, because there is a flush every second. */
  #fails(error: unknown): void {
    if (!this.#isFailing) this.#onFailed(error);
    this.#isFailing = true;
  }

  /** If another thread keeps the table's lock, the next flush does it. */
  #forget(): void {
    const { table } = this.#windows;
    for (const id of this.#forgotten) {
      const removed = table.remove(id);
      if (removed === "busy") return;
      this.#forgotten.delete(id);
      if (removed) this.#gone.push(table.nameOfId(id));
    }
  }

  #makeRoom(): void {
    const { table } = this.#windows;
    for (const index of this.#changes.idle(idleFlushes)) this.#idle.add(index);
    for (const index of firstOf(this.#idle, windowsReclaimedPerFlush)) {
      this.#idle.delete(index);
      if (this.#unwritten.has(index) || this.#changes.looksSinceChange(index) === 0) continue;
      const name = table.reclaim(index, (cell) => this.#windows.isEmpty(cell));
      if (name !== undefined) this.#gone.push(name);
    }
  }
}

function firstOf<T>(values: ReadonlySet<T>, count: number): T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length === count) break;
    first.push(value);
  }
  return first;
}
