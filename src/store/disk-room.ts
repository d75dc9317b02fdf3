import { statfsSync } from "node:fs";
import { constants } from "node:os";
import { refuse } from "../contract/errors.ts";

/** Bytes that this process may still write. Throws where the disk can't be asked. */
export type FreeBytes = () => number;

export function freeBytesAt(directory: string): FreeBytes {
  return () => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  };
}

/** The answer to a write that found no room. */
export const noRoom = refuse(
  "internal_error",
  "The gateway's store has no room left on its disk; nothing was changed.",
);

/** LMDB's own code for a map that can't grow; all positive codes are the system's. */
const mapFull = -30792;
const { ENOSPC, EDQUOT, EFBIG } = constants.errno;
const outOfRoom: ReadonlySet<unknown> = new Set([mapFull, ENOSPC, EDQUOT, EFBIG]);

/** Whether a transaction failed because disk, quota or map is full. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && "code" in error && outOfRoom.has(error.code);
}
