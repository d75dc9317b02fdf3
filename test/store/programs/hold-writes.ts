// Stops all writing to a store, as a disk that stands still does, until its input ends.
import { readSync } from "node:fs";
import { join } from "node:path";
import { databaseFiles } from "../../../src/store/embedded/files/database-file.ts";
import { abortableAndFlushed, openRoot } from "../../../src/store/embedded/files/open-root.ts";

const [dataDir = ""] = process.argv.slice(2);
const root = openRoot(join(dataDir, databaseFiles.store));
// LMDB has one writer at a time, over all processes.
root.transactionSync(() => {
  console.log("held");
  readSync(0, Buffer.alloc(1));
}, abortableAndFlushed);
await root.close();
