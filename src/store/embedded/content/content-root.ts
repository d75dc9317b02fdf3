import type { RootDatabase } from "lmdb";
import { openRoot } from "../files/open-root.ts";
import type { ContentTables } from "./content-rows.ts";

export interface ContentRoot extends ContentTables {
  readonly root: RootDatabase;
}

/**
 * The content has a database file of its own, so that the ledger and the erasing of content never
 * wait for each other.
 */
export function openContentRoot(path: string): ContentRoot {
  const root = openRoot(path);
  return {
    root,
    contents: root.openDB({ name: "contents", encoding: "binary" }),
    places: root.openDB({ name: "places", encoding: "json" }),
  };
}
