import {
  windowFlushMs,
  windowIdleMs,
  windowRowsPerWrite,
  windowsLookedAtOnce,
} from "../../contract/limits.ts";
import type { JournalOperation } from "../journal/batch.ts";
import { SlotChanges } from "../slots/slot-changes.ts";
import type { SharedUsageWindows } from "./shared-usage-windows.ts";
import { headOf, restoreWindows, type StoredWindows } from "./stored-windows.ts";
import { countsOf, markOf } from "./usage-count.ts";
import { unfoldedLines } from "./usage-log.ts";

/** Writes changes in the order in which they were appended. */
export interface UsageJournal {
  /** False while nothing can be written. Changes that can wait should wait then. */
  readonly accepting: boolean;
  append(events: readonly string[], operations: readonly JournalOperation[]): unknown;
}

/** The usage windows in the store. */
export interface StoredUsage {
  readonly usageWindows: StoredWindows;
  readonly usageLog: { get(key: number): string | undefined };
}

/** The number of looks without a change after which a window may be removed. */
const idleLooks = windowIdleMs / windowFlushMs;

/**
 * Usage windows as the store keeps them. Counts of requests reach the store with the requests' own
 * operations (`UsageOperation`). This class reads windows back at the start, and removes them from
 * memory and store when they are deleted or have been empty for long.
 */
export class KeptUsageWindows {
  readonly #journal: UsageJournal;
  readonly #windows: SharedUsageWindows;
  readonly #changes: SlotChanges;
  readonly #timer: NodeJS.Timeout;
  /** Ids to delete later, because another thread keeps the table's lock. */
  readonly #forgotten = new Set<string>();
  /** Names of rows that are to be removed. */
  #gone: string[];
  /** The slot at which the next look for empty windows begins. */
  #next = 0;

  constructor(stored: StoredUsage, journal: UsageJournal, windows: SharedUsageWindows) {
    this.#journal = journal;
    this.#windows = windows;
    const lines = unfoldedLines(stored);
    const last = lines.at(-1);
    const mark = last === undefined ? undefined : markOf(last);
    const { isReadable, gone } = restoreWindows(stored.usageWindows, windows, mark);
    this.#gone = gone;
    for (const line of isReadable ? lines : []) {
      for (const count of countsOf(line)) windows.restore(count);
    }
    // The head is written before the first count, because without the seed the rows can't be
    // assigned to ids.
    if (!isReadable) this.#write([]);
    this.#changes = new SlotChanges(windows.table);
    this.#timer = setInterval(() => this.sweep(), windowFlushMs).unref();
  }

  /** Forgets an id for good. Durable about one flush later. */
  forget(id: string): void {
    this.#forgotten.add(id);
    this.#forget();
    this.#remove();
  }

  /** Runs every `windowFlushMs`: looks through a bounded part of the table. */
  sweep(): void {
    this.#forget();
    this.#makeRoom();
    this.#remove();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#remove();
  }

  #forget(): void {
    const { table } = this.#windows;
    for (const id of this.#forgotten) {
      const removed = table.remove(id);
      if (removed === "busy") return;
      this.#forgotten.delete(id);
      this.#gone.push(table.nameOfId(id));
    }
  }

  #makeRoom(): void {
    const { table } = this.#windows;
    this.#changes.look();
    const end = Math.min(this.#next + windowsLookedAtOnce, table.end);
    for (let index = this.#next; index < end; index += 1) {
      if (this.#changes.looksSinceChange(index) < idleLooks) continue;
      const name = table.reclaim(index, (cell) => this.#windows.isEmpty(cell));
      if (name !== undefined) this.#gone.push(name);
    }
    this.#next = end === table.end ? 0 : end;
  }

  #remove(): void {
    if (this.#gone.length === 0 || !this.#journal.accepting) return;
    this.#write(this.#gone.splice(0, windowRowsPerWrite));
  }

  #write(gone: readonly string[]): void {
    const change = { head: headOf(this.#windows), gone, rows: [] };
    this.#journal.append([], [{ kind: "windows", table: "usageWindows", change }]);
  }
}
