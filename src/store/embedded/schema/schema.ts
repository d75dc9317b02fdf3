import type { RootDatabase } from "lmdb";
import { migrateToVersion2 } from "./schema-version-2.ts";
import { openJournalTables, type LmdbJournalTables } from "../journal/journal-tables.ts";
import { migrateToVersion3 } from "./schema-version-3.ts";
import { migrateToVersion4 } from "./schema-version-4.ts";
import { migrateToVersion6 } from "./schema-version-6.ts";
import type { Tables } from "../tables.ts";

/**
 * Brings the store from one version to the next. The migration's place in the list, counted from 1,
 * is the old version.
 */
export type Migration = (tables: Tables, journal: LmdbJournalTables) => void;

/**
 * From version 5 on, the journal's file may hold batches that LMDB lacks. An older release would not
 * read them.
 */
const migrateToVersion5: Migration = () => undefined;

/** One for every version except the first. */
const migrations: readonly Migration[] = [
  migrateToVersion2,
  migrateToVersion3,
  migrateToVersion4,
  migrateToVersion5,
  migrateToVersion6,
];

/**
 * Writes the schema's version into a new store and migrates an older one, in one transaction, so
 * that a crash leaves the old version whole. Returns why the store can't be used, or undefined.
 */
export function bringUpToDate(
  root: RootDatabase,
  tables: Tables,
  steps: readonly Migration[] = migrations,
): string | undefined {
  const current = steps.length + 1;
  const journal = openJournalTables(root);
  return root.transactionSync(() => {
    const version = tables.meta.get("schemaVersion");
    if (version !== undefined && version > current) {
      return `it was written by a newer release (schema ${version}; this one knows ${current}): start that release, or restore a backup`;
    }
    for (const step of steps.slice((version ?? current) - 1)) step(tables, journal);
    if (version !== current) tables.meta.putSync("schemaVersion", current);
    return undefined;
  });
}
