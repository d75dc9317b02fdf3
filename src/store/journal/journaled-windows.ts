import { refuse } from "../../contract/errors.ts";
import { windowWriteWaitMsMax } from "../../contract/limits.ts";
import { accept } from "../../contract/outcome.ts";
import type { WriteWindows } from "../windows/window-rows.ts";
import type { WindowTableName } from "./batch.ts";
import type { Journal } from "./journal.ts";

const waiting = refuse("internal_error", "The journal does not write at present.");

/**
 * Windows are written with the journal. LMDB has one writer at a time, so a transaction of their own
 * would block the loop until the journal's thread has ended its transaction.
 */
export function journaledWindows(journal: Journal, table: WindowTableName): WriteWindows {
  return async (change) => {
    // Appended changes are kept until they are written, so while nothing can be written, no more are
    // added.
    if (!journal.accepting) return waiting;
    const mark = journal.append([], [{ kind: "windows", table, change }]);
    return (await journal.flushed(mark, windowWriteWaitMsMax)) ? accept(null) : waiting;
  };
}
