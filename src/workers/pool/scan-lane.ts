import { EventEmitter } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { ScanBatchWriter, newBatchMemory } from "./batch-memory.ts";
import type { PendingScan } from "./scan-queue.ts";
import { packTask, type BatchAnswer, type LaneEnd } from "./scan-task.ts";
import { TaskLate, type WorkerThreads } from "./worker-threads.ts";

/** Scans under way in a worker. */
export interface Batch {
  readonly scans: readonly PendingScan[];
  /** `performance.now()` when it was sent. */
  readonly begunMs: number;
}

/** The events that a lane reports to its pool. When one is called, the lane is free again. */
export interface LaneEvents {
  /** `memory` has the scores that `answer` leaves out; it is valid during the call. */
  answered(batch: Batch, answer: BatchAnswer, memory: ScanBatchWriter): void;
  /** The batch's thread died, ran out of time (`TaskLate`), or did not get the batch. */
  failed(batch: Batch, error: Error): void;
  /** The thread died between batches. */
  died(error: Error): void;
}

/** A worker that serves the lane, and the objects that both share. */
interface Serving {
  readonly memory: ScanBatchWriter;
  readonly port: MessagePort;
  /** Emits "abort" to kill the thread. */
  readonly stop: EventEmitter;
  readonly up: Promise<unknown>;
}

/**
 * The connection to one worker, for one batch at a time. Scans are in shared memory, each direction needs one
 * wake-up, and the answer to an allowed scan is only its score
 * (docs/decisions/0048-scans-travel-in-shared-memory.md). The worker serves the lane as a piscina task that
 * does not end. If that task fails, the next batch starts another one.
 */
export class ScanLane {
  readonly #threads: WorkerThreads<LaneEnd, never>;
  readonly #batchMsMax: number;
  readonly #events: LaneEvents;
  #serving: Serving | null = null;
  #batch: Batch | null = null;
  /** The timer continues after a batch, so that not every batch needs a timer of its own. */
  #timer: NodeJS.Timeout | null = null;

  constructor(threads: WorkerThreads<LaneEnd, never>, batchMsMax: number, events: LaneEvents) {
    this.#threads = threads;
    this.#batchMsMax = batchMsMax;
    this.#events = events;
  }

  get isFree(): boolean {
    return this.#batch === null;
  }

  /** Resolves when a worker serves the lane; rejects if none can. */
  async ready(): Promise<void> {
    await (this.#serving ??= this.#serve()).up;
  }

  /** Sends a batch; the lane must be free. One of the lane's events follows after this call. */
  send(batch: Batch): void {
    const { memory, port } = (this.#serving ??= this.#serve());
    this.#batch = batch;
    this.#timer ??= this.#timerFor(this.#batchMsMax);
    try {
      if (memory.write(batch.scans)) return memory.send();
      port.postMessage(packTask(batch.scans.map(({ job }) => job)));
      memory.sendMessage();
    } catch (error) {
      queueMicrotask(() => this.#fail(batch, error));
    }
  }

  /** Call it only when no batch is under way. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#serving?.port.close();
    this.#serving = null;
  }

  /**
   * Starts a worker with new memory, because a thread that is being killed may still write into its
   * own.
   */
  #serve(): Serving {
    const { port1: port, port2 } = new MessageChannel();
    const buffer = newBatchMemory();
    const stop = new EventEmitter();
    const { promise: up, resolve, reject } = Promise.withResolvers<undefined>();
    const serving: Serving = { memory: new ScanBatchWriter(buffer), port, stop, up };
    let isUp = false;
    port.on("message", (answer: BatchAnswer) => {
      if (isUp) return this.#answer(serving, answer);
      isUp = true;
      resolve(undefined);
    });
    // Callers of `ready` get the rejection, and a batch gets `failed`.
    up.catch(() => undefined);
    this.#threads.serve({ memory: buffer, port: port2 }, [port2], stop).catch((error: unknown) => {
      reject(error);
      this.#end(serving, error);
    });
    return serving;
  }

  #answer(serving: Serving, answer: BatchAnswer): void {
    const batch = this.#batch;
    if (batch === null || serving !== this.#serving) return;
    this.#batch = null;
    this.#events.answered(batch, answer, serving.memory);
  }

  #end(serving: Serving, error: unknown): void {
    serving.port.close();
    if (serving !== this.#serving) return;
    this.#serving = null;
    if (this.#batch === null) this.#events.died(errorOf(error));
    else this.#fail(this.#batch, error);
  }

  #fail(batch: Batch, error: unknown): void {
    if (batch !== this.#batch) return;
    this.#batch = null;
    this.#events.failed(batch, errorOf(error));
  }

  #timerFor(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = null;
      if (this.#batch === null) return;
      const leftMs = this.#batch.begunMs + this.#batchMsMax - performance.now();
      if (leftMs > 0) this.#timer = this.#timerFor(Math.ceil(leftMs));
      else this.#stopLate();
    }, ms).unref();
  }

  #stopLate(): void {
    const serving = this.#serving;
    if (serving === null) return;
    this.#end(serving, new TaskLate("a batch of scans did not end in time"));
    // Piscina kills the thread of a running task that is aborted, and starts another.
    serving.stop.emit("abort");
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
