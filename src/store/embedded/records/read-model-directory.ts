import { dirname, join } from "node:path";
import type { Store } from "../store.ts";

/** Where the read model of a store has its file and its exports: a folder in the data directory. */
export function readModelDirectory({ databasePath }: Pick<Store, "databasePath">): string {
  return join(dirname(databasePath), "records");
}
