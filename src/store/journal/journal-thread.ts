import { parentPort, workerData } from "node:worker_threads";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { storeFreeBytesMin } from "../../contract/limits.ts";
import { freeBytesAt, isOutOfRoom, noRoom } from "../disk-room.ts";
import { abortableAndFlushed, openRoot } from "../open-root.ts";
import { applyBatch, type JournalBatch } from "./batch.ts";
import { openJournalTables } from "./journal-tables.ts";

/** What the thread is started with. */
export interface JournalThreadData {
  readonly databasePath: string;
  readonly directory: string;
}

/** `null` asks the thread to end. */
export type JournalThreadMessage = JournalBatch | null;

// The starter's own words, which structured cloning keeps.
const { databasePath, directory } = workerData as JournalThreadData;
const root = openRoot(databasePath);
const tables = openJournalTables(root);
const freeBytes = freeBytesAt(directory);

/** As `Store.write`, whose comment says why room is looked for before LMDB is asked. */
async function write(batch: JournalBatch): Promise<Outcome<null>> {
  if (freeBytes() < storeFreeBytesMin) return noRoom;
  try {
    root.transactionSync(() => applyBatch(tables, batch), abortableAndFlushed);
    await root.flushed;
    return accept(null);
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    return noRoom;
  }
}

parentPort?.on("message", (message: JournalThreadMessage) => {
  if (message === null) {
    void root.close().then(() => parentPort?.close());
    return;
  }
  // A rejection ends the thread, which its starter sees.
  void write(message).then((outcome) => parentPort?.postMessage(outcome));
});
