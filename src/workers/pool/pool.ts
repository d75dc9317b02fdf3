import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import * as limits from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { loadModelFile } from "../../detectors/injection/load-model.ts";
import type { ReportJob } from "../report/report-job.ts";
import type { ScanReport } from "../report/reporter.ts";
import type { ScanJob, ScanResult, WorkerJob, WorkerResult } from "./scan-job.ts";
import { ScanQueue, type PendingScan, type ScanQueueBounds } from "./scan-queue.ts";
import {
  packTask,
  type ScanFailure,
  type ScanTask,
  type ScanTaskResult,
  type ScanWorkerData,
} from "./scan-task.ts";
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
  /** What runs in the threads, in place of scan-worker. */
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
  readonly #threads: WorkerThreads<ScanTask, ScanTaskResult>;
  readonly #threadsMax: number;
  readonly #bounds: ScanPoolBounds;
  readonly #queue: ScanQueue;
  readonly #onFailure: (error: Error) => void;
  /** No Set, see OpenExchanges. */
  readonly #running: Promise<void>[] = [];
  #phase: "starting" | "up" | "closed" = "starting";
  #tasks = 0;
  #msPerScan = 0;
  #scansRunning = 0;
  #pumpIsDue = false;

  constructor({ threads, bounds = {}, workerUrl = scanWorkerUrl, onFailure }: ScanPoolOptions) {
    this.#threadsMax = threads;
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#queue = new ScanQueue(this.#bounds);
    this.#onFailure = onFailure ?? (() => {});
    this.#threads = new WorkerThreads({
      workerUrl,
      taskName: "scanBatch",
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
  }

  /** Resolves when all threads are up and have compiled their patterns; rejects if one can't. */
  async ready(): Promise<void> {
    const nothing = packTask([]);
    await Promise.all(Array.from({ length: this.#threadsMax }, () => this.#threads.run(nothing)));
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
    const scansPerThread = this.#queue.length / this.#threadsMax;
    const firstSinceMs = this.#queue.firstSinceMs;
    return {
      scansPerThread,
      waitedMs: firstSinceMs === null ? 0 : performance.now() - firstSinceMs,
      drainMs: scansPerThread * this.#msPerScan,
    };
  }

  /** Tasks sent to threads so far; fewer than the scans if several were sent together. */
  get tasks(): number {
    return this.#tasks;
  }

  /**
   * Scans one job for its verdict. Errors: `detector_unavailable` if the queue is full, the pool is
   * closed, or the thread died or ran out of time. Never rejects.
   */
  async scan(job: ScanJob): Promise<Outcome<ScanResult>> {
    const outcome = await this.#enqueue(job);
    if (!outcome.ok) return outcome;
    if (outcome.value.kind !== "verdict")
      throw new Error("a verdict's job came back with a report");
    return accept(outcome.value);
  }

  /** Scans one job for its findings. Errors: as `scan`. */
  async report(job: ReportJob): Promise<Outcome<ScanReport>> {
    const outcome = await this.#enqueue(job);
    if (!outcome.ok) return outcome;
    if (outcome.value.kind !== "report") throw new Error("a report's job came back with a verdict");
    return accept(outcome.value);
  }

  #enqueue(job: WorkerJob): Promise<Outcome<WorkerResult>> {
    return new Promise((answer) => {
      if (this.#phase === "closed") return answer(unavailable("The scanner is shutting down."));
      if (!this.#queue.push({ job, answer, alone: false, sinceMs: performance.now() })) {
        return answer(unavailable("Too many requests wait for their scan."));
      }
      this.#pumpSoon();
    });
  }

  /** Runs when this turn's requests have all come: within microseconds if there is only one. */
  #pumpSoon(): void {
    if (this.#pumpIsDue) return;
    this.#pumpIsDue = true;
    setImmediate(() => {
      this.#pumpIsDue = false;
      this.#pump();
    });
  }

  /** Refuses waiting scans, lets running tasks end, and stops the threads. */
  async close(): Promise<void> {
    this.#phase = "closed";
    while (this.#queue.length > 0) {
      for (const { answer } of this.#queue.takeBatch(1)) {
        answer(unavailable("The scanner is shutting down."));
      }
    }
    await Promise.all(this.#running);
    await this.#threads.close();
  }

  #pump(): void {
    while (this.#running.length < this.#threadsMax && this.#queue.length > 0) {
      const idle = this.#threadsMax - this.#running.length;
      const batch = this.#queue.takeBatch(idle);
      const running = this.#run(batch).finally(() => {
        void this.#running.splice(this.#running.indexOf(running), 1);
        this.#pumpSoon();
      });
      this.#running.push(running);
    }
  }

  async #run(batch: readonly PendingScan[]): Promise<void> {
    this.#tasks++;
    this.#scansRunning += batch.length;
    const begunMs = performance.now();
    try {
      const task = packTask(batch.map(({ job }) => job));
      const results = await this.#threads.runWithin(this.#bounds.taskMsMax, task);
      for (const [index, { answer, sinceMs }] of batch.entries()) {
        answer(this.#outcomeOf(results[index], begunMs - sinceMs));
      }
    } catch (error) {
      this.#failed(batch, error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#scansRunning -= batch.length;
      const msPerScan = (performance.now() - begunMs) / batch.length;
      this.#msPerScan += (msPerScan - this.#msPerScan) * paceShare;
    }
  }

  #outcomeOf(
    result: WorkerResult | ScanFailure | undefined,
    queuedMs: number,
  ): Outcome<WorkerResult> {
    if (result !== undefined && !("failure" in result)) {
      // A copy of the thread's, which nobody else holds.
      return accept(Object.assign(result, { queuedMs }));
    }
    this.#onFailure(new Error(`a scan failed: ${result?.failure ?? "no result"}`));
    return unavailable("The scan failed.");
  }

  /** One scan may have killed the thread for all of them, so each gets a task of its own, once. */
  #failed(batch: readonly PendingScan[], error: Error): void {
    this.#onFailure(error);
    if (batch.length > 1 && !(error instanceof TaskLate) && this.#phase !== "closed") {
      this.#queue.putBack(batch.map((scan) => ({ ...scan, alone: true })));
      return;
    }
    for (const { answer } of batch) answer(unavailable("The scan did not finish."));
  }
}

/** Beside this file, which is TypeScript in `src` and JavaScript in `dist`. */
const scanWorkerUrl = new URL(`./scan-worker${extname(import.meta.url)}`, import.meta.url);
