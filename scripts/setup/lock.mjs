import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SetupError, say } from "./progress.mjs";
import { toolchainDir } from "./paths.mjs";

const lockPath = path.join(toolchainDir, "setup.lock");
const pollIntervalMs = 200;
// A first installation takes two minutes on two cores, most of them compiling re2.
const waitMsMax = 15 * 60 * 1000;

/**
 * Runs `work` while no other set-up of this clone runs, because two `npm ci` at once would remove
 * each other's files. The lock of a process that died is taken over.
 * @param {() => Promise<void>} work
 */
export async function withLock(work) {
  await acquire();
  const release = () => rmSync(lockPath, { force: true });
  process.once("exit", release);
  try {
    await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

async function acquire() {
  const deadline = Date.now() + waitMsMax;
  for (let said = false; !tryCreate();) {
    const owner = readOwner();
    if (owner === undefined || !isAlive(owner)) {
      rmSync(lockPath, { force: true });
      continue;
    }
    if (!said) say(`waiting for another set-up of this folder (process ${owner})`);
    said = true;
    if (Date.now() > deadline) {
      throw new SetupError(
        `gave up waiting for process ${owner}; if it is no set-up, remove ${lockPath}`,
      );
    }
    await sleep(pollIntervalMs);
  }
}

function tryCreate() {
  try {
    writeFileSync(lockPath, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

function readOwner() {
  try {
    const pid = Number(readFileSync(lockPath, "utf8"));
    // An empty file was just created, and its pid is not written yet.
    return pid > 0 ? pid : process.pid;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, "EPERM");
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isErrno(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
