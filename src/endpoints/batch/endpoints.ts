import {
  jobIdPattern,
  type BatchAccepted,
  type BatchItemResult,
  type BatchStatus,
} from "../../contract/batch.ts";
import { refuse } from "../../contract/errors.ts";
import { batchResultsBytesPerTurn, idCharsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { JobView, JobViews } from "../../store/embedded/jobs/job-views.ts";
import type { Jobs } from "../../store/embedded/jobs/jobs.ts";
import { authenticate, type FindKey } from "../../pipeline/caller/authenticate.ts";
import { streamPages } from "../csv.ts";
import type { Answer, Exchange } from "../../exchange/exchange.ts";
import { takeJsonBody } from "../../pipeline/body/json-body.ts";
import type { RateLimits } from "../../pipeline/limits/rate-limits.ts";
import { RequestRecord } from "../../pipeline/record/record.ts";
import { serve, type FrameServices } from "../../pipeline/serve.ts";
import { jsonAnswer } from "../../exchange/refusal.ts";
import { readSubmission, type SubmissionRules } from "./submission.ts";

export interface BatchServices extends SubmissionRules, FrameServices {
  readonly rateLimits: RateLimits;
  readonly jobs: Jobs;
  /** Called when a job was stored. */
  readonly submitted: () => void;
}

/** `POST /v1/security/scan/batch` (spec: Security scan). */
export async function submitBatch(exchange: Exchange, services: BatchServices): Promise<void> {
  const record = new RequestRecord("batch");
  record.scansNothing = true;
  await serve(record, exchange, services, (findKey) => submit(exchange, findKey, services, record));
}

async function submit(
  exchange: Exchange,
  findKey: FindKey,
  services: BatchServices,
  record: RequestRecord,
): Promise<Outcome<Answer>> {
  const caller = authenticate(exchange.head, findKey);
  if (!caller.ok) return caller;
  const { key } = caller.value;
  const limiting = services.rateLimits.scan(exchange, key);
  const limited = limiting instanceof Promise ? await limiting : limiting;
  if (!limited.ok) return limited;
  const body = await takeJsonBody(exchange, record);
  if (!body.ok) return body;
  const isGone = (): boolean => exchange.state === "gone";
  const job = await readSubmission(body.value, services, isGone);
  if (!job.ok) return job;
  const submission = { orgId: key.orgId, apiKeyId: key.id, ...job.value };
  const stored = await services.jobs.submit(submission, () => !isGone());
  if (!stored.ok) return stored;
  services.submitted();
  const accepted: BatchAccepted = {
    job_id: stored.value.jobId,
    status: "queued",
    item_count: job.value.ids.length,
  };
  return accept({ ...jsonAnswer(JSON.stringify(accepted)), status: 202 });
}

/** `GET /v1/security/scan/batch/{job_id}`. The answer describes one moment. */
export async function batchStatus(
  exchange: Exchange,
  jobId: string,
  services: BatchServices,
): Promise<void> {
  const record = new RequestRecord("batch");
  record.scansNothing = true;
  await serve(record, exchange, services, async (findKey) => {
    const found = await find(exchange, findKey, jobId, services);
    return found.ok ? answerStatus(exchange, found.value, services.jobs.views) : found;
  });
}

async function find(
  exchange: Exchange,
  findKey: FindKey,
  jobId: string,
  { rateLimits, jobs }: BatchServices,
): Promise<Outcome<JobView>> {
  const caller = authenticate(exchange.head, findKey);
  if (!caller.ok) return caller;
  const { key } = caller.value;
  const limited = await rateLimits.request(exchange, key);
  if (!limited.ok) return limited;
  // LMDB throws if a key is too long.
  const isJobId = jobId.length <= idCharsMax && jobIdPattern.test(jobId);
  const job = isJobId ? jobs.views.find(key.orgId, jobId) : undefined;
  return job === undefined
    ? refuse("not_found", "This workspace has no such job, or its results have been removed.")
    : accept(job);
}

/**
 * A thousand results may be long, so they are read and sent piece by piece. Null if it has answered itself.
 */
async function answerStatus(
  exchange: Exchange,
  job: JobView,
  views: JobViews,
): Promise<Outcome<Answer | null>> {
  const pieces = statusPieces(job, views);
  const next = (): string | null => pieces.next().value ?? null;
  const first = next() ?? "";
  const second = next();
  if (second === null) return accept(jsonAnswer(first));
  const made = [first, second];
  await streamPages(exchange, ["Content-Type", "application/json"], () => made.shift() ?? next());
  return accept(null);
}

function* statusPieces(job: JobView, views: JobViews): Generator<string, undefined> {
  const { jobId, status, counts, createdAtMs, completedAtMs, ids, items } = job;
  const head: Omit<BatchStatus, "results"> = {
    job_id: jobId,
    status,
    item_count: items.length,
    completed_count: counts.completed,
    counts,
    created_at: new Date(createdAtMs).toISOString(),
    completed_at: completedAtMs === null ? null : new Date(completedAtMs).toISOString(),
  };
  let piece = `${JSON.stringify(head).slice(0, -1)},"results":[`;
  for (const [index, status] of items.entries()) {
    if (piece.length >= batchResultsBytesPerTurn) {
      yield piece;
      piece = "";
    }
    if (index > 0) piece += ",";
    piece += resultJson(views, jobId, index, { id: ids[index] ?? "", status, scan_id: null });
  }
  yield `${piece}]}`;
}

function resultJson(
  views: JobViews,
  jobId: string,
  index: number,
  unended: BatchItemResult,
): string {
  const hasEnded = unended.status === "completed" || unended.status === "failed";
  const result = hasEnded ? views.result(jobId, index) : undefined;
  return result === undefined ? JSON.stringify(unended) : Buffer.from(result).toString("utf8");
}
