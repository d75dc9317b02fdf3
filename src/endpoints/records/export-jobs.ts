import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvLine } from "../../contract/csv.ts";
import { refuse } from "../../contract/errors.ts";
import {
  exportMsMax,
  exportPlacesAtOnce,
  exportsBytesMax,
  exportsMax,
  exportsSweepMs,
  recordsRetryAfterSeconds,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Export } from "../../contract/records-api.ts";
import type { AuditLog } from "../../store/embedded/audit/audit-log.ts";
import { exportPath, exportsIn } from "../../store/read-model/export-path.ts";
import { exportColumns } from "../../store/read-model/export-columns.ts";
import { exportIdPattern } from "../../store/read-model/question.ts";
import type { RecordFilter } from "../../store/read-model/filter.ts";
import type { ReadModel } from "../../store/read-model/read-model.ts";

export interface ExportJobsOptions {
  /** Of the read model. */
  readonly directory: string;
  readonly readModel: Pick<ReadModel, "ask">;
  readonly auditLog: Pick<AuditLog, "caughtUp" | "size">;
  readonly onFailure: (error: unknown) => void;
  readonly wallMs?: () => number;
}

interface Job {
  /** Whose it is; null: the operators'. */
  readonly ownerOrgId: string | null;
  shown: Export;
  bytes: number;
}

/**
 * Exports of records as CSV, one after the other, each part with its turn among questions. Files are kept for
 * `exportMsMax`, also over a restart; an export that a restart found unfinished is gone.
 */
export class ExportJobs {
  readonly #options: ExportJobsOptions;
  readonly #wallMs: () => number;
  /** In the order of their creation. */
  readonly #jobs = new Map<string, Job>();
  #last: Promise<void> = Promise.resolve();
  readonly #sweeper: NodeJS.Timeout;
  #closed = false;

  constructor(options: ExportJobsOptions) {
    this.#options = options;
    this.#wallMs = options.wallMs ?? Date.now;
    this.#takeUp();
    this.#sweeper = setInterval(() => this.#sweep(), exportsSweepMs).unref();
  }

  /** Errors: `records_unavailable` if there are too many. */
  create(ownerOrgId: string | null, filter: RecordFilter): Outcome<Export> {
    this.#sweep();
    if (this.#jobs.size >= exportsMax) return tooMany;
    const createdMs = this.#wallMs();
    const shown: Export = {
      id: randomBytes(16).toString("hex"),
      status: "queued",
      rowsDone: 0,
      rowsTotal: null,
      createdAt: new Date(createdMs).toISOString(),
      expiresAt: new Date(createdMs + exportMsMax).toISOString(),
    };
    const job: Job = { ownerOrgId, shown, bytes: 0 };
    this.#jobs.set(shown.id, job);
    this.#last = this.#last.then(() => this.#run(job, filter));
    return accept(shown);
  }

  /** Newest first. `ownerOrgId` null: of all. */
  list(ownerOrgId: string | null): readonly Export[] {
    return [...this.#jobs.values()]
      .filter((job) => ownerOrgId === null || job.ownerOrgId === ownerOrgId)
      .map(({ shown }) => shown)
      .toReversed();
  }

  /** Errors: `not_found`, also for another owner's. */
  get(ownerOrgId: string | null, id: string): Outcome<Export> {
    const job = this.#jobs.get(id);
    if (job === undefined || (ownerOrgId !== null && job.ownerOrgId !== ownerOrgId))
      return noExport;
    return accept(job.shown);
  }

  /** Cancels an export that has not ended, else removes it. Errors: `not_found`. */
  remove(ownerOrgId: string | null, id: string): Outcome<null> {
    const found = this.get(ownerOrgId, id);
    if (!found.ok) return found;
    const { status } = found.value;
    if (status === "queued" || status === "running") {
      this.#show(id, { status: "cancelled" });
      this.#removeFiles(id);
    } else {
      this.#forget(id);
    }
    return accept(null);
  }

  /** The path of a completed export's file. Errors: `not_found`. */
  file(ownerOrgId: string | null, id: string): Outcome<string> {
    const found = this.get(ownerOrgId, id);
    if (!found.ok) return found;
    if (found.value.status !== "completed") {
      return refuse("not_found", `The export has no file: it is ${found.value.status}.`);
    }
    return accept(exportPath(this.#options.directory, id));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeper);
    await this.#last;
  }

  async #run(job: Job, filter: RecordFilter): Promise<void> {
    const { id } = job.shown;
    if (this.#isOver(id)) return;
    this.#show(id, { status: "running" });
    try {
      const isWhole = await this.#write(job, filter);
      if (this.#isOver(id)) this.#removeFiles(id);
      else if (isWhole) {
        this.#show(id, { status: "completed" });
        const { ownerOrgId, shown, bytes } = job;
        writeFileSync(this.#notePath(id), JSON.stringify({ ownerOrgId, shown, bytes }), ownersOnly);
      } else {
        this.#show(id, { status: "failed" });
        this.#removeFiles(id);
      }
    } catch (error) {
      this.#options.onFailure(error);
      this.#show(id, { status: "failed" });
      this.#removeFiles(id);
    }
  }

  /** False if it could not be written to its end. */
  async #write(job: Job, filter: RecordFilter): Promise<boolean> {
    const { directory, readModel, auditLog } = this.#options;
    const { id } = job.shown;
    await auditLog.caughtUp();
    const end = auditLog.size;
    const asker = { caller: `export ${id}`, reach: end };
    const total = await readModel.ask({ kind: "count", filter, end }, asker);
    if (!total.ok) return false;
    this.#show(id, { rowsTotal: total.value });
    mkdirSync(exportsIn(directory), { recursive: true, mode: 0o700 });
    writeFileSync(exportPath(directory, id), csvLine(exportColumns), ownersOnly);
    for (let first = 0; first < end; first += exportPlacesAtOnce) {
      if (this.#isOver(id)) return false;
      if (this.#bytes >= exportsBytesMax) return false;
      const part = await readModel.ask(
        { kind: "export", id, filter, first, end: Math.min(first + exportPlacesAtOnce, end) },
        asker,
      );
      if (!part.ok) return false;
      job.bytes += part.value.bytes;
      this.#show(id, { rowsDone: job.shown.rowsDone + part.value.rows });
    }
    return true;
  }

  get #bytes(): number {
    return [...this.#jobs.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #isOver(id: string): boolean {
    const status = this.#jobs.get(id)?.shown.status;
    return this.#closed || (status !== "queued" && status !== "running");
  }

  #show(id: string, change: Partial<Export>): void {
    const job = this.#jobs.get(id);
    if (job === undefined || job.shown.status === "cancelled") return;
    job.shown = { ...job.shown, ...change };
  }

  #sweep(): void {
    const now = new Date(this.#wallMs()).toISOString();
    for (const [id, { shown }] of this.#jobs) {
      if (shown.expiresAt <= now && shown.status !== "running") this.#forget(id);
    }
  }

  #forget(id: string): void {
    this.#jobs.delete(id);
    this.#removeFiles(id);
  }

  #removeFiles(id: string): void {
    const job = this.#jobs.get(id);
    if (job !== undefined) job.bytes = 0;
    rmSync(exportPath(this.#options.directory, id), { force: true });
    rmSync(this.#notePath(id), { force: true });
  }

  #notePath(id: string): string {
    return `${exportPath(this.#options.directory, id)}.json`;
  }

  /** What an earlier process has completed; everything else in the folder is removed. */
  #takeUp(): void {
    const folder = exportsIn(this.#options.directory);
    if (!existsSync(folder)) return;
    const found: [string, Job][] = [];
    for (const name of readdirSync(folder)) {
      const id = name.slice(0, 32);
      const path = join(folder, `${id}.csv.json`);
      if (exportIdPattern.test(id) && existsSync(path)) {
        // Our own note, written when the export was completed.
        if (name === `${id}.csv.json`)
          found.push([id, JSON.parse(readFileSync(path, "utf8")) as Job]);
      } else {
        rmSync(join(folder, name), { recursive: true, force: true });
      }
    }
    for (const [id, job] of found.sort(byCreation)) this.#jobs.set(id, job);
    this.#sweep();
  }
}

function byCreation([, a]: [string, Job], [, b]: [string, Job]): number {
  return a.shown.createdAt < b.shown.createdAt ? -1 : 1;
}

const ownersOnly = { mode: 0o600 };
const noExport = refuse("not_found", "There is no such export.");
const tooMany = refuse("records_unavailable", "There are too many exports: delete one.", {
  retryAfterSeconds: recordsRetryAfterSeconds,
});
