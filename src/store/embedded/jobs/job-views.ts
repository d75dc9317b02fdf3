import { batchResultsMs } from "../../../contract/limits.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { itemCompleted, itemFailed, type JobRow } from "../../jobs/job-rows.ts";
import { lastId } from "../../page.ts";
import { freshRead, type LmdbJobTables } from "./job-tables.ts";

export type ItemStatus = "queued" | "running" | "completed" | "failed";

/** A job at one moment. */
export interface JobView {
  readonly jobId: string;
  readonly status: ItemStatus;
  readonly createdAtMs: number;
  readonly completedAtMs: number | null;
  readonly ids: readonly string[];
  readonly items: readonly ItemStatus[];
  /** The sum of the counts is the number of items. */
  readonly counts: Readonly<Record<ItemStatus, number>>;
}

/** A job without its items, at one moment. */
export interface ListedJob extends Pick<
  JobView,
  "jobId" | "status" | "createdAtMs" | "completedAtMs" | "counts"
> {
  readonly orgId: string;
  readonly apiKeyId: string;
  readonly itemCount: number;
}

/** The place of a job in a list. */
export interface JobPlace {
  readonly createdAtMs: number;
  readonly jobId: string;
}

export interface JobsQuery {
  /** null: of all organizations. */
  readonly orgId: string | null;
  /** At least 1. */
  readonly limit: number;
  /** The last job of the page before; null: from the newest. */
  readonly after: JobPlace | null;
}

export interface JobsPage {
  readonly jobs: readonly ListedJob[];
  /** null: this was the last page. */
  readonly next: JobPlace | null;
}

/**
 * What callers and operators see of batch jobs (spec: Batch resources): the stored rows, with the items that this gateway
 * is at.
 */
export class JobViews {
  readonly #tables: LmdbJobTables;
  readonly #queue: JobQueue;
  readonly #clock: Clock;

  constructor(tables: LmdbJobTables, queue: JobQueue, clock: Clock) {
    this.#tables = tables;
    this.#queue = queue;
    this.#clock = clock;
  }

  /** A job of this workspace; undefined: there is none, or its results have been removed. */
  find(orgId: string, jobId: string): JobView | undefined {
    const tables = freshRead(this.#tables);
    const row = tables.jobs.get(jobId);
    if (row === undefined || row.orgId !== orgId || this.#isOver(row)) return undefined;
    const { createdAtMs, completedAtMs } = row;
    const states = tables.jobStates.get(jobId) ?? new Uint8Array();
    const open = this.#queue.states(jobId);
    const counts = { queued: 0, running: 0, completed: 0, failed: 0 };
    const items = Array.from(states, (state, index): ItemStatus => {
      const status = storedStatus(state) ?? openStatus(open?.items[index]);
      counts[status] += 1;
      return status;
    });
    const status = statusOf(row, open?.started === true || counts.queued < items.length);
    const ids = tables.jobItems.get(jobId)?.ids ?? [];
    return { jobId, status, createdAtMs, completedAtMs, ids, items, counts };
  }

  /** Newest first, without jobs whose results have been removed. A page may have fewer rows than the limit. */
  list({ orgId, limit, after }: JobsQuery): JobsPage {
    const { jobs, jobsByOrg } = freshRead(this.#tables);
    const scope = orgId ?? "";
    const { createdAtMs, jobId } = after ?? afterAllJobs;
    const range = { exclusiveStart: true, reverse: true, limit: limit + 1 };
    const keys = Array.from(
      jobsByOrg.getKeys({ ...range, start: [scope, createdAtMs, jobId], end: [scope, 0, ""] }),
      ([, createdAtMs, jobId]) => ({ createdAtMs, jobId }),
    );
    const shown = keys.slice(0, limit);
    return {
      jobs: shown.flatMap(({ jobId }) => {
        const row = jobs.get(jobId);
        return row === undefined || this.#isOver(row) ? [] : this.#listed(jobId, row);
      }),
      next: keys.length > limit ? (shown.at(-1) ?? null) : null,
    };
  }

  /** The result of an item that has ended, as JSON; undefined: it has been removed. */
  result(jobId: string, index: number): Uint8Array | undefined {
    return this.#tables.jobResults.get([jobId, index]);
  }

  /** Whether the retention of its results is over. */
  #isOver({ completedAtMs }: JobRow): boolean {
    return completedAtMs !== null && completedAtMs + batchResultsMs <= this.#clock.wallMs();
  }

  #listed(jobId: string, row: JobRow): ListedJob {
    const { orgId, apiKeyId, itemCount, createdAtMs, completedAtMs, completed, failed } = row;
    const open = this.#queue.states(jobId);
    // An item is queued in memory alone, so it is not among the ended ones of the store.
    const queued = open?.items.filter((state) => state === "queued").length ?? 0;
    const counts = { queued, running: itemCount - completed - failed - queued, completed, failed };
    const status = statusOf(row, open?.started === true || queued < itemCount);
    return { jobId, orgId, apiKeyId, itemCount, status, createdAtMs, completedAtMs, counts };
  }
}

const afterAllJobs: JobPlace = { createdAtMs: Number.MAX_SAFE_INTEGER, jobId: lastId };

function statusOf({ completedAtMs, completed }: JobRow, started: boolean): ItemStatus {
  if (completedAtMs === null) return started ? "running" : "queued";
  return completed > 0 ? "completed" : "failed";
}

function storedStatus(state: number): ItemStatus | undefined {
  if (state === itemCompleted) return "completed";
  return state === itemFailed ? "failed" : undefined;
}

/** An item that has ended in memory but not yet in the store counts as running until it is stored. */
function openStatus(state: "queued" | "running" | "ended" | undefined): ItemStatus {
  return state === "queued" ? "queued" : "running";
}
