import { open, TransactionFlags, type RootDatabase } from "lmdb";
import { storeDatabasesMax, storeMapBytes } from "../../../contract/limits.ts";

/** lmdb's default, said because the promise of durability rests on it. */
export const abortableAndFlushed: TransactionFlags =
  TransactionFlags.ABORTABLE | TransactionFlags.SYNCHRONOUS_COMMIT;

/** Opens the database file; every thread of the process opens it for itself, and shares the map. */
export function openRoot(path: string): RootDatabase {
  const options = {
    noSubdir: true,
    // The directory may have been made by someone else, and open to all.
    permissionsMode: 0o600,
    mapSize: storeMapBytes,
    maxDbs: storeDatabasesMax,
    noSync: false,
    overlappingSync: true,
    // After a crash start from what was flushed, never from what was merely committed.
    safeRestore: true,
  };
  return open(path, options);
}
