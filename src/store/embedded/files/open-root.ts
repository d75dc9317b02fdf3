import { open, TransactionFlags, type RootDatabase } from "lmdb";
import { storeDatabasesMax, storeMapBytes } from "../../../contract/limits.ts";

/** lmdb's default, set explicitly because durability depends on it. */
export const abortableAndFlushed: TransactionFlags =
  TransactionFlags.ABORTABLE | TransactionFlags.SYNCHRONOUS_COMMIT;

/** Opens the database file; every thread of the process opens it for itself, and shares the map. */
export function openRoot(path: string): RootDatabase {
  const options = {
    noSubdir: true,
    // Another user may have made the directory, readable by all.
    permissionsMode: 0o600,
    mapSize: storeMapBytes,
    maxDbs: storeDatabasesMax,
    noSync: false,
    overlappingSync: true,
    // After a crash, start from the flushed state, never from a state that was only committed.
    safeRestore: true,
  };
  return open(path, options);
}
