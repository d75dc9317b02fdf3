import { parentPort, workerData } from "node:worker_threads";
import { collectNowAndThen } from "../../runtime/collect-garbage.ts";
import { noteSigner } from "../audit/signed-note.ts";
import { CheckpointPublisher } from "../embedded/audit/publisher.ts";
import { freeBytesAt } from "../embedded/files/disk-room.ts";
import { openRoot } from "../embedded/files/open-root.ts";
import { transactionsOf } from "../embedded/files/transactions.ts";
import { openJournalTables } from "../embedded/journal/journal-tables.ts";
import { openTables } from "../embedded/tables.ts";
import { WriteHalt } from "../embedded/write-halt.ts";
import type { SharedThreadData, ToSharedThread } from "./messages.ts";
import { Replica } from "./replica.ts";
import { StoreSession } from "./store-session.ts";

/*
 * The thread that is connected to the shared store. It alone writes this gateway's copy.
 */

// The data comes from the thread's starter by structured cloning.
const data = workerData as SharedThreadData;
const { log } = data;
const root = openRoot(data.databasePath);
const journalTables = openJournalTables(root);
const write = transactionsOf(root, new WriteHalt(data.halt), freeBytesAt(data.directory));
collectNowAndThen();

const session = new StoreSession({
  ...{ data, write },
  replica: new Replica(openTables(root), journalTables, write),
  publisher: new CheckpointPublisher(journalTables, noteSigner(log.name, log.privateKeyPem)),
  closeCopy: () => root.close(),
  tell: (message) => parentPort?.postMessage(message),
  ended: () => parentPort?.close(),
});
parentPort?.on("message", (message: ToSharedThread) => session.receive(message));
