import type { RootDatabase } from "lmdb";
import { journalAppliedAtOnceBytes, storeFreeBytesMin } from "../../../contract/limits.ts";
import { applyBatches } from "../../journal/batch.ts";
import type { FreeBytes } from "../files/disk-room.ts";
import { abortableAndFlushed } from "../files/open-root.ts";
import { decodeBatch, type JournalRecord } from "./journal-record.ts";
import { openJournalTables } from "./journal-tables.ts";
import { readJournal } from "./read-journal.ts";

/** How many batches LMDB did not have, or why they can't be written. */
export type Replayed =
  { readonly ok: true; readonly batches: number } | { readonly ok: false; readonly fault: string };

/**
 * Writes the batches that a crash has left in the journal's file into LMDB. Call it before anything
 * else reads the store. Durable when resolved. Throws if LMDB fails.
 */
export async function replayJournal(
  root: RootDatabase,
  path: string,
  freeBytes: FreeBytes,
): Promise<Replayed> {
  const tables = openJournalTables(root);
  const read = readJournal(path, tables.meta.get("journalBatch") ?? 0);
  if (!read.ok) return read;
  if (read.records.length > 0 && freeBytes() < storeFreeBytesMin) {
    return { ok: false, fault: `there is no room on its disk for what ${path} still holds` };
  }
  for (const records of inTransactions(read.records)) {
    const batches = records.map(decodeBatch);
    root.transactionSync(() => applyBatches(tables, batches), abortableAndFlushed);
  }
  await root.flushed;
  return { ok: true, batches: read.records.length };
}

/** Groups the records that one transaction applies. */
export function* inTransactions(records: Iterable<JournalRecord>): Iterable<JournalRecord[]> {
  let together: JournalRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    if (bytes > 0 && bytes + record.bytes > journalAppliedAtOnceBytes) {
      yield together;
      together = [];
      bytes = 0;
    }
    together.push(record);
    bytes += record.bytes;
  }
  if (together.length > 0) yield together;
}
