import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import * as limits from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { loadModelFile } from "../../detectors/injection/load-model.ts";
import { judge } from "../../detectors/injection/verdict.ts";
import type { ReportJob } from "../report/report-job.ts";
import type { ScanReport } from "../report/reporter.ts";
import type { ScanBatchWriter } from "./batch-memory.ts";
import type { ScanJob, ScanResult, WorkerJob, WorkerResult } from "./scan-job.ts";
import { ScanLane, type Batch, type LaneEvents } from "./scan-lane.ts";
import { ScanQueue, type PendingScan, type ScanQueueBounds } from "./scan-queue.ts";
import type { BatchAnswer, LaneEnd, ScanFailure, ScanWorkerData } from "./scan-task.ts";
import { unavailable } from "./unavailable.ts";
import { TaskLate, WorkerThreads } from "./worker-threads.ts";

export interface ScanPoolBounds extends ScanQueueBounds {
  readonly taskMsMax: number;
  readonly workerHeapMegabytesMax: number;
}

export interface ScanPoolOptions {
  /** Threads that scan at the same time. */
  readonly threads: number;
  readonly bounds?: Partial<ScanPoolBounds>;
  /** The module that runs in the threads instead of scan-worker. */
  readonly workerUrl?: URL;
  /** Called for each worker or task that failed; the pool itself recovers. */
  readonly onFailure?: (error: Error) => void;
}

/** Scans that wait for a thread. */
export interface ScanBacklog {
  readonly scansPerThread: number;
  /** How long the first of them has waited. */
  readonly waitedMs: number;
  /** How long a scan that came now would wait, at the pace of the last tasks. */
  readonly drainMs: number;
}

/** The weight of one task's pace against the pace of all earlier tasks. */
const paceShare = 0.1;

const defaultBounds: ScanPoolBounds = {
  queueMax: limits.scanQueueMax,
  queueBytesMax: limits.scanQueueBytesMax,
  batchMax: limits.scanBatchMax,
  batchBytesMax: limits.scanBatchBytesMax,
  taskMsMax: limits.scanTaskMsMax,
  workerHeapMegabytesMax: limits.workerHeapMegabytesMax,
};

/**
 * Runs scans in worker threads (design: Screen). A hop to a thread costs more than a short scan. So the
 * scans of one turn of the loop are sent together, and so are scans that came while all threads were
 * busy. A request that can't be scanned is refused, never let through.
 */
export class ScanPool {
  readonly #threads: WorkerThreads<LaneEnd, never>;
  readonly #lanes: readonly ScanLane[];
  readonly #bounds: ScanPoolBounds;
  readonly #queue: ScanQueue;
  readonly #onFailure: (error: Error) => void;
  #phase: "starting" | "up" | "closed" = "starting";
  #batches = 0;
  #msPerScan = 0;
  #scansRunning = 0;
  #pumpIsDue = false;
  /** Called when no scan is in a thread any more; for `close`. */
  #whenFree: (() => void) | null = null;

  constructor({ threads, bounds = {}, workerUrl = scanWorkerUrl, onFailure }: ScanPoolOptions) {
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#queue = new ScanQueue(this.#bounds);
    this.#onFailure = onFailure ?? (() => {});
    this.#threads = new WorkerThreads({
      workerUrl,
      taskName: "serve",
      threads,
      start: "at once",
      queueMax: threads,
      heapMegabytesMax: this.#bounds.workerHeapMegabytesMax,
      workerData: {
        cacheSecret: new Uint8Array(randomBytes(32)),
        injectionModel: loadModelFile(),
      } satisfies ScanWorkerData,
      onFailure: this.#onFailure,
    });
    const events: LaneEvents = {
      answered: (batch, answer, memory) => this.#answered(batch, answer, memory),
      failed: (batch, error) => this.#failed(batch, error),
      died: (error) => this.#onFailure(error),
    };
    const { taskMsMax } = this.#bounds;
    const laneOf = (): ScanLane => new ScanLane(this.#threads, taskMsMax, events);
    this.#lanes = Array.from({ length: threads }, laneOf);
  }

  /** Resolves when all threads are up and have compiled their patterns; rejects if one can't. */
  async ready(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.ready()));
    if (this.#phase === "starting") this.#phase = "up";
  }

  /** For `/readyz`: started, not closed, and with a thread to run on. */
  get isReady(): boolean {
    return this.#phase === "up" && this.#threads.count > 0;
  }

  /** Scans that wait for a thread. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Scans without an answer yet, including those in a thread. */
  get open(): number {
    return this.#queue.length + this.#scansRunning;
  }

  /** The scans that wait for a thread, and their expected wait at the recent pace. */
  get backlog(): ScanBacklog {
    const scansPerThread = this.#queue.length / this.#lanes.length;
    const firstSinceMs = this.#queue.firstSinceMs;
    return {
      scansPerThread,
      waitedMs: firstSinceMs === null ? 0 : performance.now() - firstSinceMs,
      drainMs: scansPerThread * this.#msPerScan,
    };
  }

  /** Batches sent to threads so far; fewer than the scans if several were sent together. */
  get batches(): number {
    return this.#batches;
  }

  /**
   * Scans one job for its verdict. Errors: `detector_unavailable` if the queue is full, the pool is
   * closed, or the thread died or ran out of time. Never rejects.
   */
  scan(job: ScanJob): Promise<Outcome<ScanResult>> {
    return new Promise((resolve) => this.submit(job, resolve));
  }

  /** The same, with a callback instead of a promise. The callback may run during this call. */
  submit(job: ScanJob, answer: (outcome: Outcome<ScanResult>) => void): void {
    this.#enqueue(job, (outcome) => {
      if (!outcome.ok) return answer(outcome);
      const result = outcome.value;
      if (result.kind === "verdict") return answer(accept(result));
      answer(this.#failure("a verdict's job came back with a report"));
    });
  }

  /** Scans one job for its findings. Errors: as `scan`. */
  report(job: ReportJob): Promise<Outcome<ScanReport>> {
    return new Promise((answer) => {
      this.#enqueue(job, (outcome) => {
        if (!outcome.ok) return answer(outcome);
        const result = outcome.value;
        if (result.kind === "report") return answer(accept(result));
        answer(this.#failure("a report's job came back with a verdict"));
      });
    });
  }

  #enqueue(job: WorkerJob, answer: PendingScan["answer"]): void {
    if (this.#phase === "closed") return answer(unavailable("The scanner is shutting down."));
    if (!this.#queue.push({ job, answer, alone: false, sinceMs: performance.now() })) {
      return answer(unavailable("Too many requests wait for their scan."));
    }
    this.#pumpSoon();
  }

  /**
   * Runs after all requests of this turn have come; with a single request, within microseconds.
   */
  #pumpSoon(): void {
    if (this.#pumpIsDue) return;
    this.#pumpIsDue = true;
    setImmediate(this.#pump);
  }

  /** Refuses waiting scans, lets running batches end, and stops the threads. */
  async close(): Promise<void> {
    this.#phase = "closed";
    while (this.#queue.length > 0) {
      for (const { answer } of this.#queue.takeBatch(1)) {
        answer(unavailable("The scanner is shutting down."));
      }
    }
    if (this.#scansRunning > 0) await new Promise<void>((resolve) => (this.#whenFree = resolve));
    for (const lane of this.#lanes) lane.close();
    await this.#threads.close();
  }

  readonly #pump = (): void => {
    this.#pumpIsDue = false;
    let free = this.#lanes.reduce((count, lane) => count + (lane.isFree ? 1 : 0), 0);
    for (const lane of this.#lanes) {
      if (this.#queue.length === 0) return;
      if (!lane.isFree) continue;
      const scans = this.#queue.takeBatch(free);
      free--;
      this.#batches++;
      this.#scansRunning += scans.length;
      lane.send({ scans, begunMs: performance.now() });
    }
  };

  #answered({ scans, begunMs }: Batch, answer: BatchAnswer, memory: ScanBatchWriter): void {
    for (let index = 0; index < scans.length; index++) {
      const scan = scans[index];
      if (scan === undefined) break;
      const result = answer === null ? null : answer[index];
      const { job } = scan;
      const queuedMs = begunMs - scan.sinceMs;
      scan.answer(
        result === null && job.kind !== "report"
          ? accept(allowed(job, memory.scoreOf(index), memory.leavesOf(index), queuedMs))
          : this.#outcomeOf(result, queuedMs),
      );
    }
    this.#ended(scans.length, begunMs);
  }

  #outcomeOf(
    result: WorkerResult | ScanFailure | null | undefined,
    queuedMs: number,
  ): Outcome<WorkerResult> {
    if (result && !("failure" in result)) {
      // The result is a copy of the thread's result, so it may be changed.
      return accept(Object.assign(result, { queuedMs }));
    }
    return this.#failure(`a scan failed: ${result?.failure ?? "no result"}`);
  }

  #failure(message: string): Outcome<never> {
    this.#onFailure(new Error(message));
    return unavailable("The scan failed.");
  }

  /**
   * One scan may have killed the thread of the whole batch, so each scan gets one more try in a
   * batch of its own.
   */
  #failed({ scans, begunMs }: Batch, error: Error): void {
    this.#onFailure(error);
    if (scans.length > 1 && !(error instanceof TaskLate) && this.#phase !== "closed") {
      this.#queue.putBack(scans.map((scan) => ({ ...scan, alone: true })));
    } else {
      for (const { answer } of scans) answer(unavailable("The scan did not finish."));
    }
    this.#ended(scans.length, begunMs);
  }

  #ended(scans: number, begunMs: number): void {
    this.#scansRunning -= scans;
    const msPerScan = (performance.now() - begunMs) / scans;
    this.#msPerScan += (msPerScan - this.#msPerScan) * paceShare;
    if (this.#queue.length > 0) this.#pumpSoon();
    if (this.#scansRunning === 0) this.#whenFree?.();
  }
}

/** The result for a score in shared memory. The worker has judged the score in the same way. */
function allowed(
  { sensitivity }: ScanJob,
  score: number,
  leaves: number,
  queuedMs: number,
): ScanResult {
  return { kind: "verdict", injection: judge(score, sensitivity), leaves, worst: null, queuedMs };
}

/** The module beside this file: TypeScript in `src` and JavaScript in `dist`. */
const scanWorkerUrl = new URL(`./scan-worker${extname(import.meta.url)}`, import.meta.url);
