import { collectGarbage } from "../../runtime/collect-garbage.ts";
import { sharedBytesPerCollection } from "../../contract/limits.ts";

let releasedBytes = 0;

/**
 * Must be told of shared memory that a body no longer needs. V8 does not count shared memory when it decides
 * to collect: sixteen bodies of 64 MB were never freed. So a collection is requested for every
 * `sharedBytesPerCollection`. It takes some 10 ms, which is less than the body itself took.
 */
export function sharedMemoryReleased(bytes: number): void {
  releasedBytes += bytes;
  if (releasedBytes < sharedBytesPerCollection) return;
  releasedBytes = 0;
  // Later, when the request's own stack frames no longer refer to the body.
  setImmediate(() => collectGarbage("major"));
}
