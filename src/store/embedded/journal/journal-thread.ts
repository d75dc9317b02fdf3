import { parentPort, workerData } from "node:worker_threads";
import { collectNowAndThen } from "../../../runtime/collect-garbage.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import { auditTimesStepMs, checkpointMsMax, journalRetryMs } from "../../../contract/limits.ts";
import { OlderEventTimes } from "../audit/older-event-times.ts";
import { CheckpointPublisher } from "../audit/publisher.ts";
import { noteSigner } from "../../audit/signed-note.ts";
import { freeBytesAt } from "../files/disk-room.ts";
import { openRoot } from "../files/open-root.ts";
import { transactionsOf } from "../files/transactions.ts";
import { applyWrite, type StoreWrite } from "../store-draft.ts";
import { openTables } from "../tables.ts";
import { WriteHalt } from "../write-halt.ts";
import { applyBatch, applyBatches, type JournalBatch } from "../../journal/batch.ts";
import { decodeBatch, type JournalRecord } from "./journal-record.ts";
import { JournalFileReader } from "./read-journal.ts";
import { openJournalTables } from "./journal-tables.ts";
import { inTransactions } from "./replay.ts";

/** The data that the thread starts with. */
export interface JournalThreadData {
  readonly databasePath: string;
  readonly directory: string;
  /** The journal's file; the thread only reads it. */
  readonly journalPath: string;
  /** The buffer of the `WriteHalt`. */
  readonly halt: SharedArrayBuffer;
  /** The audit log's name and private key. */
  readonly log: { readonly name: string; readonly privateKeyPem: string };
}

/** A change of managed records, such as keys and policies. */
export interface ManagedWrite extends StoreWrite {
  readonly kind: "managed";
}

/** Batches that are durable in the journal's file and are to be written into LMDB. */
export interface RecordsMessage {
  readonly kind: "records";
  /** Their places in the file, oldest first. */
  readonly places: readonly number[];
}

/**
 * `ready`: answer that the thread runs; `publish`: sign a checkpoint now, if there is anything new;
 * `end`: close and end.
 */
export type JournalThreadMessage =
  JournalBatch | ManagedWrite | RecordsMessage | "ready" | "publish" | "end";

// The data comes from the thread's starter by structured cloning.
const { databasePath, directory, journalPath, log, ...shared } = workerData as JournalThreadData;
const halt = new WriteHalt(shared.halt);
const root = openRoot(databasePath);
const tables = openJournalTables(root);
const managed = openTables(root);
/** Opened with the first records: tools that write no journal have no file. */
let journalFile: JournalFileReader | null = null;
const publisher = new CheckpointPublisher(tables, noteSigner(log.name, log.privateKeyPem));
collectNowAndThen();

const write = transactionsOf(root, halt, freeBytesAt(directory));

/** After each transaction, the log and the books are in the state after a whole batch. */
async function applyRecords({ places }: RecordsMessage): Promise<Outcome<null>> {
  for (const records of inTransactions(recordsAt(places))) {
    const batches = records.map(decodeBatch);
    const written = await write(() => applyBatches(tables, batches));
    if (!written.ok) return written;
  }
  return accept(null);
}

function* recordsAt(places: readonly number[]): Iterable<JournalRecord> {
  journalFile ??= new JournalFileReader(journalPath);
  for (const at of places) yield journalFile.recordAt(at);
}

async function publish(): Promise<Outcome<null>> {
  return publisher.hasNews ? write(() => publisher.publish(Date.now())) : accept(null);
}

async function handle(message: JournalThreadMessage): Promise<void> {
  if (message === "end") {
    clearInterval(checkpoints);
    clearTimeout(olderTimes);
    journalFile?.close();
    await root.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(await answer(message));
  if (publisher.isDue) await publish();
}

async function answer(message: Exclude<JournalThreadMessage, "end">): Promise<Outcome<null>> {
  if (message === "ready") return accept(null);
  if (message === "publish") return publish();
  if ("kind" in message && message.kind === "records") return applyRecords(message);
  return write(() => {
    if ("kind" in message) applyWrite(managed, tables, message);
    else applyBatch(tables, message);
  });
}

/** One after the other: a checkpoint signs only what the previous write has flushed. */
let last: Promise<void> = Promise.resolve();
function inTurn(work: () => Promise<unknown>): void {
  // A rejection ends the thread, which its starter sees.
  last = last.then(async () => {
    await work();
  });
}

const checkpoints = setInterval(() => inTurn(publish), checkpointMsMax);
parentPort?.on("message", (message: JournalThreadMessage) => inTurn(() => handle(message)));

/** Indexes the events of an older release while new ones come, a few at a time. */
const older = new OlderEventTimes(tables);
let olderTimes: NodeJS.Timeout | undefined;
function noteOlderTimes(afterMs: number): void {
  if (older.isOver) return;
  const step = async (): Promise<void> => {
    const { ok } = await write(() => older.step());
    noteOlderTimes(ok ? auditTimesStepMs : journalRetryMs);
  };
  olderTimes = setTimeout(() => inTurn(step), afterMs);
}
noteOlderTimes(auditTimesStepMs);
