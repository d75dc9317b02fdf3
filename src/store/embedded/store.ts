import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RootDatabase } from "lmdb";
import { sharedChangeTriesMax, storeFreeBytesMin } from "../../contract/limits.ts";
import { refuse } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { ChangeQueue } from "./change-queue.ts";
import { StoreChanges } from "./changes.ts";
import { databaseFileFault, databaseFiles } from "./files/database-file.ts";
import { lockDataDirectory, type DataDirectory } from "./files/data-directory.ts";
import { freeBytesAt, isFailedWrite, noRoom, type FreeBytes } from "./files/disk-room.ts";
import { movedFault } from "./files/moved-mark.ts";
import { journalPathIn } from "./journal/journal-file.ts";
import { replayJournal } from "./journal/replay.ts";
import { openJournalTables, type LmdbJournalTables } from "./journal/journal-tables.ts";
import { abortableAndFlushed, openRoot } from "./files/open-root.ts";
import { bringUpToDate } from "./schema/schema.ts";
import { applyWrite, StoreDraft, type Author, type StoreWrite } from "./store-draft.ts";
import { openTables, type Tables } from "./tables.ts";
import { WriteHalt, writesHalted } from "./write-halt.ts";

export type OpenedStore =
  | {
      readonly ok: true;
      readonly value: Store;
      /** Batches that a crash had left in the journal's file. */
      readonly replayedBatches: number;
    }
  /** Prose for the operator; names the directory. */
  | { readonly ok: false; readonly fault: string };

export interface StoreOptions {
  readonly dataDir: string;
  readonly freeBytes?: FreeBytes;
  /** Whether it is a gateway's copy of a shared store. Absent: it is not. */
  readonly isCopy?: boolean;
  /** Whether it may have been moved into a database: then nobody may serve from it. Absent: it is not opened if it was. */
  readonly wasMoved?: boolean;
}

/**
 * Opens the store in a data directory (made if there is none) and holds it exclusively: as long as this
 * process lives, every other opener gets a fault. An older schema is migrated, a newer one is a fault.
 * When this resolves, the tables have all batches that a crash has left in the journal's file.
 */
export async function openStore({
  dataDir,
  freeBytes = freeBytesAt(dataDir),
  isCopy = false,
  wasMoved = false,
}: StoreOptions): Promise<OpenedStore> {
  const locked = lockDataDirectory(dataDir);
  if (!locked.ok) return locked;
  const directory = locked.value;
  let root: RootDatabase | undefined;
  let fault: string | undefined;
  try {
    const path = databasePathIn(directory.path);
    fault = wasMoved ? undefined : movedFault(directory.path);
    fault ??= databaseFileFault(path, freeBytes);
    const content = join(directory.path, databaseFiles.content);
    if (existsSync(content)) fault ??= databaseFileFault(content, freeBytes);
    if (fault === undefined) {
      root = openRoot(path);
      const tables = openTables(root);
      fault = bringUpToDate(root, tables) ?? notWhatIsAsked(openJournalTables(root), isCopy);
      if (fault === undefined) {
        const replayed = await replayJournal(root, journalPathIn(directory.path), freeBytes);
        if (replayed.ok) {
          const value = new Store(path, directory, root, tables, freeBytes);
          return { ok: true, value, replayedBatches: replayed.batches };
        }
        fault = replayed.fault;
      }
    }
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
  }
  // The lock is released after the environment is closed; otherwise another process could open it
  // meanwhile.
  await root?.close();
  directory.release();
  return { ok: false, fault: `The store in ${dataDir} can't be opened: ${fault}` };
}

/**
 * Opens, for reading, the store that another thread of this process has opened. Close it before that
 * thread closes its own. Throws if it can't be read.
 */
export function openStoreReader(databasePath: string, halt: WriteHalt): Store {
  const root = openRoot(databasePath);
  return new Store(databasePath, null, root, openTables(root), () => 0, halt);
}

/** A directory of books is never taken for a copy of others, nor the other way round. */
function notWhatIsAsked({ meta }: LmdbJournalTables, isCopy: boolean): string | undefined {
  const copied = meta.get("changeCount") !== undefined;
  if (copied && !isCopy) {
    return "it is a copy of a shared store, and has no books of its own: configure that store, or use another directory";
  }
  const isUsed = meta.get("journalBatch") !== undefined || meta.get("eventCount") !== undefined;
  if (isCopy && !copied && isUsed) {
    return "it has books of its own, and is no copy of a shared store: use an empty directory";
  }
  return undefined;
}

function databasePathIn(directory: string): string {
  return join(directory, databaseFiles.store);
}

/** Writes the results of changes. */
export interface StoreWriter {
  /**
   * One transaction, durable and visible to readers when this resolves. Never rejects. Errors:
   * `internal_error`; then nothing is written, or everything if the writer died.
   *
   * `basedOn`: the changes that a copy of a shared store had when this one was made. "behind": there are newer ones,
   * which the copy has now; nothing was written.
   */
  change(write: StoreWrite, basedOn: number): Promise<Outcome<null> | "behind">;
  /** A shared store's: resolves when every gateway acts on the changes that all threads of this one act on. */
  inForce?(): Promise<Outcome<null>>;
  /** A shared store's: all threads of this gateway act on the changes up to this one. */
  tookIn?(seq: number): void;
}

/** The open store. Other code uses its modules (`keys.ts`, `organizations.ts`, …). */
export class Store {
  readonly tables: Tables;
  /** Written by the journal alone, in its own thread. */
  readonly journal: LmdbJournalTables;
  /** For threads that open the database themselves. */
  readonly databasePath: string;
  /** The changes of the tables that are kept in memory. */
  readonly changes = new StoreChanges();
  readonly #directory: DataDirectory | null;
  readonly #root: RootDatabase;
  readonly #freeBytes: FreeBytes;
  /** For other code that writes to a database in this process. */
  readonly halt: WriteHalt;
  readonly #queue = new ChangeQueue();
  #writer: StoreWriter | null = null;

  /** `directory` null: read only, in a thread for which another thread writes. */
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
   * From now on, `writer` writes the changes in a thread of its own; null: this thread writes and
   * blocks meanwhile.
   */
  changesGoTo(writer: StoreWriter | null): void {
    this.#writer = writer;
  }

  /**
   * Makes a change in one transaction. Changes run one after the other, so what a change reads stays
   * true until it is committed. All or nothing is written, including the events of `author`. The change
   * may refuse; an exception writes nothing. `committed` runs once readers see the change, in the order
   * of commits. Durable when resolved; all threads that keep the changed table in memory have it then.
   * Errors: those of `change`, and `internal_error` if the disk is full or fails, the writing thread
   * fails, or too many changes wait. If the thread died, the change may have been written, and copies
   * in memory are loaded again.
   */
  async change<T>(
    author: Author | null,
    change: (draft: StoreDraft) => Outcome<T>,
    committed: (value: T) => void = () => undefined,
  ): Promise<Outcome<T>> {
    this.#assertWritable();
    let changeCount = 0;
    const changed = await this.#queue.run(async () => {
      for (let tries = 0; tries < sharedChangeTriesMax; tries += 1) {
        this.#readAnew();
        const basedOn = this.#changeCount();
        const draft = new StoreDraft(this.tables, author);
        const outcome = change(draft);
        if (!outcome.ok) return outcome;
        const written = await this.#apply(draft.toWrite(), basedOn);
        if (written === "behind") continue;
        if (!written.ok) return written;
        this.#readAnew();
        changeCount = basedOn + 1;
        committed(outcome.value);
        return outcome;
      }
      return othersFaster;
    });
    if (!changed.ok) return changed;
    await this.changes.spread();
    this.#writer?.tookIn?.(changeCount);
    // Nobody waits for changes without an author.
    const inForce = author === null ? undefined : await this.#writer?.inForce?.();
    return inForce?.ok === false ? inForce : changed;
  }

  /**
   * Runs `change` as one transaction of this thread, which blocks meanwhile. It is for the start,
   * before any request is served. `change` must refuse before it writes; an exception rolls back.
   * Durable when resolved. Errors: those of `change`, and `internal_error` if the disk is full or
   * fails.
   *
   * If a write to the disk fails, lmdb 3.5.6 damages the heap, and an asynchronous commit then also
   * rejects promises without a handler. So the free room is checked first. If LMDB still fails,
   * nothing more is written until a restart (`WriteHalt`). Test: store.test.ts, "full disk".
   */
  async write<T>(change: () => Outcome<T>): Promise<Outcome<T>> {
    this.#assertWritable();
    if (this.halt.halted) return writesHalted;
    if (this.#freeBytes() < storeFreeBytesMin) return noRoom;
    try {
      const outcome = this.#root.transactionSync(change, abortableAndFlushed);
      if (outcome.ok) await this.#root.flushed;
      return outcome;
    } catch (error) {
      if (!isFailedWrite(error)) throw error;
      this.halt.halt();
      return writesHalted;
    }
  }

  /** Waits for pending writes, then lets other processes open the directory. */
  async close(): Promise<void> {
    await this.#root.close();
    this.#directory?.release();
  }

  /** Of a copy of a shared store. */
  #changeCount(): number {
    return this.journal.meta.get("changeCount") ?? 0;
  }

  #apply(write: StoreWrite, basedOn: number): Promise<Outcome<null> | "behind"> {
    if (this.#writer !== null) return this.#writer.change(write, basedOn);
    return this.write(() => {
      applyWrite(this.tables, this.journal, write);
      return accept(null);
    });
  }

  /** lmdb keeps a read transaction for the rest of a turn; another thread writes meanwhile. */
  #readAnew(): void {
    this.tables.meta.resetReadTxn();
  }

  #assertWritable(): void {
    if (this.#directory === null) throw new Error("this thread only reads the store");
  }
}

const othersFaster = refuse(
  "internal_error",
  "Other gateways kept changing the configuration; nothing was written.",
  { details: { retryable: true }, retryAfterSeconds: 1 },
);
