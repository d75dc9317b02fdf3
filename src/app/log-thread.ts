import { workerData } from "node:worker_threads";
import { logFlushMsMax, logGatherMs, logRetryMs } from "../contract/limits.ts";
import { RingReader } from "../runtime/ring.ts";
import { LogOutput } from "./log-output.ts";
import { LogReader } from "./log-reader.ts";

/*
 * The thread that writes the log: it makes the lines and waits for the output, so that the loop does
 * neither. It has no event loop, and ends with the process.
 */

// The starter's own data, which structured cloning preserves.
const ring = new RingReader(workerData as SharedArrayBuffer);
const output = new LogOutput();
const reader = new LogReader(ring, output);

/** The process ends. If the reader has stopped, this waits no longer than a supervisor waits. */
function flush(): void {
  const untilMs = performance.now() + logFlushMsMax;
  while (!reader.write()) {
    if (performance.now() > untilMs) {
      output.dropRest();
      break;
    }
    Atomics.wait(sleeper, 0, 0, flushRetryMs);
  }
  ring.flushed();
}

const flushRetryMs = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

for (;;) {
  ring.sleep();
  ring.gather(logGatherMs);
  while (!ring.flushWanted && !reader.write()) ring.gather(logRetryMs);
  if (ring.flushWanted) flush();
}
