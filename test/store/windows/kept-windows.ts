import { accept } from "../../../src/contract/outcome.ts";
import type { WindowTableName } from "../../../src/store/journal/batch.ts";
import type { Store } from "../../../src/store/embedded/store.ts";
import { applyWindowChange } from "../../../src/store/windows/window-change.ts";
import type { WriteWindows } from "../../../src/store/windows/window-rows.ts";
import type { WindowTable } from "../../../src/store/embedded/window-table.ts";

/** A table of windows and who writes to it, without a journal in between. */
export function keptIn(store: Store, name: WindowTableName): [WindowTable, WriteWindows] {
  const table = store.journal[name];
  const write: WriteWindows = (change) =>
    store.write(() => {
      applyWindowChange(table, change);
      return accept(null);
    });
  return [table, write];
}
