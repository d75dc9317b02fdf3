import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The bytes that this thread's heap and its buffers keep: garbage is collected first. */
export function keptBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  // The buffers that the first collection found free are counted until the second.
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
