import { randomBytes } from "node:crypto";
import { refuse } from "../../../contract/errors.ts";
import {
  batchJobMsMax,
  batchPiecesMsMax,
  batchPiecesWatchedMax,
  batchRemovalsAtOnce,
  settlementFlushWaitMsMax,
} from "../../../contract/limits.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Journal } from "../../journal/journal.ts";
import { Backlog } from "../../jobs/backlog.ts";
import { JobQueue, type ClaimedItem } from "../../jobs/job-queue.ts";
import { payloadPieces } from "../../jobs/payload-pieces.ts";
import { itemFailed, type JobOperation } from "../../jobs/job-rows.ts";
import { freshRead, type LmdbJobTables } from "./job-tables.ts";
import { JobViews } from "./job-views.ts";

export type { ClaimedItem };

/** A submission that has been validated. */
export interface NewJob {
  readonly orgId: string;
  readonly apiKeyId: string;
  readonly ids: readonly string[];
  readonly body: Uint8Array;
  /** The offsets of the items in the body. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The end of an item. */
export interface ItemEnd {
  readonly status: "completed" | "failed";
  /** The contract's item result as JSON. */
  readonly result: string;
}

/** The operation that writes an end. */
export type ItemEnding = Extract<JobOperation, { kind: "jobItemEnd" }>;

/** Decides which of several gateways runs a job. */
export interface JobClaims {
  /** Returns those that this gateway runs from now on; others run the rest. Rejects if it can't be decided now. */
  claim(jobIds: readonly string[]): Promise<readonly string[]>;
  /** `lost` is called when others may run all that this gateway has claimed. */
  onLost(lost: () => void): void;
}

export interface JobsOptions {
  readonly tables: LmdbJobTables;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Absent: this gateway runs all. */
  readonly claims?: JobClaims | undefined;
}

/**
 * Batch jobs (spec: Batch resources). Which items run is only in memory: a data directory belongs to one
 * process, so that ends with a killed process, and the next start queues the items again. Where several
 * gateways share a store, one of them claims a job, and another one if that has ended. Everything
 * else is written through the journal.
 */
export class Jobs {
  readonly views: JobViews;
  readonly #tables: LmdbJobTables;
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #claims: JobClaims | null;
  readonly #queue = new JobQueue();
  readonly #backlog = new Backlog(this.#queue);
  /** Submissions of which payloads are written, and not the job: when this gateway saw them first, monotonic. */
  readonly #toCome = new Map<string, number>();

  /**
   * Loads the unfinished items from the store, and removes incomplete submissions that a crash left.
   */
  constructor({ tables, journal, clock, claims }: JobsOptions) {
    this.#tables = tables;
    this.#journal = journal;
    this.#clock = clock;
    this.#claims = claims ?? null;
    this.views = new JobViews(tables, this.#queue, clock);
    claims?.onLost(() => this.#queue.giveUp());
    // Another gateway may be at these.
    if (claims !== undefined) return;
    for (const jobId of freshRead(this.#tables).jobsOpen.getKeys()) this.#takeUp(jobId);
    for (const jobId of tables.jobsToCome.getKeys()) this.#append([{ kind: "jobRemove", jobId }]);
  }

  get isEmpty(): boolean {
    return this.#queue.isEmpty;
  }

  /** Items that have not ended, of all workspaces. */
  get openItems(): number {
    return this.#queue.openItems;
  }

  /** Whether items may start, that is, whether their results can be written. */
  get accepting(): boolean {
    return this.#journal.accepting;
  }

  /**
   * Stores a job whole or not at all. Its payloads are written in pieces before it, so that other
   * writes do not wait for all of them. Durable when resolved; from then on its items can be claimed. A
   * job that is no longer wanted by then is removed. Errors: `invalid_request` for a job that is no
   * longer wanted, `scan_batch_backlog_exceeded`, `internal_error` if the store can't be written.
   */
  async submit(
    job: NewJob,
    isWanted: () => boolean = () => true,
  ): Promise<Outcome<{ readonly jobId: string }>> {
    const { orgId, apiKeyId, ids, body, starts, ends } = job;
    const bytes = ends.map((end, i) => end - (starts[i] ?? 0));
    const submitted = { orgId, items: ids.length, bytes: sum(bytes) };
    const fits = this.#backlog.check(submitted);
    if (!fits.ok) return fits;
    if (!this.#journal.accepting || !this.#journal.fitsPayload(body.length)) return notStored;
    const jobId = `scanjob_${randomBytes(16).toString("hex")}`;
    const createdAtMs = this.#clock.wallMs();
    const attempts = ids.map(() => 0);
    // Counted until it is written, because its body is in memory until then; otherwise two submissions
    // at the same moment would both fit.
    this.#backlog.appended(submitted);
    let mark = 0;
    let stored = true;
    for (const piece of payloadPieces(bytes)) {
      const what = { jobId, body, starts, ends, ...piece };
      mark = this.#append([
        piece.to === ids.length
          ? { kind: "job", orgId, apiKeyId, createdAtMs, ids, ...what }
          : { kind: "jobPayloads", itemCount: ids.length, ...what },
      ]);
      stored = await this.#journal.applied(mark, settlementFlushWaitMsMax);
      if (!stored || !isWanted()) break;
    }
    if (stored) this.#backlog.written(submitted);
    else void this.#journal.applied(mark, null).then(() => this.#backlog.written(submitted));
    if (!stored || !isWanted()) {
      // It may still be written later. Then it must not run, because its client got an error.
      this.#append([{ kind: "jobRemove", jobId }]);
      return stored ? clientLeft : notStored;
    }
    // What can't be claimed now is taken up later, here or elsewhere. It may have been taken up here meanwhile.
    if ((await this.#isOurs(jobId)) && this.#queue.states(jobId) === undefined) {
      this.#queue.add({ jobId, orgId, apiKeyId, createdAtMs, ids, bytes, attempts });
    }
    return accept({ jobId });
  }

  async #isOurs(jobId: string): Promise<boolean> {
    if (this.#claims === null) return true;
    const claimed = await this.#claims.claim([jobId]).catch((): readonly string[] => []);
    return claimed.includes(jobId);
  }

  /**
   * Takes up open jobs that no other gateway runs, at most `jobsTakenUpMax`. True if there were any. Rejects if that
   * can't be decided now. False too if the store can't be written.
   */
  async takeUpOthers(): Promise<boolean> {
    if (this.#claims === null) return false;
    const open: string[] = [];
    for (const jobId of freshRead(this.#tables).jobsOpen.getKeys()) {
      if (this.#queue.states(jobId) === undefined) open.push(jobId);
      if (open.length === jobsTakenUpMax) break;
    }
    if (open.length === 0) return false;
    const claimed = await this.#claims.claim(open);
    // This gateway may have ended their items, and the ends are not written yet: they would run again.
    if (!(await this.#journal.appliedAll(settlementFlushWaitMsMax))) return false;
    for (const jobId of claimed) if (this.#queue.states(jobId) === undefined) this.#takeUp(jobId);
    return claimed.length > 0;
  }

  /** The item's submitted payload; undefined: it has been removed. */
  payload({ jobId, index }: ClaimedItem): Uint8Array | undefined {
    return freshRead(this.#tables).jobPayloads.get([jobId, index]);
  }

  /** The next item to run; undefined: nothing may start now. Workspaces take turns. */
  claim(): ClaimedItem | undefined {
    return this.#queue.claim(this.#clock.monotonicMs());
  }

  /**
   * Gives a claim back for another try; no item of the workspace starts for `waitMs`. A used attempt is
   * remembered over a restart.
   */
  putBack(item: ClaimedItem, attempts: number, waitMs: number): void {
    if (attempts !== item.attempts) {
      const { jobId, index } = item;
      this.#append([{ kind: "jobAttempts", jobId, index, attempts }]);
    }
    this.#queue.putBack(item, attempts);
    this.#queue.postpone(item.orgId, this.#clock.monotonicMs() + waitMs);
  }

  /**
   * Gives back a claim of an item that has not started; no item of the workspace starts for `waitMs`.
   */
  release(item: ClaimedItem, waitMs: number): void {
    this.#queue.release(item);
    this.#queue.postpone(item.orgId, this.#clock.monotonicMs() + waitMs);
  }

  /** The change that ends an item, for callers that make it durable together with another change. */
  ending({ jobId, index }: ClaimedItem, { status, result }: ItemEnd): ItemEnding {
    return { kind: "jobItemEnd", jobId, index, status, result, atMs: this.#clock.wallMs() };
  }

  /** The item's ending was appended to the journal. */
  ended(item: ClaimedItem): void {
    this.#queue.ended(item);
  }

  hasEnded(item: ClaimedItem): boolean {
    return this.#queue.hasEnded(item);
  }

  /** Whether the store has the item's end, which is another gateway's if this one has not ended it. */
  hasStoredEnd({ jobId, index }: ClaimedItem): boolean {
    const state = freshRead(this.#tables).jobStates.get(jobId)?.[index];
    return state === undefined || state >= itemFailed;
  }

  /** Ends an item and appends its ending. */
  end(item: ClaimedItem, end: ItemEnd): void {
    this.#append([this.ending(item, end)]);
    this.#queue.ended(item);
  }

  /** Items that still wait after the lifetime of their job (`batchJobMsMax`); at most `limit`. */
  expired(limit: number): readonly ClaimedItem[] {
    return this.#queue.queuedBefore(this.#clock.wallMs() - batchJobMsMax + 1, limit);
  }

  /**
   * Removes payloads whose job did not come for `batchPiecesMsMax`: the gateway that was given it has ended before the last
   * piece. Several gateways may do it at once.
   */
  removeLeftPieces(): void {
    if (!this.#journal.accepting) return;
    const nowMs = this.#clock.monotonicMs();
    const { jobsToCome } = freshRead(this.#tables);
    for (const jobId of this.#toCome.keys()) {
      if (!jobsToCome.doesExist(jobId)) this.#toCome.delete(jobId);
    }
    const left: string[] = [];
    for (const jobId of jobsToCome.getKeys({ limit: batchPiecesWatchedMax })) {
      const sinceMs = this.#toCome.get(jobId) ?? nowMs;
      this.#toCome.set(jobId, sinceMs);
      if (nowMs - sinceMs >= batchPiecesMsMax) left.push(jobId);
      if (left.length === batchRemovalsAtOnce) break;
    }
    if (left.length > 0) this.#append(left.map((jobId) => ({ kind: "jobRemove", jobId })));
  }

  /**
   * Removes jobs after the retention of their results, a few at a time, until there are none or
   * `isWanted` says no. Resolves when they are gone, or if the store can't be written.
   */
  async removeOld(isWanted: () => boolean = () => true): Promise<void> {
    const end: [number, string] = [this.#clock.wallMs() + 1, ""];
    let start: [number, string] = [0, ""];
    while (this.#journal.accepting && isWanted()) {
      const range = { start, end, exclusiveStart: true, limit: batchRemovalsAtOnce };
      const old = Array.from(freshRead(this.#tables).jobsByEnd.getKeys(range));
      start = old.at(-1) ?? end;
      if (start === end) return;
      const mark = this.#append(old.map(([, jobId]) => ({ kind: "jobRemove", jobId })));
      if (!(await this.#journal.applied(mark, settlementFlushWaitMsMax))) return;
    }
  }

  #takeUp(jobId: string): void {
    const row = this.#tables.jobs.get(jobId);
    const items = this.#tables.jobItems.get(jobId);
    const states = this.#tables.jobStates.get(jobId);
    if (row === undefined || items === undefined || states === undefined) return;
    const { orgId, apiKeyId, createdAtMs } = row;
    const attempts = Array.from(states, (state) => (state < itemFailed ? state : null));
    this.#queue.add({ jobId, orgId, apiKeyId, createdAtMs, ...items, attempts });
  }

  #append(operations: readonly JobOperation[]): number {
    return this.#journal.append([], operations);
  }
}

/** Jobs of other gateways that one look takes up. */
const jobsTakenUpMax = 100;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export const clientLeft = refuse("invalid_request", "The client left before it had the job's id.");

const notStored = refuse("internal_error", "The job could not be stored; nothing of it will run.", {
  details: { retryable: true },
  retryAfterSeconds: 1,
});
