import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { quietThreadCollectMs } from "../contract/limits.ts";

type Collect = (options: { readonly type: "minor" | "major" }) => void;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as Collect;

/**
 * Makes V8 collect this thread's garbage now: the young generation alone in about a millisecond, or
 * all.
 */
export function collectGarbage(type: "minor" | "major"): void {
  collect({ type });
}

/**
 * For a thread beside the loop. V8 collects its old generation only after it has grown by several
 * megabytes. On a quiet gateway that takes hours, and all such threads together look like a leak.
 */
export function collectNowAndThen(): void {
  setInterval(() => collectGarbage("major"), quietThreadCollectMs).unref();
}
