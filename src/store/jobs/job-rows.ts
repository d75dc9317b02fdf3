import { batchResultsMs } from "../../contract/limits.ts";
import type { PayloadPiece } from "./payload-pieces.ts";

/** A change of the jobs. Each is applied once, in the order in which it was appended. */
export type JobOperation =
  | {
      readonly kind: "job";
      readonly jobId: string;
      readonly orgId: string;
      readonly apiKeyId: string;
      readonly createdAtMs: number;
      readonly ids: readonly string[];
      /** The submission; an item's payload is `body.subarray(starts[i], ends[i])`. */
      readonly body: Uint8Array;
      readonly starts: readonly number[];
      readonly ends: readonly number[];
      /** The first item in this body; earlier items' payloads were written before. Absent: 0. */
      readonly from?: number;
    }
  /** Some of the payloads of a job that follows. If the job never follows, `jobRemove` removes them. */
  | (PayloadPiece & {
      readonly kind: "jobPayloads";
      readonly jobId: string;
      /** Of the whole job. */
      readonly itemCount: number;
      readonly body: Uint8Array;
      readonly starts: readonly number[];
      readonly ends: readonly number[];
    })
  /** An item has ended: its result is written and its payload deleted, in one step. */
  | {
      readonly kind: "jobItemEnd";
      readonly jobId: string;
      readonly index: number;
      readonly status: "completed" | "failed";
      /** The contract's item result as JSON. */
      readonly result: string;
      readonly atMs: number;
    }
  | {
      readonly kind: "jobAttempts";
      readonly jobId: string;
      readonly index: number;
      readonly attempts: number;
    }
  | { readonly kind: "jobRemove"; readonly jobId: string };

export interface JobRow {
  readonly v: 1;
  readonly orgId: string;
  readonly apiKeyId: string;
  readonly itemCount: number;
  readonly createdAtMs: number;
  /** null: an item has not ended. */
  readonly completedAtMs: number | null;
  readonly completed: number;
  readonly failed: number;
}

/** What never changes of a job's items. */
export interface JobItemsRow {
  readonly ids: readonly string[];
  /** Of each payload. */
  readonly bytes: readonly number[];
}

/**
 * An item's byte in `jobStates`. While the item has not ended, it is the number of attempts, below
 * these two values.
 */
export const itemFailed = 0x40;
export const itemCompleted = 0x80;

interface JobRows<K, V> {
  get(key: K): V | undefined;
  putSync(key: K, value: V): unknown;
  removeSync(key: K): unknown;
}

/** By job, or by job and item. The journal alone writes them. */
export interface JobTables {
  readonly jobs: JobRows<string, JobRow>;
  readonly jobItems: JobRows<string, JobItemsRow>;
  /** One byte each item. */
  readonly jobStates: JobRows<string, Uint8Array>;
  readonly jobPayloads: JobRows<[jobId: string, index: number], Uint8Array>;
  readonly jobResults: JobRows<[jobId: string, index: number], Uint8Array>;
  /** Jobs that have not ended. */
  readonly jobsOpen: JobRows<string, true>;
  /** For jobs with payloads that were written before the job itself: the number of their items. */
  readonly jobsToCome: JobRows<string, number>;
  /**
   * Jobs by the time of their submission: each below its organization and below "", which stands for all, so that
   * a page of either list is one range.
   */
  readonly jobsByOrg: JobRows<[orgId: string, createdAtMs: number, jobId: string], true>;
  /** Ended jobs by the time when they may be removed, ms. */
  readonly jobsByEnd: JobRows<[removeAtMs: number, jobId: string], true>;
}

/** To be called inside a transaction. */
export function applyJobOperation(tables: JobTables, operation: JobOperation): void {
  switch (operation.kind) {
    case "job":
      return addJob(tables, operation);
    case "jobPayloads":
      tables.jobsToCome.putSync(operation.jobId, operation.itemCount);
      return addPayloads(tables, operation);
    case "jobItemEnd":
      return endItem(tables, operation);
    case "jobAttempts":
      return setAttempts(tables, operation);
    case "jobRemove":
      return removeJob(tables, operation.jobId);
  }
}

function addJob(tables: JobTables, operation: Extract<JobOperation, { kind: "job" }>): void {
  const { jobId, orgId, apiKeyId, createdAtMs, ids, starts, ends, from = 0 } = operation;
  const itemCount = ids.length;
  const bytes = ends.map((end, index) => end - (starts[index] ?? 0));
  addPayloads(tables, { ...operation, from, to: itemCount });
  tables.jobsToCome.removeSync(jobId);
  const row: JobRow = {
    v: 1,
    orgId,
    apiKeyId,
    itemCount,
    createdAtMs,
    completedAtMs: null,
    completed: 0,
    failed: 0,
  };
  tables.jobs.putSync(jobId, row);
  tables.jobItems.putSync(jobId, { ids, bytes });
  tables.jobStates.putSync(jobId, Buffer.alloc(itemCount));
  tables.jobsOpen.putSync(jobId, true);
  listJob(tables, jobId, row);
}

/** Enters a job into the lists of jobs. */
export function listJob(
  { jobsByOrg }: Pick<JobTables, "jobsByOrg">,
  jobId: string,
  { orgId, createdAtMs }: JobRow,
): void {
  for (const scope of ["", orgId]) jobsByOrg.putSync([scope, createdAtMs, jobId], true);
}

function addPayloads(
  { jobPayloads }: JobTables,
  {
    jobId,
    body,
    starts,
    ends,
    from,
    to,
  }: Omit<Extract<JobOperation, { kind: "jobPayloads" }>, "kind" | "itemCount">,
): void {
  for (let index = from; index < to; index++) {
    // A copy, because the body may be shared memory, which LMDB does not accept.
    jobPayloads.putSync([jobId, index], Buffer.from(body.subarray(starts[index], ends[index])));
  }
}

/** Ends an item. An item that has already ended, or whose job is gone, is not changed. */
function endItem(
  tables: JobTables,
  { jobId, index, status, result, atMs }: Extract<JobOperation, { kind: "jobItemEnd" }>,
): void {
  const row = tables.jobs.get(jobId);
  const state = tables.jobStates.get(jobId)?.[index];
  if (row === undefined || state === undefined || state >= itemFailed) return;
  setState(tables, jobId, index, status === "completed" ? itemCompleted : itemFailed);
  tables.jobPayloads.removeSync([jobId, index]);
  tables.jobResults.putSync([jobId, index], Buffer.from(result));
  const ended = { ...row, [status]: row[status] + 1 };
  const isLast = ended.completed + ended.failed === row.itemCount;
  tables.jobs.putSync(jobId, isLast ? { ...ended, completedAtMs: atMs } : ended);
  if (!isLast) return;
  tables.jobsOpen.removeSync(jobId);
  tables.jobsByEnd.putSync([atMs + batchResultsMs, jobId], true);
}

/** Of an item that another gateway has ended meanwhile nothing changes. */
function setAttempts(
  tables: JobTables,
  { jobId, index, attempts }: Extract<JobOperation, { kind: "jobAttempts" }>,
): void {
  const state = tables.jobStates.get(jobId)?.[index];
  if (state !== undefined && state < itemFailed) setState(tables, jobId, index, attempts);
}

function setState({ jobStates }: JobTables, jobId: string, index: number, state: number): void {
  const before = jobStates.get(jobId);
  if (before === undefined) return;
  const after = Buffer.from(before);
  after[index] = state;
  jobStates.putSync(jobId, after);
}

/** Removes a job. This also works for payloads whose job was never written. */
function removeJob(tables: JobTables, jobId: string): void {
  const row = tables.jobs.get(jobId);
  const itemCount = row?.itemCount ?? tables.jobsToCome.get(jobId) ?? 0;
  for (let index = 0; index < itemCount; index++) {
    tables.jobPayloads.removeSync([jobId, index]);
    tables.jobResults.removeSync([jobId, index]);
  }
  tables.jobsToCome.removeSync(jobId);
  if (row === undefined) return;
  tables.jobs.removeSync(jobId);
  tables.jobItems.removeSync(jobId);
  tables.jobStates.removeSync(jobId);
  tables.jobsOpen.removeSync(jobId);
  for (const scope of ["", row.orgId]) {
    tables.jobsByOrg.removeSync([scope, row.createdAtMs, jobId]);
  }
  if (row.completedAtMs !== null) {
    tables.jobsByEnd.removeSync([row.completedAtMs + batchResultsMs, jobId]);
  }
}
