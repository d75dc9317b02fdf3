import { scanBatch as scan } from "../../src/workers/pool/scan-worker.ts";
import type { ScanTask, ScanTaskResult } from "../../src/workers/pool/scan-task.ts";

/** The real worker, but that some texts bring it down or hold it up. */
export async function scanBatch(task: ScanTask): Promise<ScanTaskResult> {
  for (const job of task.jobs) {
    const text = Buffer.from(task.bytes.subarray(job.start, job.end)).toString();
    if (job.kind === "text") await misbehave(text);
  }
  return scan(task);
}

async function misbehave(text: string): Promise<void> {
  if (text === "exit") process.exit(1);
  if (text === "throw") throw new Error("thrown by a task");
  if (text === "hang") for (;;);
  if (text === "hold") await new Promise((resolve) => setTimeout(resolve, 50));
  if (text === "out of memory") {
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(100_000).fill(kept.length));
  }
}
