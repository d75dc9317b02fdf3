import { EventEmitter } from "node:events";
import type { MessagePort } from "node:worker_threads";
import { Piscina } from "piscina";
import { workerHeapMegabytesMax, workerYoungMegabytesMax } from "../../contract/limits.ts";

export interface WorkerThreadsOptions {
  /** The module that runs in the threads, and its function that runs a task. */
  readonly workerUrl: URL;
  readonly taskName: string;
  readonly threads: number;
  /** "with the first task": for threads that many deployments never need. */
  readonly start: "at once" | "with the first task";
  /** Tasks that may wait for a thread. */
  readonly queueMax: number;
  readonly heapMegabytesMax?: number;
  readonly workerData?: unknown;
  /**
   * Called for each thread that failed between tasks; the caller of a failed task reports that itself.
   */
  readonly onFailure: (error: Error) => void;
}

/** A task ran out of its time, and its thread was stopped. */
export class TaskLate extends Error {}

/** Threads of one kind, each with one task at a time. A dead thread is replaced. */
export class WorkerThreads<Task, Result> {
  readonly #piscina: Piscina<Task, Result>;

  constructor(options: WorkerThreadsOptions) {
    const { threads } = options;
    this.#piscina = new Piscina({
      filename: options.workerUrl.href,
      name: options.taskName,
      minThreads: options.start === "at once" ? threads : 0,
      maxThreads: threads,
      idleTimeout: Infinity,
      maxQueue: options.queueMax,
      concurrentTasksPerWorker: 1,
      // Of the three modes, this one needs the least CPU time per task. We measured it with one
      // task under way and with 32.
      atomics: "disabled",
      // A worker needs no environment variables; they hold the providers' credentials.
      env: {},
      workerData: options.workerData,
      resourceLimits: {
        maxOldGenerationSizeMb: options.heapMegabytesMax ?? workerHeapMegabytesMax,
        maxYoungGenerationSizeMb: workerYoungMegabytesMax,
      },
      recordTiming: false,
      trackUnmanagedFds: false,
    });
    // Emitted for a worker that fails between tasks; fatal without a listener.
    this.#piscina.on("error", (error: Error) => options.onFailure(error));
  }

  /** The current number of threads. */
  get count(): number {
    return this.#piscina.threads.length;
  }

  /**
   * Runs a task that does not end by itself. The ports move to its thread. `stop` kills the thread when it
   * emits "abort". Rejects if the thread dies or can't start, and when these threads are closed.
   */
  async serve(task: Task, ports: MessagePort[], stop: EventEmitter): Promise<Result> {
    return this.#piscina.run(task, { transferList: ports, signal: stop });
  }

  /**
   * Runs a task for at most `msMax`, including its wait for a thread. Rejects with a `TaskLate` after that
   * time, and also if its thread died or could not start.
   */
  async runWithin(msMax: number, task: Task): Promise<Result> {
    const deadline = new EventEmitter();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      // Piscina kills the thread of a running task that is aborted, and starts another.
      deadline.emit("abort");
    }, msMax);
    try {
      return await this.#piscina.run(task, { signal: deadline });
    } catch (error) {
      throw failureOf(late, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#piscina.destroy();
  }
}

function failureOf(late: boolean, error: unknown): Error {
  if (late) return new TaskLate("a task did not end in time", { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
