import { JsonScanner, type JsonFault, type Member, type TopLevel } from "../../src/json/scanner.ts";

export type Memory = "own" | "shared";

/** Bytes in memory of the wanted kind, at an offset that no word is aligned to. */
export function inMemory(bytes: Uint8Array, memory: Memory): Uint8Array {
  const buffer =
    memory === "own" ? new ArrayBuffer(bytes.length + 3) : new SharedArrayBuffer(bytes.length + 3);
  const copy = new Uint8Array(buffer, 3, bytes.length);
  copy.set(bytes);
  return copy;
}

/** What lies behind the arrived bytes; a scanner that reads too far stumbles over one of these. */
const behind = Buffer.from('"\\0\n\xff', "latin1");

/**
 * Scans the way an intake does: a buffer of limited room that moves when it is full, or at times
 * without need. `cuts` are the lengths that arrive before the last one.
 */
export function scanInChunks(
  bytes: Uint8Array,
  cuts: readonly number[],
  memory: Memory,
): JsonFault | TopLevel {
  const scanner = new JsonScanner();
  let room = inMemory(new Uint8Array(16), memory);
  for (const length of [...cuts, bytes.length]) {
    if (length > room.length) room = inMemory(new Uint8Array(length * 2), memory);
    else if (length % 2 === 0) room = inMemory(room, memory);
    room.set(bytes.subarray(0, length));
    room.fill(behind[length % behind.length] ?? 0, length);
    const fault = scanner.grown(room, length);
    if (fault !== undefined) return fault;
  }
  return scanner.finish(room, bytes.length);
}

export function scan(json: string | Uint8Array): JsonFault | TopLevel {
  const bytes = Buffer.from(json);
  return scanInChunks(bytes, [], "own");
}

/** The top level of what must be valid. */
export function topLevelOf(json: string | Uint8Array): TopLevel {
  const scanned = scan(json);
  if ("reason" in scanned) throw new Error(`${scanned.reason} at ${scanned.offset}`);
  return scanned;
}

export function valueText(bytes: Uint8Array, member: Member): string {
  return Buffer.from(bytes.subarray(member.valueStart, member.valueEnd)).toString();
}

/** 1, 2, 3, …: every byte arrives alone. */
export function byteByByte(bytes: Uint8Array): number[] {
  return Array.from(bytes, (_, index) => index);
}
