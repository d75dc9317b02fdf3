import { scanner } from "../../src/workers/pool/scan-worker.ts";
import { serveLane } from "../../src/workers/pool/serve-lane.ts";
import type { LaneEnd, PackedJob } from "../../src/workers/pool/scan-task.ts";
import type { ScanResult } from "../../src/workers/pool/scan-job.ts";

/** The real worker, but that some texts bring it down or hold it up. */
export function serve(lane: LaneEnd): Promise<never> {
  const faulty: Parameters<typeof serveLane>[0] = {
    verdict: (job, bytes) => misbehave(job, bytes) ?? scanner.verdict(job, bytes),
    scan: async (job, bytes) => misbehave(job, bytes) ?? scanner.scan(job, bytes),
  };
  return serveLane(faulty, lane);
}

function misbehave({ kind, start, end }: PackedJob, bytes: Uint8Array): ScanResult | null {
  const text = kind === "text" ? Buffer.from(bytes.subarray(start, end)).toString() : "";
  if (text === "exit") process.exit(1);
  if (text === "throw") throw new Error("thrown by a scan");
  if (text === "hang") for (;;);
  if (text === "hold") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  // Where a batch was a message, the thread has a turn of its loop behind it.
  if (text === "exit after") setImmediate(() => process.exit(1));
  if (text === "out of memory") {
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(100_000).fill(kept.length));
  }
  if (text !== "no clone") return null;
  const injection = { verdict: "block", score: 1, reason_code: "at_or_above_selected" } as const;
  // A function can't be sent, so the loop that serves the lane fails, and the thread does not.
  const result = {
    kind: "verdict",
    injection,
    leaves: 1,
    worst: null,
    send: () => undefined,
  } as const;
  return result;
}
