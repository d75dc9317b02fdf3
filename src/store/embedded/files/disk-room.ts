import { statfsSync } from "node:fs";
import { constants } from "node:os";
import { refuse } from "../../../contract/errors.ts";

/** Bytes that this process may still write. Throws if the file system can't be queried. */
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
/**
 * Codes for a full disk, quota or file, and for a disk that fails or is gone. LMDB reports a short write
 * as EIO.
 */
const { ENOSPC, EDQUOT, EFBIG, EIO, ENXIO, ENODEV, EROFS, ESTALE } = constants.errno;
const failedWrites: ReadonlySet<unknown> = new Set([
  ...[mapFull, ENOSPC, EDQUOT, EFBIG],
  ...[EIO, ENXIO, ENODEV, EROFS, ESTALE],
]);

/** Whether a transaction failed because its data did not get to the disk. */
export function isFailedWrite(error: unknown): boolean {
  return error instanceof Error && "code" in error && failedWrites.has(error.code);
}
