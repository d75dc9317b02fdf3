import { parentPort, workerData } from "node:worker_threads";
import { dirname } from "node:path";
import { collectNowAndThen } from "../../collect-garbage.ts";
import { contentRowsPerWrite, storeFreeBytesMin } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { freeBytesAt, isFailedWrite, noRoom } from "../disk-room.ts";
import { abortableAndFlushed } from "../open-root.ts";
import { WriteHalt, writesHalted } from "../write-halt.ts";
import { openContentRoot } from "./content-root.ts";
import {
  eraseBefore,
  eraseContent,
  organizationsIn,
  putContent,
  type ContentRow,
} from "./content-rows.ts";

/** What the thread is started with. */
export interface ContentThreadData {
  readonly path: string;
  /** Of the `WriteHalt`. */
  readonly halt: SharedArrayBuffer;
}

/** Each is answered with how many rows it has written or removed. */
export type ContentMessage =
  | { readonly kind: "put"; readonly rows: readonly ContentRow[]; readonly bytes: Uint8Array }
  | { readonly kind: "erase"; readonly orgId: string; readonly requestId: string }
  /** Of an organization, or of all; what is older, a bounded number of rows. */
  | { readonly kind: "reap"; readonly orgId: string | null; readonly cutoffs: Cutoffs }
  | { readonly kind: "end" };

/** What is older than this, Unix milliseconds, is over; `byOrg` where an organization has its own. */
export interface Cutoffs {
  readonly beforeMs: number;
  readonly byOrg: ReadonlyMap<string, number>;
}

// The starter's own words, which structured cloning keeps.
const { path, ...shared } = workerData as ContentThreadData;
const halt = new WriteHalt(shared.halt);
const tables = openContentRoot(path);
const freeBytes = freeBytesAt(dirname(path));
collectNowAndThen();

/** Removing needs room too, for LMDB copies what it changes, and gives none of the disk's back. */
async function write(change: () => number): Promise<Outcome<number>> {
  if (halt.halted) return writesHalted;
  if (freeBytes() < storeFreeBytesMin) return noRoom;
  try {
    const rows = tables.root.transactionSync(change, abortableAndFlushed);
    await tables.root.flushed;
    return accept(rows);
  } catch (error) {
    if (!isFailedWrite(error)) throw error;
    halt.halt();
    return writesHalted;
  }
}

function handle(message: Exclude<ContentMessage, { kind: "end" }>): Promise<Outcome<number>> {
  switch (message.kind) {
    case "put": {
      const { rows, bytes } = message;
      return write(() => {
        for (const row of rows) putContent(tables, row, bytes.subarray(row.start, row.end));
        return rows.length;
      });
    }
    case "erase":
      return write(() => eraseContent(tables, message.orgId, message.requestId));
    case "reap":
      return write(() => reap(message.orgId, message.cutoffs));
  }
}

function reap(orgId: string | null, { beforeMs, byOrg }: Cutoffs): number {
  let rows = 0;
  for (const id of orgId === null ? organizationsIn(tables) : [orgId]) {
    const left = contentRowsPerWrite - rows;
    rows += eraseBefore(tables, id, byOrg.get(id) ?? beforeMs, left);
    if (rows === contentRowsPerWrite) break;
  }
  return rows;
}

/** One after the other: what is erased was written before. */
let last: Promise<void> = Promise.resolve();
parentPort?.on("message", (message: ContentMessage) => {
  // A rejection ends the thread, which its starter sees.
  last = last.then(async () => {
    if (message.kind === "end") {
      await tables.root.close();
      parentPort?.close();
      return;
    }
    parentPort?.postMessage(await handle(message));
  });
});
