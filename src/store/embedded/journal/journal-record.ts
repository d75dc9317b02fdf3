import { randomBytes } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { journalRecordBytesMax } from "../../../contract/limits.ts";
import type { JournalBatch } from "../../journal/batch.ts";

/*
 * The journal's file holds batches that are durable and, for a short time, not in LMDB yet.
 *
 *   | head | 7 ........ | 8 ... |      | 5 ... | 6 ........ |
 *
 * A record is one batch. It begins at a slot of 4 KiB and takes whole slots, so writing it touches no
 * page of another one. If the next record does not fit after the last one, it begins at the first
 * slot. A record's room is free again once LMDB has its batch: `meta.journalBatch` says up to which
 * number that is so. The file has its full size from the start, so a flush writes no metadata.
 *
 * A start reads the records with higher numbers than LMDB has, and applies them (`replay.ts`). A flush
 * begins after the previous one has ended. So a crash can tear only the last record. Its checksum
 * shows that, and no caller was told that it is durable. If a record is missing but a later one
 * exists, the file is damaged, and the gateway does not start.
 *
 * Record: the file's id (16 bytes), a checksum of what follows (4), the length of the batch (4), its
 * form (4), its number (8), the batch in the form of `v8.serialize`. No client knows the id. So a
 * request's text in a slot that was partly overwritten can't look like a record.
 */

export const journalSlotBytes = 4_096;
const idBytes = 16;
const checksumAt = idBytes;
const lengthAt = checksumAt + 4;
const formAt = lengthAt + 4;
const numberAt = formAt + 4;
const headBytes = numberAt + 8;
/** Begins the file; the id follows. */
const signature = Buffer.from("weir journal 1\n");
/**
 * Raise this number with every change of `JournalBatch` or `PackedEvents`, because a crash may leave
 * batches that the next release reads. A test reads a file of this form.
 */
const batchForm = 5;
/**
 * Forms 1 and 3 differ in the kinds of packed events alone, which `unpackLines` tells apart. Form 2 has no operation
 * `bind`. Form 4 does not say whose a hold and a debt are.
 */
const olderForms: ReadonlySet<number> = new Set([1, 2, 3, 4]);

/** A batch in the file. */
export interface JournalRecord {
  readonly number: number;
  /** The batch, encoded by `encodeBatch`. */
  readonly encoded: Buffer;
  /** The bytes that the record takes in the file. */
  readonly bytes: number;
  /** False: another release wrote it, in a form that this one does not know. */
  readonly isKnown: boolean;
}

/** The content of a new file's first slot. */
export function newFileHead(): Buffer {
  const head = Buffer.alloc(journalSlotBytes);
  signature.copy(head);
  randomBytes(idBytes).copy(head, signature.length);
  return head;
}

/** The id of the file that begins with these bytes; undefined: it is no journal. */
export function fileIdOf(file: Buffer): Buffer | undefined {
  const end = signature.length + idBytes;
  if (file.length < end || !signature.equals(file.subarray(0, signature.length))) return undefined;
  return Buffer.from(file.subarray(signature.length, end));
}

/** Encodes a batch for a record; undefined if it is too long for one. */
export function encodeBatch(batch: JournalBatch): Buffer | undefined {
  const encoded = serialize(batch);
  return encoded.length > journalRecordBytesMax ? undefined : encoded;
}

/** The batch of a record. */
export function decodeBatch({ encoded }: JournalRecord): JournalBatch {
  // The record's form guarantees the type.
  return deserialize(encoded) as JournalBatch;
}

/** Bytes of the file that a record of these encoded bytes takes. */
export function recordBytes(encodedBytes: number): number {
  return Math.ceil((headBytes + encodedBytes) / journalSlotBytes) * journalSlotBytes;
}

/** Fills `record`, whose length is that of `recordBytes`. */
export function writeRecord(record: Buffer, id: Buffer, number: number, encoded: Buffer): void {
  id.copy(record);
  record.writeUInt32LE(encoded.length, lengthAt);
  record.writeUInt32LE(batchForm, formAt);
  record.writeDoubleLE(number, numberAt);
  encoded.copy(record, headBytes);
  record.fill(0, headBytes + encoded.length);
  record.writeUInt32LE(checksumOf(record, encoded.length), checksumAt);
}

/** Bytes of the record that begins with this slot; undefined: it can't be one. */
export function recordBytesIn(slot: Buffer): number | undefined {
  if (slot.length < headBytes) return undefined;
  const length = slot.readUInt32LE(lengthAt);
  return length > journalRecordBytesMax ? undefined : recordBytes(length);
}

/** The record at the beginning of these bytes; undefined if there is no complete one. */
export function recordIn(bytes: Buffer, id: Buffer): JournalRecord | undefined {
  if (bytes.length < headBytes || !id.equals(bytes.subarray(0, idBytes))) return undefined;
  const length = bytes.readUInt32LE(lengthAt);
  if (length > journalRecordBytesMax || headBytes + length > bytes.length) return undefined;
  if (checksumOf(bytes, length) !== bytes.readUInt32LE(checksumAt)) return undefined;
  return {
    number: bytes.readDoubleLE(numberAt),
    encoded: bytes.subarray(headBytes, headBytes + length),
    bytes: recordBytes(length),
    isKnown: isKnownForm(bytes.readUInt32LE(formAt)),
  };
}

function isKnownForm(form: number): boolean {
  return form === batchForm || olderForms.has(form);
}

function checksumOf(record: Buffer, length: number): number {
  return crc32(record.subarray(lengthAt, headBytes + length));
}
