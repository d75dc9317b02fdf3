import type { RootDatabase } from "lmdb";
import { storeFreeBytesMin } from "../../../contract/limits.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import { writesHalted, type WriteHalt } from "../write-halt.ts";
import { isFailedWrite, noRoom, type FreeBytes } from "./disk-room.ts";
import { abortableAndFlushed } from "./open-root.ts";

/** Runs a change as one transaction; durable when it resolves. */
export type Transactions = (change: () => void) => Promise<Outcome<null>>;

/**
 * The transactions of a thread that writes a database. Errors: `internal_error` if the disk is full or fails; then
 * nothing is written. Like `Store.write`, whose comment says why the free room is checked before LMDB is called.
 */
export function transactionsOf(
  root: RootDatabase,
  halt: WriteHalt,
  freeBytes: FreeBytes,
): Transactions {
  return async (change) => {
    if (halt.halted) return writesHalted;
    if (freeBytes() < storeFreeBytesMin) return noRoom;
    try {
      root.transactionSync(change, abortableAndFlushed);
      await root.flushed;
      return accept(null);
    } catch (error) {
      if (!isFailedWrite(error)) throw error;
      halt.halt();
      return writesHalted;
    }
  };
}
