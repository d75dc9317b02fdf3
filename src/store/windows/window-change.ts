import type { Rows } from "../journal/batch.ts";

/** What one write changes in a table of windows; see `window-rows.ts`. */
export interface WindowChange {
  readonly head: Uint8Array;
  /** Names of windows that are forgotten. */
  readonly gone: readonly string[];
  readonly rows: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Sorts before every name. */
export const headKey = "!";

/** To be called inside a transaction. Applied twice it does what it does once. */
export function applyWindowChange(table: Rows<string, Uint8Array>, change: WindowChange): void {
  table.putSync(headKey, change.head);
  for (const name of change.gone) table.removeSync(name);
  for (const { name, bytes } of change.rows) table.putSync(name, bytes);
}
