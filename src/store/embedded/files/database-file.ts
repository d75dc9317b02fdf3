import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { storeFreeBytesMin } from "../../../contract/limits.ts";
import type { FreeBytes } from "./disk-room.ts";

/**
 * The databases of a data directory: the store with the ledger, and the readable content of
 * requests.
 */
export const databaseFiles = { store: "weir.mdb", content: "content.mdb" } as const;

/**
 * Why LMDB could not open the database at this path, or undefined. lmdb 3.5.6 uses freed memory if
 * the file is not a database, and crashes if it has to make one on a full disk. The process would
 * end by a signal instead of an error, so both faults are checked first. Test: store.test.ts,
 * "names the directory".
 */
export function databaseFileFault(path: string, freeBytes: FreeBytes): string | undefined {
  const file = readHeader(path);
  // LMDB keeps its table of readers in a second file, which is mapped into memory. A backup does
  // not have this file.
  if (file === undefined || readHeader(`${path}-lock`) === undefined) {
    if (freeBytes() < storeFreeBytesMin) return "its disk has no room left";
  }
  if (file === undefined) return undefined;
  const isDatabase =
    file.bytes >= 2 * pageBytesMin && file.header.readUInt32LE(magicOffset) === magic;
  return isDatabase ? undefined : `${path} is no LMDB database`;
}

/** A database begins with at least two such pages. Each has the magic number after its header. */
const pageBytesMin = 4096;
const magicOffset = 24;
const magic = 0xbeefc0de;

/** Undefined if the file is missing or empty. Throws if it may not be written. */
function readHeader(path: string): { readonly bytes: number; readonly header: Buffer } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r+");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const header = Buffer.alloc(magicOffset + 4);
    const bytes = fstatSync(descriptor).size;
    readSync(descriptor, header, 0, header.length, 0);
    return bytes === 0 ? undefined : { bytes, header };
  } finally {
    closeSync(descriptor);
  }
}
