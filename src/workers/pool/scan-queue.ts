import type { Outcome } from "../../contract/outcome.ts";
import type { WorkerJob, WorkerResult } from "./scan-job.ts";
import { isShared } from "./scan-task.ts";

/** A scan that has not been answered. */
export interface PendingScan {
  readonly job: WorkerJob;
  readonly answer: (outcome: Outcome<WorkerResult>) => void;
  /** True: the scan was in a failed task of several scans, so it is now sent alone. */
  readonly alone: boolean;
  /** `performance.now()` when it began to wait. */
  readonly sinceMs: number;
}

export interface ScanQueueBounds {
  readonly queueMax: number;
  readonly queueBytesMax: number;
  readonly batchMax: number;
  readonly batchBytesMax: number;
}

/** One thread scans fewer bytes than this faster than two threads get them. */
const sharedBytesMin = 8 * 1024;

/** Scans that wait for a worker, first come first served, bounded in number and bytes. */
export class ScanQueue {
  readonly #bounds: ScanQueueBounds;
  readonly #pending: PendingScan[] = [];
  #bytes = 0;

  constructor(bounds: ScanQueueBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#pending.length;
  }

  /** The time when the first of them began to wait; null if none waits. */
  get firstSinceMs(): number | null {
    return this.#pending[0]?.sinceMs ?? null;
  }

  /** False: full. One scan of any size may always wait. */
  push(scan: PendingScan): boolean {
    const { queueMax, queueBytesMax } = this.#bounds;
    const bytes = scan.job.bytes.length;
    const { length } = this.#pending;
    if (length >= queueMax || (length > 0 && this.#bytes + bytes > queueBytesMax)) return false;
    this.#pending.push(scan);
    this.#bytes += bytes;
    return true;
  }

  /** Puts scans of a failed task first; their number is bounded by the tasks under way. */
  putBack(scans: readonly PendingScan[]): void {
    this.#pending.unshift(...scans);
    for (const { job } of scans) this.#bytes += job.bytes.length;
  }

  /**
   * The scans of the next task, empty if none waits. If many bytes wait, the task gets the share of
   * one of the `threads` that wait for work.
   */
  takeBatch(threads: number): PendingScan[] {
    const share = Math.max(sharedBytesMin, this.#bytes / threads);
    const batch = this.#pending.splice(0, this.#batchLength(share));
    for (const { job } of batch) this.#bytes -= job.bytes.length;
    return batch;
  }

  #batchLength(bytesShare: number): number {
    const { batchMax, batchBytesMax } = this.#bounds;
    let bytes = 0;
    let length = 0;
    for (const { job, alone } of this.#pending) {
      bytes += job.bytes.length;
      const travelsAlone = alone || isShared(job);
      if (length > 0 && (travelsAlone || bytes > batchBytesMax)) break;
      length++;
      if (travelsAlone || length >= batchMax || bytes >= bytesShare) break;
    }
    return length;
  }
}
