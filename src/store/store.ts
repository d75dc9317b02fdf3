import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RootDatabase } from "lmdb";
import { storeFreeBytesMin } from "../contract/limits.ts";
import type { Outcome } from "../contract/outcome.ts";
import { StoreChanges } from "./changes.ts";
import { databaseFileFault, databaseFiles } from "./database-file.ts";
import { lockDataDirectory, type DataDirectory } from "./data-directory.ts";
import { freeBytesAt, isFailedWrite, noRoom, type FreeBytes } from "./disk-room.ts";
import { openJournalTables, type LmdbJournalTables } from "./journal/journal-tables.ts";
import { abortableAndFlushed, openRoot } from "./open-root.ts";
import { bringUpToDate } from "./schema.ts";
import { openTables, type Tables } from "./tables.ts";
import { WriteHalt, writesHalted } from "./write-halt.ts";

export type OpenedStore =
  | { readonly ok: true; readonly value: Store }
  /** Prose for the operator; names the directory. */
  | { readonly ok: false; readonly fault: string };

export interface StoreOptions {
  readonly dataDir: string;
  readonly freeBytes?: FreeBytes;
}

/**
 * Opens the store in a data directory, which is made where there is none, and holds it exclusively:
 * as long as this process lives, every other opener gets a fault. An older schema is migrated, a
 * newer one is a fault.
 */
export async function openStore({
  dataDir,
  freeBytes = freeBytesAt(dataDir),
}: StoreOptions): Promise<OpenedStore> {
  const locked = lockDataDirectory(dataDir);
  if (!locked.ok) return locked;
  const directory = locked.value;
  let root: RootDatabase | undefined;
  let fault: string | undefined;
  try {
    const path = databasePathIn(directory.path);
    fault = databaseFileFault(path, freeBytes);
    const content = join(directory.path, databaseFiles.content);
    if (existsSync(content)) fault ??= databaseFileFault(content, freeBytes);
    if (fault === undefined) {
      root = openRoot(path);
      const tables = openTables(root);
      fault = bringUpToDate(root, tables);
      if (fault === undefined) {
        return { ok: true, value: new Store(path, directory, root, tables, freeBytes) };
      }
    }
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  // The lock outlives the environment, or another process could open it while this one closes it.
  await root?.close();
  directory.release();
  return { ok: false, fault: `The store in ${dataDir} can't be opened: ${fault}` };
}

/**
 * Opens the store that another thread of this process has opened, to read it. To be closed before that
 * one closes it. Throws where it can't be read.
 */
export function openStoreReader(databasePath: string, halt: WriteHalt): Store {
  const root = openRoot(databasePath);
  return new Store(databasePath, null, root, openTables(root), () => 0, halt);
}

function databasePathIn(directory: string): string {
  return join(directory, databaseFiles.store);
}

/** The open store. Its modules (`keys.ts`, `organizations.ts`, …) are what others use. */
export class Store {
  readonly tables: Tables;
  /** Written by the journal alone, in its own thread. */
  readonly journal: LmdbJournalTables;
  /** For the threads that open it for themselves. */
  readonly databasePath: string;
  /** Of the tables that are kept in memory. */
  readonly changes = new StoreChanges();
  readonly #directory: DataDirectory | null;
  readonly #root: RootDatabase;
  readonly #freeBytes: FreeBytes;
  /** For whoever else writes to a database in this process. */
  readonly halt: WriteHalt;

  /** `directory` null: to be read only, in a thread that others write for. */
  constructor(
    databasePath: string,
    directory: DataDirectory | null,
    root: RootDatabase,
    tables: Tables,
    freeBytes: FreeBytes,
    halt = new WriteHalt(),
  ) {
    this.halt = halt;
    this.#freeBytes = freeBytes;
    this.#directory = directory;
    this.#root = root;
    this.databasePath = databasePath;
    this.tables = tables;
    this.journal = openJournalTables(root);
  }

  /**
   * Runs `change` as one transaction: what it reads stays true until it is committed, and all or
   * nothing is written. It refuses before it writes; an exception rolls back. `committed` runs as
   * soon as readers see the change, in the order of commits. Durable when resolved, and taken in by
   * all threads of the process that keep the changed table in memory.
   * Errors: those of `change`, and `internal_error` where the disk is full or fails.
   *
   * Where a write to the disk fails lmdb 3.5.6 damages the heap, and an asynchronous commit then also
   * rejects promises that nobody holds. So room is looked for before; where LMDB fails nonetheless,
   * nothing is written any more until a restart (`WriteHalt`). Test: store.test.ts, "full disk".
   */
  async write<T>(
    change: () => Outcome<T>,
    committed: (value: T) => void = () => undefined,
  ): Promise<Outcome<T>> {
    if (this.#directory === null) throw new Error("this thread only reads the store");
    if (this.halt.halted) return writesHalted;
    if (this.#freeBytes() < storeFreeBytesMin) return noRoom;
    try {
      const outcome = this.#root.transactionSync(change, abortableAndFlushed);
      if (!outcome.ok) return outcome;
      committed(outcome.value);
      await this.#root.flushed;
      await this.changes.spread();
      return outcome;
    } catch (error) {
      if (!isFailedWrite(error)) throw error;
      this.halt.halt();
      return writesHalted;
    }
  }

  /** Waits for what was written, then lets others open the directory. */
  async close(): Promise<void> {
    await this.#root.close();
    this.#directory?.release();
  }
}
