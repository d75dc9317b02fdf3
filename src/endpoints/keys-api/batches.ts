import { jobIdPattern, type ListedBatch } from "../../contract/batch.ts";
import { idCharsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { JobPlace, JobViews, ListedJob } from "../../store/embedded/jobs/job-views.ts";
import type { Page, PageQuery } from "../../store/page.ts";
import { listAnswer } from "../list-page.ts";
import { answered, type Call, type Done } from "./endpoint.ts";
import { readPage } from "./page.ts";
import { cursorAt, markOf, readPlace, type Place } from "./place-cursor.ts";
import { scopeOf, type FindOrganization } from "./scope.ts";

/**
 * `GET /api/v1/gateway/batches`: jobs of batch scans, newest first, never their texts or results. Errors:
 * `invalid_request`, `not_found`.
 */
export async function listBatches(
  { manager, query }: Call,
  jobs: Pick<JobViews, "list">,
  find: FindOrganization,
): Promise<Outcome<Done>> {
  const page = readPage(query, null);
  if (!page.ok) return page;
  const scope = scopeOf(manager, query, find);
  if (!scope.ok) return scope;
  const { orgId = null } = scope.value;
  const mark = markOf(["batches", orgId]);
  const start = readPlace(page.value.cursor, mark, isPlace);
  if (!start.ok) return start;
  let after = start.value === null ? null : placeOf(start.value);
  const read = ({ limit }: PageQuery): Outcome<Page<ListedBatch>> => {
    const { jobs: listed, next } = jobs.list({ orgId, limit, after });
    after = next;
    return accept({
      items: listed.map(shown),
      nextCursor: next === null ? null : cursorAt([String(next.createdAtMs), next.jobId], mark),
    });
  };
  return answered(listAnswer(page.value, read));
}

function isPlace([createdAtMs, jobId]: Place): boolean {
  return /^\d{1,15}$/.test(createdAtMs) && jobId.length <= idCharsMax && jobIdPattern.test(jobId);
}

function placeOf([createdAtMs, jobId]: Place): JobPlace {
  return { createdAtMs: Number(createdAtMs), jobId };
}

function shown(job: ListedJob): ListedBatch {
  const { jobId, orgId, apiKeyId, status, itemCount, counts, createdAtMs, completedAtMs } = job;
  return {
    job_id: jobId,
    org_id: orgId,
    api_key_id: apiKeyId,
    status,
    item_count: itemCount,
    counts,
    created_at: new Date(createdAtMs).toISOString(),
    completed_at: completedAtMs === null ? null : new Date(completedAtMs).toISOString(),
  };
}
