import type { Clock } from "../../runtime/clock.ts";
import type { RateWindows } from "./rate-windows.ts";
import { SharedRateWindows } from "./shared-rate-windows.ts";
import { SharedUsageWindows } from "./shared-usage-windows.ts";
import type { UsageCap, UsageWindows } from "./usage-windows.ts";
import { KeptUsageWindows, type StoredUsage, type UsageJournal } from "./kept-usage-windows.ts";
import { storedSeed, type StoredWindows } from "./stored-windows.ts";
import { WindowRows, type WriteWindows } from "./window-rows.ts";

/** Rate windows that outlive the process. */
export interface OpenRateWindows extends RateWindows {
  /** For `SharedRateWindows` of other threads, with the same number of slots. */
  readonly buffer: SharedArrayBuffer;
  /**
   * Writes the counts. Durable when resolved, unless `onFlushFailed` was called (once for flushes that
   * fail in a row).
   */
  flush(): Promise<void>;
  /** Writes the counts and stops writing; call it before the store is closed. */
  close(): Promise<void>;
}

export interface OpenRateWindowsOptions {
  readonly slots?: number;
  readonly clock?: Clock;
  readonly onFull?: () => void;
  readonly onFlushFailed: (error: unknown) => void;
}

/**
 * Windows whose state survives a restart: it is written about every second and at `close`; a crash
 * loses later counts. During a restart they follow the wall clock. If the clock was set back, no
 * time has passed for them. If it was set forward, that time has passed.
 */
export function openRateWindows(
  rows: StoredWindows,
  write: WriteWindows,
  { onFlushFailed, ...options }: OpenRateWindowsOptions,
): OpenRateWindows {
  const seed = storedSeed(rows);
  const windows = new SharedRateWindows({ ...options, ...(seed === undefined ? {} : { seed }) });
  const kept = new WindowRows(rows, write, windows, onFlushFailed);
  return {
    buffer: windows.table.buffer,
    consume: (checks) => windows.consume(checks),
    flush: () => kept.flush(),
    close: () => kept.close(),
  };
}

/** Usage windows that outlive the process. */
export interface OpenUsageWindows extends UsageWindows {
  /** For `SharedUsageWindows` of other threads, with the same number of slots. */
  readonly buffer: SharedArrayBuffer;
  /** Deletes the counts of a cap, also those in flight. Durable about one flush later. */
  forget(cap: Pick<UsageCap, "id">): void;
  /** Looks for windows that are empty, as is done every `windowFlushMs`. */
  sweep(): void;
  /** To be called before the journal is closed. */
  close(): void;
}

export interface OpenUsageWindowsOptions {
  readonly slots?: number;
  readonly clock?: Clock;
}

/**
 * Windows whose state survives a restart: the caller that counts writes the operations that the windows
 * return. Time goes on over a restart as in `openRateWindows`.
 */
export function openUsageWindows(
  stored: StoredUsage,
  journal: UsageJournal,
  options: OpenUsageWindowsOptions = {},
): OpenUsageWindows {
  const seed = storedSeed(stored.usageWindows);
  const windows = new SharedUsageWindows({ ...options, ...(seed === undefined ? {} : { seed }) });
  const kept = new KeptUsageWindows(stored, journal, windows);
  return {
    buffer: windows.table.buffer,
    reserve: (caps, worst) => windows.reserve(caps, worst),
    settle: (reservation, actual) => windows.settle(reservation, actual),
    release: (reservation) => windows.release(reservation),
    used: (cap) => windows.used(cap),
    forget: ({ id }) => kept.forget(id),
    sweep: () => kept.sweep(),
    close: () => kept.close(),
  };
}
