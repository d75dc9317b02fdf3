import type { Rows } from "../journal/batch.ts";

/** The changes of one write in a table of windows; see `window-rows.ts`. */
export interface WindowChange {
  readonly head: Uint8Array;
  /** Names of windows that are forgotten. */
  readonly gone: readonly string[];
  readonly rows: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Sorts before every name. */
export const headKey = "!";

/** Call it inside a transaction. Applying a change twice has the same effect as once. */
export function applyWindowChange(table: Rows<string, Uint8Array>, change: WindowChange): void {
  table.putSync(headKey, change.head);
  for (const name of change.gone) table.removeSync(name);
  for (const { name, bytes } of change.rows) table.putSync(name, bytes);
}
