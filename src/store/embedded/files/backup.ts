import { chmodSync, closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync } from "node:fs";
import { openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { open, type RootDatabase } from "lmdb";
import {
  backupStorePollMs,
  backupStoreWaitMsMax,
  storeMapBytes,
} from "../../../contract/limits.ts";
import { journalPathIn } from "../journal/journal-file.ts";
import { newestBatchIn } from "../journal/read-journal.ts";
import { replayJournal } from "../journal/replay.ts";
import { lockDataDirectory } from "./data-directory.ts";
import { databaseFileFault, databaseFiles } from "./database-file.ts";
import { freeBytesAt } from "./disk-room.ts";
import { openRoot } from "./open-root.ts";

export interface BackedUpFile {
  readonly name: string;
  readonly bytes: number;
}

export type BackedUp =
  | { readonly ok: true; readonly value: readonly BackedUpFile[] }
  /** Prose for the operator. Nothing is left at the target. */
  | { readonly ok: false; readonly fault: string };

/**
 * Files that belong to the running process, that LMDB rebuilds, or whose content is in the copy of
 * LMDB.
 */
const notCopied = /^(weir\.lock|listening\.json(\.new)?|weir\.journal(\.new)?|.*-lock)$/;

/**
 * Copies a data directory into a new directory `target`. A gateway may be using the directory
 * meanwhile. When this resolves, `target` is durable and complete; before that it does not exist. Each
 * database is copied in its state of one moment, with everything acknowledged before and without parts
 * of transactions. The journal's file is not copied. If a gateway runs, this waits until the store has
 * everything in that file; otherwise it writes these batches into the store itself.
 *
 * The store is copied first. So content that its log calls erased is not in the copy of the contents.
 * That copy may have content of requests after the copy of the log. Such content can't be read, and its
 * retention removes it. In the other order, the copy would bring back erased content.
 */
export async function backUp(dataDir: string, target: string): Promise<BackedUp> {
  const partial = `${resolve(target)}.partial`;
  let fault: string | undefined;
  try {
    fault = faultOf(dataDir, target, partial);
  } catch (error) {
    fault = `The backup failed: ${String(error)}`;
  }
  if (fault !== undefined) return { ok: false, fault };
  // If no gateway serves from the directory, none may start while this opens it as a gateway would.
  const locked = lockDataDirectory(dataDir);
  try {
    await bringUpStore(dataDir, locked.ok);
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    const files: BackedUpFile[] = [];
    for (const name of filesIn(dataDir)) {
      const [from, to] = [join(dataDir, name), join(partial, name)];
      if (isDatabase(name)) await copyDatabase(from, to, locked.ok);
      else copyFileSync(from, to);
      chmodSync(to, 0o600);
      flush(to);
      files.push({ name, bytes: statSync(to).size });
    }
    flush(partial);
    renameSync(partial, target);
    flush(dirname(partial));
    return { ok: true, value: files };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    return { ok: false, fault: `The backup failed: ${String(error)}` };
  } finally {
    if (locked.ok) locked.value.release();
  }
}

function faultOf(dataDir: string, target: string, partial: string): string | undefined {
  if (!existsSync(join(dataDir, databaseFiles.store)))
    return `There is no gateway's store in ${dataDir}, or this user may not read it.`;
  if (existsSync(target))
    return `${target} is there already; a backup makes a directory of its own.`;
  if (existsSync(partial)) return `${partial} is what another backup has begun; remove it first.`;
  let fault: string | undefined;
  for (const name of filesIn(dataDir).filter(isDatabase)) {
    fault ??= databaseFileFault(join(dataDir, name), freeBytesAt(dataDir));
  }
  return fault;
}

/** The files, with the store first. */
function filesIn(dataDir: string): readonly string[] {
  const entries = readdirSync(dataDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const { store } = databaseFiles;
  const others = names.filter((name) => name !== store && !notCopied.test(name));
  return [store, ...others.toSorted()];
}

/** Resolves when the store has everything that was durable at the call. Throws if it can't. */
async function bringUpStore(dataDir: string, isOurs: boolean): Promise<void> {
  const [path, journalPath] = [join(dataDir, databaseFiles.store), journalPathIn(dataDir)];
  const newest = newestBatchIn(journalPath);
  if (newest === undefined) return;
  const root = isOurs ? openRoot(path) : openRead(path);
  try {
    if (isOurs) {
      const replayed = await replayJournal(root, journalPath, freeBytesAt(dataDir));
      if (!replayed.ok) throw new Error(replayed.fault);
      return;
    }
    const meta = root.openDB<number, string>({ name: "journalMeta", encoding: "json" });
    const untilMs = performance.now() + backupStoreWaitMsMax;
    while ((meta.get("journalBatch") ?? 0) < newest) {
      if (performance.now() > untilMs) {
        throw new Error("the gateway does not bring its journal into its store");
      }
      await new Promise((resolve) => setTimeout(resolve, backupStorePollMs));
      meta.resetReadTxn();
    }
  } finally {
    await root.close();
  }
}

function isDatabase(name: string): boolean {
  return name.endsWith(".mdb");
}

async function copyDatabase(from: string, to: string, isOurs: boolean): Promise<void> {
  const root = isOurs ? openRoot(from) : openRead(from);
  try {
    // Compacting writes exactly one state. Without it LMDB would also copy pages of the previous state.
    // A writer may already reuse those pages, and `safeRestore` may open that state.
    await root.backup(to, true);
  } finally {
    await root.close();
  }
}

/** Opens beside the writing process. It takes a reader's slot and never the writer's lock. */
function openRead(path: string): RootDatabase {
  return open(path, { noSubdir: true, readOnly: true, mapSize: storeMapBytes });
}

function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
