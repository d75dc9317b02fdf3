// A thread that is in the middle of a write to the store until it is let go, or for some seconds.
import { workerData } from "node:worker_threads";
import { abortableAndFlushed, openRoot } from "../../../src/store/embedded/files/open-root.ts";
import type { HeldLock } from "../write-lock.ts";

// The starter's own words, which structured cloning keeps.
const { databasePath, words } = workerData as HeldLock;
const heldMsMax = 5_000;

const root = openRoot(databasePath);
const state = new Int32Array(words);
root.transactionSync(() => {
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
  Atomics.wait(state, 1, 0, heldMsMax);
  Atomics.store(state, 0, 2);
}, abortableAndFlushed);
await root.close();
