import type { SharedSlots } from "../slots/shared-slots.ts";
import { headKey } from "./window-change.ts";
import type { TimelineMark, WindowTimeline } from "./window-timeline.ts";

/** Windows that are kept in the store. */
export interface KeptWindows {
  readonly table: SharedSlots;
  readonly timeline: WindowTimeline;
  /** Whether a window equals a new one; `cell` as in `SharedSlots.change`. */
  isEmpty(cell: number): boolean;
  /** Called with a window that was read from the store. */
  restored?(cell: number): void;
}

/** The rows of a table of windows: the bytes of slots by `SharedSlots.nameOf`, and a head. */
export interface StoredWindows {
  get(key: string): Uint8Array | undefined;
  getRange(): Iterable<{ readonly key: string; readonly value: Uint8Array }>;
}

/** The form of the rows, and the time of their timeline at the last write. */
export interface WindowsHead extends TimelineMark {
  readonly v: 1;
  readonly seed: string;
  readonly bytesPerSlot: number;
}

export function encodeHead(head: WindowsHead): Uint8Array {
  return Buffer.from(JSON.stringify(head));
}

export function readHead(rows: Pick<StoredWindows, "get">): WindowsHead | undefined {
  const bytes = rows.get(headKey);
  // Only this file writes it.
  return bytes === undefined
    ? undefined
    : (JSON.parse(Buffer.from(bytes).toString()) as WindowsHead);
}

/** The head for this moment. */
export function headOf({ table, timeline }: KeptWindows): Uint8Array {
  const { seed, bytesPerSlot } = table;
  return encodeHead({ v: 1, seed, bytesPerSlot, ...timeline.mark() });
}

/** The hash seed of the rows in the store, for a table that will read them. */
export function storedSeed(rows: StoredWindows): string | undefined {
  return readHead(rows)?.seed;
}

/** The result of reading the windows at a start. */
export interface RestoredWindows {
  /** False: there were no rows, or rows of another shape. */
  readonly isReadable: boolean;
  /** Names of rows that are empty by now, or for which the table has no room. */
  readonly gone: string[];
}

/**
 * Starts the timeline, and fills the table from the store. `mark`: a later time of the timeline than
 * the head has.
 */
export function restoreWindows(
  rows: StoredWindows,
  windows: KeptWindows,
  mark?: TimelineMark,
): RestoredWindows {
  const { table, timeline } = windows;
  const head = readHead(rows);
  const isReadable = head?.seed === table.seed && head.bytesPerSlot === table.bytesPerSlot;
  timeline.start(isReadable ? (mark ?? head) : undefined);
  const gone: string[] = [];
  for (const { key, value } of rows.getRange()) {
    if (key === headKey) continue;
    if (!isReadable || !place(windows, key, value)) gone.push(key);
  }
  return { isReadable, gone };
}

/** False if the table has no room for the row. */
function place(windows: KeptWindows, name: string, bytes: Uint8Array): boolean {
  const { table } = windows;
  const slot = table.claimNamed(name);
  if (typeof slot === "string") return false;
  const update = table.mustChange(slot, (cell) => {
    table.bytes.set(bytes, cell * table.bytesPerCell);
    windows.restored?.(cell);
    return true;
  });
  return update === "changed";
}
