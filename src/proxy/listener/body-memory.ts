import { collectGarbage } from "../../runtime/collect-garbage.ts";
import { sharedBytesPerCollection } from "../../contract/limits.ts";

let releasedBytes = 0;

/**
 * To be told of shared memory that a body no longer needs. V8 does not count shared memory when it
 * decides to collect (sixteen bodies of 64 MB stayed for good), so it is asked to, once for every
 * `sharedBytesPerCollection`; that takes some 10 ms, the body itself took more.
 */
export function sharedMemoryReleased(bytes: number): void {
  releasedBytes += bytes;
  if (releasedBytes < sharedBytesPerCollection) return;
  releasedBytes = 0;
  // Later, when the request's own frames have let go of the body.
  setImmediate(() => collectGarbage("major"));
}
