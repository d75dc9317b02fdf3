import type { RecordedAttempt } from "../../contract/request-event.ts";
import { csvLine } from "../../contract/csv.ts";
import { usageQuarterMs } from "../../contract/limits.ts";
import { formatUsd, microUsd } from "../../contract/money.ts";
import { toMicroseconds } from "../../contract/request-event.ts";
import { recordStatuses, type RecordedRequest } from "../../contract/records-api.ts";
import type { RecordRow } from "./record-row.ts";
import { facetNames, type Metric, type SeriesStep } from "./question.ts";
import { recordColumns } from "./tables.ts";
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
    provider: row.provider,
    account: row.account,
    // The row maker's own JSON.
    attempts: row.attempts === null ? [] : (JSON.parse(row.attempts) as RecordedAttempt[]),
    status: recordStatuses.find((status) => status === row.status) ?? "failed",
    http_status: row.httpStatus,
    error_code: row.errorCode,
    upstream_status: row.upstreamStatus,
    verdict: row.verdict,
    score: row.score,
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

const places = new Map(recordColumns.map(({ name }, i) => [name, i]));

/** The record in a row of all columns. */
export function recordIn(row: Row): RecordRow {
  const of = (name: string): unknown => row[places.get(name) ?? -1];
  const textIn = (name: string): string | null => {
    const value = of(name);
    return typeof value === "string" ? value : null;
  };
  const numberIn = (name: string): number | null => numberOf(of(name));
  const tags = of("tags");
  const stream = of("stream");
  const cost = of("cost");
  return {
    kind: "record",
    index: numberIn("idx") ?? 0,
    atMs: numberIn("at_ms") ?? 0,
    quarter: numberIn("quarter") ?? 0,
    type: textIn("type"),
    status: textIn("status") ?? "",
    route: textIn("route"),
    requestId: textIn("request_id"),
    orgId: textIn("org_id"),
    keyId: textIn("key_id"),
    team: textIn("team"),
    tags: Array.isArray(tags) ? tags.map(String) : null,
    model: textIn("model"),
    provider: textIn("provider"),
    account: textIn("account"),
    attempts: textIn("attempts"),
    httpStatus: numberIn("http_status"),
    upstreamStatus: numberIn("upstream_status"),
    errorCode: textIn("error_code"),
    verdict: textIn("verdict"),
    score: numberIn("score"),
    stream: typeof stream === "boolean" ? stream : null,
    cache: textIn("cache"),
    input: numberIn("input"),
    cacheRead: numberIn("cache_read"),
    cacheWrite: numberIn("cache_write"),
    output: numberIn("output"),
    reasoning: numberIn("reasoning"),
    billable: numberIn("billable"),
    cost: typeof cost === "bigint" ? cost : null,
    costStatus: textIn("cost_status"),
    latencyMs: numberIn("latency"),
    firstByteMs: numberIn("first_byte"),
  };
}

/** The line of a record in a CSV. */
export function recordCsvLine(row: RecordRow): string {
  return csvLine(csvCells(row));
}

/** The line of a record in an export. */
export function exportLine(row: RecordRow): string {
  const { team, account, upstreamStatus, cache, stream, reasoning, firstByteMs } = row;
  return csvLine([
    ...csvCells(row),
    team,
    account,
    upstreamStatus,
    cache,
    stream === null ? null : String(stream),
    reasoning,
    firstByteMs,
  ]);
}

function csvCells(row: RecordRow): (string | number | null)[] {
  const isScan = row.type === "scan";
  return [
    new Date(row.atMs).toISOString(),
    row.requestId,
    // The id that a client keeps for support is its request's id. Clients get no other id.
    row.requestId,
    row.orgId,
    row.keyId,
    row.route,
    row.type,
    row.provider,
    row.model,
    row.status,
    row.httpStatus,
    row.errorCode,
    row.input,
    row.output === null ? null : row.output + (row.reasoning ?? 0),
    isScan ? null : row.cacheRead,
    isScan ? null : row.cacheWrite,
    row.billable,
    row.cost === null ? null : formatUsd(microUsd(row.cost)),
    row.costStatus,
    row.verdict,
    row.latencyMs,
    row.index,
    row.tags?.map((tag) => tag.replace(":", "=")).join(",") ?? null,
  ];
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

function sharesOf(value: unknown): object | null {
  if (!Array.isArray(value)) return null;
  const [p50, p95, p99] = value.map((share) => toMicroseconds(Number(share)));
  return { p50, p95, p99 };
}

function usdOf(value: unknown): string {
  return formatUsd(microUsd(typeof value === "bigint" ? value : 0n));
}

function numberOf(value: unknown): number | null {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" ? value : null;
}
