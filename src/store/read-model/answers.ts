import { usageQuarterMs } from "../../contract/limits.ts";
import { formatUsd, microUsd } from "../../contract/money.ts";
import { toMicroseconds } from "../../contract/request-event.ts";
import { recordStatuses, type RecordedRequest } from "../../contract/records-api.ts";
import { latencyOf } from "./latency-bucket.ts";
import type { RecordRow } from "./record-row.ts";
import { facetNames, type Metric, type SeriesStep } from "./question.ts";
import { startOf, type ZoneOffset } from "./zone.ts";

/** A row as the database hands it out. */
export type Row = readonly unknown[];

/** A record in the form in which it is shown. */
export function shownRecord(row: RecordRow): RecordedRequest {
  return {
    index: row.index,
    request_id: row.requestId,
    created_at: new Date(row.atMs).toISOString(),
    type: row.type === "scan" ? "scan" : "request",
    route: row.route,
    org_id: row.orgId,
    api_key_id: row.keyId,
    team: row.team,
    tags: row.tags === null ? null : Object.fromEntries(row.tags.map(splitTag)),
    model: row.model,
    served_model: row.servedModel,
    provider: row.provider,
    account: row.account,
    attempts: [...row.attempts],
    status: recordStatuses.find((status) => status === row.status) ?? "failed",
    http_status: row.httpStatus,
    error_code: row.errorCode,
    upstream_status: row.upstreamStatus,
    verdict: row.verdict,
    score: row.score,
    policy_action: row.policyAction,
    dry_run_action: row.dryRunAction,
    findings: row.findings,
    stream: row.stream,
    cache: row.cache,
    tokens:
      row.output === null
        ? null
        : {
            input: row.input,
            cache_read: row.cacheRead,
            cache_write: row.cacheWrite,
            output: row.output,
            reasoning: row.reasoning,
          },
    billable_tokens: row.billable,
    cost_usd: row.cost === null ? null : formatUsd(microUsd(row.cost)),
    cost_status: row.costStatus,
    latency_ms: row.latencyMs,
    first_byte_ms: row.firstByteMs,
  };
}

/** A name has no `:`. */
function splitTag(tag: string): readonly [name: string, value: string] {
  const at = tag.indexOf(":");
  return [tag.slice(0, at), tag.slice(at + 1)];
}

/** Of rows of `facetsSql`. */
export function facetsJson(rows: readonly Row[]): string {
  const facets = Object.fromEntries(
    facetNames.map((name, i) => [
      name,
      rows
        .filter(([facet]) => facet === i)
        .map(([, value, count]) => ({ value: String(value), count: Number(count) })),
    ]),
  );
  return JSON.stringify(facets);
}

/** Of rows of `seriesSql`. */
export function seriesJson(
  rows: readonly Row[],
  metric: Metric,
  step: SeriesStep,
  offsets: readonly ZoneOffset[],
): string {
  return JSON.stringify(
    rows.map(([bucket, group, isRest, value]) => ({
      start: new Date(startOf(Number(bucket), step, offsets) * usageQuarterMs).toISOString(),
      group: group ?? null,
      ...(isRest === true ? { rest: true } : {}),
      ...valueOf(metric, value),
    })),
  );
}

function valueOf(metric: Metric, value: unknown): object {
  if (metric === "latency_ms" || metric === "first_byte_ms") return sharesOf(value) ?? noShares;
  if (metric === "cost_usd") return { value: usdOf(value) };
  return { value: numberOf(value) ?? 0 };
}

/** Of rows of `breakdownSql`. */
export function breakdownJson(rows: readonly Row[]): string {
  return JSON.stringify(
    rows.map(([key, isRest, requests, errors, blocked, tokens, cost, latency]) => ({
      key: key ?? null,
      ...(isRest === true ? { rest: true } : {}),
      requests: Number(requests),
      errors: Number(errors),
      blocked: Number(blocked),
      tokens: numberOf(tokens) ?? 0,
      cost_usd: usdOf(cost),
      latency_ms: sharesOf(latency) ?? noShares,
    })),
  );
}

const noShares = { p50: null, p95: null, p99: null };

/** Of the buckets of percentiles. */
function sharesOf(value: unknown): object | null {
  if (!Array.isArray(value) || value.includes(null)) return null;
  const [p50, p95, p99] = value.map((bucket) => toMicroseconds(latencyOf(Number(bucket))));
  return { p50, p95, p99 };
}

function usdOf(value: unknown): string {
  return formatUsd(microUsd(typeof value === "bigint" ? value : 0n));
}

function numberOf(value: unknown): number | null {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? value : null;
}
