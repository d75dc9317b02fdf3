import { collectGarbage } from "../../runtime/collect-garbage.ts";
import { sharedBytesCollected } from "../../contract/limits.ts";

/**
 * Releases a large body's shared memory after a task. The memory is freed when no thread's heap refers
 * to it, and a worker's heap grows too little to be collected by itself: thirty bodies of 100 MB kept
 * 1.9 GB. The reference is young, so a minor collection finds it, in about a millisecond of this
 * thread.
 */
export function releaseSharedMemory(bytes: Uint8Array): void {
  const isShared = bytes.buffer instanceof SharedArrayBuffer;
  if (!isShared || bytes.length < sharedBytesCollected) return;
  setImmediate(() => collectGarbage("minor"));
}
