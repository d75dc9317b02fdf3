/** A claimed item: no other runner takes it until it is put back or has ended. */
export interface ClaimedItem {
  readonly jobId: string;
  readonly orgId: string;
  /** Of the submission. */
  readonly apiKeyId: string;
  readonly index: number;
  /** The caller's name for it. */
  readonly id: string;
  /** Of the submission. */
  readonly createdAtMs: number;
  /** Attempts that refusals have used. */
  readonly attempts: number;
  /** It was claimed before, in this process. */
  readonly isRetry: boolean;
}

/** A job that has not ended, as the queue takes it. */
export interface QueuedJob {
  readonly jobId: string;
  readonly orgId: string;
  readonly apiKeyId: string;
  readonly createdAtMs: number;
  readonly ids: readonly string[];
  /** Of each payload. */
  readonly bytes: readonly number[];
  /** Attempts used, by item; null: it has ended. */
  readonly attempts: readonly (number | null)[];
}

/** How an item of an open job stands. */
export type OpenItemState = "queued" | "running" | "ended";

class OpenJob {
  readonly job: QueuedJob;
  readonly attempts: (number | null)[];
  readonly states: OpenItemState[];
  /** Items that were claimed at least once. */
  readonly claimed = new Set<number>();
  open = 0;
  openBytes = 0;
  /** Another gateway may run it: no item of it starts here. */
  isGivenUp = false;
  /** The first index that may be new: every item before it is claimed or has ended. */
  #next = 0;
  /** Items to be tried again. */
  readonly #again: number[] = [];

  constructor(job: QueuedJob) {
    this.job = job;
    this.attempts = [...job.attempts];
    this.states = job.attempts.map((attempts) => (attempts === null ? "ended" : "queued"));
    for (const [index, state] of this.states.entries()) {
      if (state === "ended") continue;
      this.open += 1;
      this.openBytes += job.bytes[index] ?? 0;
    }
  }

  /** New items first, so that an item that is refused repeatedly holds up no other. */
  take(): number | undefined {
    const { states } = this;
    while (this.#next < states.length && states[this.#next] !== "queued") this.#next++;
    if (this.#next < states.length) return this.#next++;
    for (;;) {
      const index = this.#again.shift();
      if (index === undefined || states[index] === "queued") return index;
    }
  }

  releaseFirst(index: number): void {
    this.states[index] = "queued";
    this.#next = Math.min(this.#next, index);
  }

  putBack(index: number): void {
    this.states[index] = "queued";
    this.#again.push(index);
  }
}

interface Workspace {
  readonly orgId: string;
  /** Oldest first. */
  readonly jobs: OpenJob[];
  /** No item of the workspace starts before this time. */
  notBeforeMs: number;
}

/**
 * The unfinished items, in memory. Workspaces take turns, item by item, so that a long job of one
 * workspace does not hold up another workspace; within a workspace the oldest job goes first.
 */
export class JobQueue {
  readonly #jobs = new Map<string, OpenJob>();
  readonly #workspaces = new Map<string, Workspace>();
  /** Workspaces in the order of their last turn; the first one is next. */
  #turns: Workspace[] = [];

  add(job: QueuedJob): void {
    const open = new OpenJob(job);
    this.#jobs.set(job.jobId, open);
    let workspace = this.#workspaces.get(job.orgId);
    if (workspace === undefined) {
      workspace = { orgId: job.orgId, jobs: [], notBeforeMs: 0 };
      this.#workspaces.set(job.orgId, workspace);
      this.#turns.push(workspace);
    }
    workspace.jobs.push(open);
  }

  /** Whether anything has not ended. */
  get isEmpty(): boolean {
    return this.#jobs.size === 0;
  }

  /** Items that have not ended. */
  get openItems(): number {
    let items = 0;
    for (const { open } of this.#jobs.values()) items += open;
    return items;
  }

  /** The items of a workspace that have not ended, and their bytes. */
  backlog(orgId: string): { readonly items: number; readonly bytes: number } {
    let items = 0;
    let bytes = 0;
    for (const { open, openBytes } of this.#workspaces.get(orgId)?.jobs ?? []) {
      items += open;
      bytes += openBytes;
    }
    return { items, bytes };
  }

  /** undefined: the job is not open. */
  states(
    jobId: string,
  ): { readonly started: boolean; readonly items: readonly OpenItemState[] } | undefined {
    const open = this.#jobs.get(jobId);
    return open === undefined ? undefined : { started: open.claimed.size > 0, items: open.states };
  }

  /** The next item of the next workspace; undefined: no item may start now. */
  claim(nowMs: number): ClaimedItem | undefined {
    for (const [turn, workspace] of this.#turns.entries()) {
      if (workspace.notBeforeMs > nowMs) continue;
      const item = takeFrom(workspace);
      if (item === undefined) continue;
      this.#turns = [...this.#turns.toSpliced(turn, 1), workspace];
      return item;
    }
    return undefined;
  }

  /** Returns an item for another try. `attempts` is the number of used attempts. */
  putBack({ jobId, index }: ClaimedItem, attempts: number): void {
    const open = this.#jobs.get(jobId);
    if (open === undefined) return;
    if (open.isGivenUp) return this.ended({ jobId, index });
    open.attempts[index] = attempts;
    open.putBack(index);
  }

  /** Returns an item that did not start. It keeps its place. */
  release(item: ClaimedItem): void {
    const open = this.#jobs.get(item.jobId);
    if (open === undefined) return;
    if (open.isGivenUp) return this.ended(item);
    if (!item.isRetry) open.claimed.delete(item.index);
    open.releaseFirst(item.index);
  }

  /** No item of the workspace starts before `untilMs`. */
  postpone(orgId: string, untilMs: number): void {
    const workspace = this.#workspaces.get(orgId);
    if (workspace !== undefined) workspace.notBeforeMs = Math.max(workspace.notBeforeMs, untilMs);
  }

  ended({ jobId, index }: Pick<ClaimedItem, "jobId" | "index">): void {
    const open = this.#jobs.get(jobId);
    if (open === undefined || open.states[index] === "ended") return;
    open.states[index] = "ended";
    open.open -= 1;
    open.openBytes -= open.job.bytes[index] ?? 0;
    if (open.open === 0) this.#remove(open);
  }

  /** Other gateways run the jobs from now on: no item of them starts here any more. Items that run may end. */
  giveUp(): void {
    for (const open of [...this.#jobs.values()]) {
      open.isGivenUp = true;
      for (const [index, state] of open.states.entries()) {
        if (state === "queued") this.ended({ jobId: open.job.jobId, index });
      }
    }
  }

  hasEnded({ jobId, index }: Pick<ClaimedItem, "jobId" | "index">): boolean {
    const open = this.#jobs.get(jobId);
    return open === undefined || open.states[index] === "ended";
  }

  /** At most `limit` waiting items of jobs that were submitted before the given time. */
  queuedBefore(createdAtMs: number, limit: number): readonly ClaimedItem[] {
    const found: ClaimedItem[] = [];
    for (const open of this.#jobs.values()) {
      if (open.job.createdAtMs >= createdAtMs) continue;
      for (const [index, state] of open.states.entries()) {
        if (state === "queued") found.push(itemOf(open, index));
        if (found.length === limit) return found;
      }
    }
    return found;
  }

  #remove(open: OpenJob): void {
    const { jobId, orgId } = open.job;
    this.#jobs.delete(jobId);
    const workspace = this.#workspaces.get(orgId);
    if (workspace === undefined) return;
    workspace.jobs.splice(workspace.jobs.indexOf(open), 1);
    if (workspace.jobs.length > 0) return;
    this.#workspaces.delete(orgId);
    this.#turns = this.#turns.filter((one) => one !== workspace);
  }
}

function takeFrom({ jobs }: Workspace): ClaimedItem | undefined {
  for (const open of jobs) {
    const index = open.take();
    if (index === undefined) continue;
    const item = itemOf(open, index);
    open.states[index] = "running";
    open.claimed.add(index);
    return item;
  }
  return undefined;
}

function itemOf({ job, attempts, claimed }: OpenJob, index: number): ClaimedItem {
  const { jobId, orgId, apiKeyId, createdAtMs, ids } = job;
  return {
    jobId,
    orgId,
    apiKeyId,
    index,
    id: ids[index] ?? "",
    createdAtMs,
    attempts: attempts[index] ?? 0,
    isRetry: claimed.has(index),
  };
}
