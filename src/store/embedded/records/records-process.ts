import { dirname } from "node:path";
import { open } from "lmdb";
import { recordsNiceness, storeMapBytes } from "../../../contract/limits.ts";
import { collectNowAndThen } from "../../../runtime/collect-garbage.ts";
import { standBack } from "../../../runtime/stand-back.ts";
import type { FromReadModel, ToReadModel } from "../../read-model/messages.ts";
import { ReadModelServer } from "../../read-model/server.ts";
import { freeBytesAt } from "../files/disk-room.ts";
import { LmdbLog } from "./lmdb-log.ts";
import { readModelDirectory } from "./read-model-directory.ts";

/*
 * The process of the read model. It only reads the store, and writes a file of its own beside it. Its arguments are the
 * path of the store's database. It ends with its parent (docs/decisions/0059-records-in-a-process.md).
 */
const [databasePath] = process.argv.slice(2);
if (databasePath === undefined || process.send === undefined) {
  throw new Error("records-process.ts is started by the gateway");
}
// A request that is served meanwhile comes first.
standBack(recordsNiceness);
// A terminal and a service manager signal all processes of the gateway; the gateway decides when this one ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
collectNowAndThen();

const root = open({ path: databasePath, noSubdir: true, readOnly: true, mapSize: storeMapBytes });
// One of these that was killed while it read would keep the store from using pages again.
root.readerCheck();
const directory = readModelDirectory({ databasePath });
const tell = (message: FromReadModel): void => void process.send?.(message);

const server = new ReadModelServer({
  directory,
  log: new LmdbLog({
    events: root.openDB({ name: "events", encoding: "binary" }),
    meta: root.openDB({ name: "journalMeta", encoding: "json" }),
  }),
  freeBytes: freeBytesAt(dirname(databasePath)),
  tell: (message) => {
    if (message.kind === "ended") void root.close().then(() => tell(message));
    else tell(message);
  },
});
process.on("message", (message: ToReadModel) => server.receive(message));
server.start();
