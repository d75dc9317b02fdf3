import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

/** What the holding thread is started with. */
export interface HeldLock {
  readonly databasePath: string;
  /** 0: 1 while the lock is held, 2 behind that; 1: not 0 to let it go. */
  readonly words: SharedArrayBuffer;
}

export interface WriteLock {
  /** The thread gives it up by itself where nobody could let it go, for this one stood still. */
  readonly isHeld: boolean;
  release(): void;
}

/** Holds the store's only write lock in another thread, as one does that writes much. */
export async function holdWriteLock(databasePath: string): Promise<WriteLock> {
  const words = new SharedArrayBuffer(8);
  const state = new Int32Array(words);
  const program = new URL("./programs/hold-write-lock.ts", import.meta.url);
  const worker = new Worker(program, { workerData: { databasePath, words } satisfies HeldLock });
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  const release = (): void => {
    Atomics.store(state, 1, 1);
    Atomics.notify(state, 1);
  };
  onTestFinished(async () => {
    release();
    await ended;
  });
  await Atomics.waitAsync(state, 0, 0).value;
  return {
    get isHeld() {
      return Atomics.load(state, 0) === 1;
    },
    release,
  };
}
