import { parentPort, workerData } from "node:worker_threads";
import { dirname } from "node:path";
import { collectNowAndThen } from "../../../runtime/collect-garbage.ts";
import { storeFreeBytesMin } from "../../../contract/limits.ts";
import { refuse } from "../../../contract/errors.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import { freeBytesAt, isFailedWrite, noRoom } from "../files/disk-room.ts";
import { abortableAndFlushed } from "../files/open-root.ts";
import { RingReader } from "../../../runtime/ring.ts";
import { WriteHalt, writesHalted } from "../write-halt.ts";
import { openContentRoot } from "./content-root.ts";
import { unpackContent, type ContentRow } from "../../content/content.ts";
import { eraseContent, putContent } from "./content-rows.ts";
import { eraseOrganization, Reaping, type Cutoffs, type Removed } from "./reaping.ts";

/** The data that the thread starts with. */
export interface ContentThreadData {
  readonly path: string;
  /** A ring with the results of `packContent`. */
  readonly ring: SharedArrayBuffer;
  /** The buffer of the `WriteHalt`. */
  readonly halt: SharedArrayBuffer;
}

/** The answer to a message: the number of rows that it has written or removed. */
export type ContentAnswer = Outcome<Removed>;

export type ContentMessage =
  /** Writes what stands in the ring before this position. */
  | { readonly kind: "put"; readonly end: number }
  | { readonly kind: "erase"; readonly orgId: string; readonly requestId: string }
  /** Removes a bounded number of rows; send it again as long as there is more. */
  | {
      readonly kind: "eraseOrganization";
      readonly orgId: string;
      readonly beforeMs: number;
    }
  /** One step of a new reaping, or (null) the next step of the last one. */
  | { readonly kind: "reap"; readonly cutoffs: Cutoffs | null }
  | { readonly kind: "end" };

// Data from the thread's starter, passed by structured cloning.
const { path, ...shared } = workerData as ContentThreadData;
const halt = new WriteHalt(shared.halt);
const ring = new RingReader(shared.ring);
const tables = openContentRoot(path);
const freeBytes = freeBytesAt(dirname(path));
collectNowAndThen();

/**
 * Removing needs room too, because LMDB copies the pages that it changes, and gives no disk space back.
 */
async function write(change: () => Removed): Promise<ContentAnswer> {
  if (halt.halted) return writesHalted;
  if (freeBytes() < storeFreeBytesMin) return noRoom;
  try {
    const removed = tables.root.transactionSync(change, abortableAndFlushed);
    await tables.root.flushed;
    return accept(removed);
  } catch (error) {
    if (!isFailedWrite(error)) throw error;
    halt.halt();
    return writesHalted;
  }
}

let reaping: Reaping | null = null;

function handle(message: Exclude<ContentMessage, { kind: "end" }>): Promise<ContentAnswer> {
  switch (message.kind) {
    case "put":
      return put(message.end);
    case "erase":
      return write(() => {
        const rows = eraseContent(tables, message.orgId, message.requestId);
        return { rows, more: false };
      });
    case "eraseOrganization":
      return write(() => eraseOrganization(tables, message.orgId, message.beforeMs));
    case "reap":
      return reap(message.cutoffs);
  }
}

/** Content that can't be written is dropped, because its room is needed. */
async function put(end: number): Promise<ContentAnswer> {
  const rows: ContentRow[] = [];
  for (let packed; (packed = ring.next(end)) !== null;) rows.push(unpackContent(packed));
  const written = await write(() => {
    for (const row of rows) putContent(tables, row);
    return { rows: rows.length, more: false };
  });
  ring.release();
  return written;
}

async function reap(cutoffs: Cutoffs | null): Promise<ContentAnswer> {
  if (cutoffs !== null) reaping = new Reaping(tables, cutoffs);
  const current = reaping;
  // The thread that had begun it is gone.
  if (current === null) return noReaping;
  const removed = await write(() => current.step());
  if (!removed.ok || !removed.value.more) reaping = null;
  return removed;
}

const noReaping = refuse("internal_error", "Content was not removed to the end; it goes on later.");

/** One after the other, so that content is written before it is erased. */
let last: Promise<void> = Promise.resolve();
parentPort?.on("message", (message: ContentMessage) => {
  // A rejection ends the thread, and its starter notices.
  last = last.then(async () => {
    if (message.kind === "end") {
      await tables.root.close();
      parentPort?.close();
      return;
    }
    parentPort?.postMessage(await handle(message));
  });
});
