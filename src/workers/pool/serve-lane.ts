import { setImmediate as nextTurn } from "node:timers/promises";
import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import { quietThreadCollectMs } from "../../contract/limits.ts";
import type { Scanner } from "../detect/scanner.ts";
import { ScanBatchReader } from "./batch-memory.ts";
import { framesOf } from "./error-frames.ts";
import type { BatchAnswer, LaneEnd, ScanFailure, ScanTask } from "./scan-task.ts";
import type { WorkerResult } from "./scan-job.ts";
import { releaseSharedMemory } from "./shared-memory.ts";

/**
 * Scans the batches of a lane one after the other, until the thread is stopped. Between batches it blocks the
 * thread, because waking a blocked thread costs half as much as an event. The first message on the port says
 * that the thread is up; each later one answers a batch.
 */
export async function serveLane(
  scanner: Pick<Scanner, "scan" | "verdict">,
  { memory, port }: LaneEnd,
): Promise<never> {
  const batches = new ScanBatchReader(memory);
  port.postMessage(null);
  for (let turnMs = performance.now(); ;) {
    if (!batches.wait(quietThreadCollectMs)) {
      await nextTurn();
    } else if (batches.isMessage) {
      port.postMessage(await scanMessage(scanner, port));
      await nextTurn();
    } else {
      port.postMessage(scanBatch(scanner, batches));
    }
    // A turn of the loop is needed so that the timer that collects garbage can run.
    if (performance.now() - turnMs < quietThreadCollectMs) continue;
    await nextTurn();
    turnMs = performance.now();
  }
}

/** A scan that throws does not fail the others of its batch. */
function scanBatch(scanner: Pick<Scanner, "verdict">, batches: ScanBatchReader): BatchAnswer {
  let told: (WorkerResult | ScanFailure | null)[] | null = null;
  batches.visit((job, bytes, index) => {
    try {
      const result = scanner.verdict(job, bytes);
      const { injection, leaves, replacement } = result;
      if (injection.verdict === "allow" && injection.score !== null && replacement === undefined) {
        batches.allow(index, injection.score, leaves);
        told?.push(null);
        return;
      }
      told ??= new Array<null>(index).fill(null);
      told.push(result);
    } catch (error) {
      told ??= new Array<null>(index).fill(null);
      told.push({ failure: framesOf(error) });
    }
  });
  return told;
}

/** Receives the batch itself, so that nothing refers to its bytes after it. */
async function scanMessage(
  scanner: Pick<Scanner, "scan">,
  port: MessagePort,
): Promise<BatchAnswer> {
  const { bytes, jobs } = receiveMessageOnPort(port)?.message as ScanTask;
  const results: (WorkerResult | ScanFailure)[] = [];
  for (const job of jobs) {
    try {
      results.push(await scanner.scan(job, bytes));
    } catch (error) {
      results.push({ failure: framesOf(error) });
    }
  }
  releaseSharedMemory(bytes);
  return results;
}
