import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AuditKeyRecord } from "../embedded/audit/audit-key.ts";
import { openContentRoot, type ContentRoot } from "../embedded/content/content-root.ts";
import { databaseFiles } from "../embedded/files/database-file.ts";
import { openStore, type Store } from "../embedded/store.ts";

/** The data directory of a gateway that does not run. */
export interface MoveSource {
  readonly store: Store;
  readonly key: AuditKeyRecord;
  /** null: no readable content was ever kept. */
  readonly content: ContentRoot | null;
  close(): Promise<void>;
}

/**
 * Opens a data directory for a move, with everything that its journal still held. Nobody else may use it until it is
 * closed. Throws with a reason that a person can act on.
 */
export async function openMoveSource(dataDir: string): Promise<MoveSource> {
  if (!existsSync(join(dataDir, databaseFiles.store))) {
    throw new Error(`There is no gateway's store in ${dataDir}, or this user may not read it.`);
  }
  const opened = await openStore({ dataDir, wasMoved: true });
  if (!opened.ok) throw new Error(opened.fault);
  const store = opened.value;
  try {
    const key = store.tables.auditKeys.get("signing");
    if (key === undefined) {
      throw new Error(
        `Nothing was ever served from ${dataDir}: start gateways on the empty database.`,
      );
    }
    const path = join(dirname(store.databasePath), databaseFiles.content);
    const content = existsSync(path) ? openContentRoot(path) : null;
    const close = async (): Promise<void> => {
      await content?.root.close();
      await store.close();
    };
    return { store, key, content, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}
