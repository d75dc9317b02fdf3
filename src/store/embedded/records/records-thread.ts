import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { collectNowAndThen } from "../../../runtime/collect-garbage.ts";
import type { FromReadModel, ToReadModel } from "../../read-model/messages.ts";
import { ReadModelServer } from "../../read-model/server.ts";
import { freeBytesAt } from "../files/disk-room.ts";
import { openRoot } from "../files/open-root.ts";
import { openJournalTables } from "../journal/journal-tables.ts";
import { LmdbLog } from "./lmdb-log.ts";
import { readModelDirectory } from "./read-model-directory.ts";

/** What the thread is started with. */
export interface RecordsThreadData {
  readonly databasePath: string;
}

/*
 * The thread of the read model. It only reads the store, and writes a file of its own beside it.
 */
if (parentPort === null) throw new Error("records-thread.ts runs in a thread");
const port = parentPort;
// The starter's own data, which structured cloning preserves.
const { databasePath } = workerData as RecordsThreadData;
const directory = readModelDirectory({ databasePath });
const root = openRoot(databasePath);
collectNowAndThen();

const server = new ReadModelServer({
  directory,
  log: new LmdbLog(openJournalTables(root)),
  freeBytes: freeBytesAt(dirname(databasePath)),
  tell: (message: FromReadModel) => {
    if (message.kind !== "ended") {
      port.postMessage(message);
      return;
    }
    void root.close().then(() => port.postMessage(message));
  },
});
port.on("message", (message: ToReadModel) => server.receive(message));
server.start();
