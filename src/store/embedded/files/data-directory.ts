import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** The used part of fs-native-extensions 1.5, which has no types of its own. */
interface FileLocks {
  /**
   * Locks the whole file exclusively; false if another descriptor holds it. The kernel frees the lock
   * with the last descriptor, so at the latest when the process ends, also after a crash.
   */
  readonly tryLock: (fileDescriptor: number) => boolean;
}
const { tryLock } = createRequire(import.meta.url)("fs-native-extensions") as FileLocks;

/** A directory that only this process may write to, until it is released or the process ends. */
export interface DataDirectory {
  readonly path: string;
  release(): void;
}

export type LockedDirectory =
  | { readonly ok: true; readonly value: DataDirectory }
  | { readonly ok: false; readonly fault: string };

/**
 * Makes the directory if there is none, readable by its owner only, and locks it (design: Store;
 * docs/decisions/0002-data-directory-lock.md). The fault names the directory and, if another process
 * holds it, that process.
 */
export function lockDataDirectory(path: string): LockedDirectory {
  const lockPath = join(path, "weir.lock");
  let descriptor: number | undefined;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // Appending neither truncates what the holder wrote nor needs the file to be there.
    const opened = (descriptor = openSync(lockPath, "a+", 0o600));
    if (!tryLock(opened)) {
      const holder = readFileSync(lockPath, "utf8").trim();
      closeSync(opened);
      return {
        ok: false,
        fault: `The data directory ${path} is in use by ${processText(holder)}.`,
      };
    }
    ftruncateSync(opened);
    writeSync(opened, `${process.pid}\n`);
    return { ok: true, value: { path, release: () => closeSync(opened) } };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    return { ok: false, fault: `The data directory ${path} can't be used: ${String(error)}` };
  }
}

function processText(holder: string): string {
  return /^\d+$/.test(holder) ? `process ${holder}` : "another process";
}
