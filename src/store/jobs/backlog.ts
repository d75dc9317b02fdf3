import { refuse } from "../../contract/errors.ts";
import {
  batchBacklogBytesMax,
  batchBacklogItemsMax,
  batchBacklogRetryAfterSeconds,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { JobQueue } from "./job-queue.ts";

/** The amount that a submission adds to the backlog of its workspace. */
export interface Submitted {
  readonly orgId: string;
  readonly items: number;
  /** Of its items. */
  readonly bytes: number;
}

/**
 * The unfinished items of each workspace (spec: Batch, States and transitions): those in the queue, and
 * those of submissions that the journal has not written yet. The latter are in memory as a whole.
 */
export class Backlog {
  readonly #queue: Pick<JobQueue, "backlog">;
  readonly #unwritten = new Set<Submitted>();

  constructor(queue: Pick<JobQueue, "backlog">) {
    this.#queue = queue;
  }

  /** Whether a submission fits. Errors: `scan_batch_backlog_exceeded`. */
  check({ orgId, items, bytes }: Submitted): Outcome<null> {
    const queued = { ...this.#queue.backlog(orgId) };
    for (const one of this.#unwritten) {
      if (one.orgId !== orgId) continue;
      queued.items += one.items;
      queued.bytes += one.bytes;
    }
    if (queued.items + items > batchBacklogItemsMax) {
      return exceeded("items", queued.items, batchBacklogItemsMax);
    }
    return queued.bytes + bytes > batchBacklogBytesMax
      ? exceeded("bytes", queued.bytes, batchBacklogBytesMax)
      : accept(null);
  }

  /** The submission was handed to the journal. */
  appended(submitted: Submitted): void {
    this.#unwritten.add(submitted);
  }

  /**
   * The journal has written the submission, and it is now in the queue; or the submission was
   * dropped.
   */
  written(submitted: Submitted): void {
    this.#unwritten.delete(submitted);
  }
}

function exceeded(unit: string, queued: number, limit: number): Outcome<never> {
  return refuse(
    "scan_batch_backlog_exceeded",
    `The workspace has too much in its queue (${unit}); the submission was not stored.`,
    { details: { queued, limit }, retryAfterSeconds: batchBacklogRetryAfterSeconds },
  );
}
