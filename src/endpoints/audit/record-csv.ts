import { readEvent } from "../../contract/audit.ts";
import { isPlainObject, type PlainObject } from "../../contract/plain-object.ts";
import { inputTokens, outputTokens, type UsageBuckets } from "../../contract/usage.ts";
import type { LoggedEvent } from "../../store/embedded/audit/audit-log.ts";
import { csvLine } from "../../contract/csv.ts";

/** design section 7, `/v1/audit`. */
export const recordColumns = [
  "timestamp",
  "request_id",
  "correlation_id",
  "org_id",
  "api_key_id",
  "route",
  "type",
  "provider",
  "model",
  "status",
  "http_status",
  "error_code",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "billable_tokens",
  "cost_usd",
  "cost_status",
  "verdict",
  "latency_ms",
  "audit_index",
  "tags",
] as const;

type Cell = string | number | null;

/** The line of a request or a scan; "" for any other event. */
export function recordLine({ index, line }: LoggedEvent): string {
  if (!isRecord(line)) return "";
  const event = readEvent(line);
  const { data } = event;
  const of = (member: string): Cell => cellOf(data[member]);
  const cells: Readonly<Record<(typeof recordColumns)[number], Cell>> = {
    timestamp: event.created_at,
    request_id: event.request_id,
    // The id that a client keeps for support is its request's id. Clients get no other id.
    correlation_id: event.request_id,
    org_id: event.org_id,
    api_key_id: of("api_key_id"),
    route: of("route"),
    type: of("type"),
    provider: of("provider"),
    model: of("model"),
    status: event.event_type.slice(event.event_type.indexOf(".") + 1),
    http_status: of("http_status"),
    error_code: of("error_code"),
    ...tokenCells(data),
    cost_usd: of("cost_usd"),
    cost_status: of("cost_status"),
    verdict: of("verdict"),
    latency_ms: of("latency_ms"),
    audit_index: index,
    tags: tagsCell(data["tags"]),
  };
  return csvLine(recordColumns.map((column) => cells[column]));
}

/** Told by the beginning of a canonical line. */
function isRecord(line: string): boolean {
  return line.startsWith('{"event_type":"request.') || line.startsWith('{"event_type":"scan.');
}

/**
 * The numbers are disjoint: input tokens exclude those that were read from a cache or written to it. A scan's
 * billable tokens are those that detectors have read; a model request has none.
 */
function tokenCells(data: PlainObject) {
  const isScan = data["type"] === "scan";
  // The event's own value, as written by `requestEvent`.
  const usage = (data["usage"] ?? null) as UsageBuckets | null;
  const none = { input_tokens: null, output_tokens: null, cache_read_tokens: null };
  const empty = { ...none, cache_write_tokens: null, billable_tokens: null };
  if (usage === null) return empty;
  if (isScan) {
    const input = cellOf(data["input_tokens"]);
    return {
      ...empty,
      input_tokens: input,
      output_tokens: 0,
      billable_tokens: usage.uncachedInput,
    };
  }
  const cacheWrite = usage.cacheWrite5m + usage.cacheWrite1h;
  return {
    input_tokens: inputTokens(usage) - usage.cacheRead - cacheWrite,
    output_tokens: outputTokens(usage),
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: cacheWrite,
    billable_tokens: null,
  };
}

/** As `X-Svc-Tags` has them: `feature=rag,customer=acme`. */
function tagsCell(tags: unknown): Cell {
  if (!isPlainObject(tags)) return null;
  return Object.entries(tags)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(",");
}

function cellOf(value: unknown): Cell {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
