import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import {
  fileIdOf,
  journalSlotBytes,
  recordBytesIn,
  recordIn,
  type JournalRecord,
} from "./journal-record.ts";

export type ReadJournal =
  | { readonly ok: true; readonly records: readonly JournalRecord[] }
  /** Prose for the operator; names the file. */
  | { readonly ok: false; readonly fault: string };

/**
 * The batches with numbers above `after`, in their order; none if there is no file. A torn record at
 * the end is left out. A file that lacks a batch before its last one is a fault, and so is one in
 * another form.
 */
export function readJournal(path: string, after: number): ReadJournal {
  const all = recordsOf(path);
  if (all === undefined) return { ok: false, fault: `${path} is damaged. ${cure}` };
  const found = new Map<number, JournalRecord>();
  for (const record of all) {
    if (record.number > after) found.set(record.number, record);
  }
  const records: JournalRecord[] = [];
  for (let number = after + 1; records.length < found.size; number += 1) {
    const record = found.get(number);
    if (record === undefined) {
      return { ok: false, fault: `${path} is damaged: batch ${number} is missing. ${cure}` };
    }
    if (!record.isKnown) return { ok: false, fault: `${path} ${ofAnotherRelease}` };
    records.push(record);
  }
  return { ok: true, records };
}

/**
 * The highest number in a file; undefined if it has no batch. A gateway may be writing to the file.
 * Throws if the file is damaged.
 */
export function newestBatchIn(path: string): number | undefined {
  const all = recordsOf(path);
  if (all === undefined) throw new Error(`${path} is damaged. ${cure}`);
  return all.length === 0 ? undefined : Math.max(...all.map(({ number }) => number));
}

/** Reads single records of a file that another thread writes. */
export class JournalFileReader {
  readonly #descriptor: number;
  readonly #id: Buffer;

  /** Throws if the file can't be read. */
  constructor(path: string) {
    this.#descriptor = openSync(path, "r");
    const id = fileIdOf(this.#read(0, journalSlotBytes));
    if (id === undefined) throw new Error(`${path} is damaged`);
    this.#id = id;
  }

  /** The record at this place. Throws if there is no complete one. */
  recordAt(at: number): JournalRecord {
    const slot = this.#read(at, journalSlotBytes);
    const bytes = recordBytesIn(slot) ?? 0;
    const record = recordIn(bytes > slot.length ? this.#read(at, bytes) : slot, this.#id);
    if (record === undefined) throw new Error("a record of the journal's file has changed");
    return record;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #read(at: number, bytes: number): Buffer {
    const buffer = Buffer.allocUnsafe(bytes);
    return buffer.subarray(0, readSync(this.#descriptor, buffer, 0, bytes, at));
  }
}

/**
 * Every complete record, also of batches that LMDB has; empty if there is no file. Undefined if the
 * file is no journal.
 */
function recordsOf(path: string): readonly JournalRecord[] | undefined {
  if (!existsSync(path)) return [];
  const file = readFileSync(path);
  const id = fileIdOf(file);
  if (id === undefined) return undefined;
  const records: JournalRecord[] = [];
  for (let at = journalSlotBytes; at < file.length;) {
    const record = recordIn(file.subarray(at), id);
    if (record !== undefined) records.push(record);
    at += record?.bytes ?? journalSlotBytes;
  }
  return records;
}

const cure = "Restore a backup";
const ofAnotherRelease =
  "holds batches that another release wrote before a crash, in a form that this one can't read: start that release once, and stop it";
