import type { PlainObject } from "../../contract/plain-object.ts";
import { readEvent, type RecordedEvent } from "../../contract/audit.ts";
import type { RecordedAttempt } from "../../contract/request-event.ts";
import { usageQuarterMs } from "../../contract/limits.ts";
import { outputTokens, inputTokens, type UsageBuckets } from "../../contract/usage.ts";

/** A request or a scan, as questions are asked about it. Nothing readable of it, and no secret. */
export interface RecordRow {
  readonly kind: "record";
  /** Its place in the log. */
  readonly index: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** The quarter of an hour that it was recorded in, counted from 1970. */
  readonly quarter: number;
  readonly type: string | null;
  /** `completed`, `blocked` or `failed`. */
  readonly status: string;
  readonly route: string | null;
  readonly requestId: string | null;
  readonly orgId: string | null;
  readonly keyId: string | null;
  readonly team: string | null;
  /** `name:value`; null if there are none. */
  readonly tags: readonly string[] | null;
  readonly model: string | null;
  /** The configured model that gave the answer, as its account names it; null if none was called. */
  readonly servedModel: string | null;
  readonly provider: string | null;
  readonly account: string | null;
  readonly attempts: readonly RecordedAttempt[];
  readonly httpStatus: number | null;
  readonly upstreamStatus: number | null;
  readonly errorCode: string | null;
  readonly verdict: string | null;
  readonly score: number | null;
  /** What the policy did; null: nothing, or it is a dry run. */
  readonly policyAction: string | null;
  /** What a policy that is a dry run would have done. */
  readonly dryRunAction: string | null;
  /** How often what was found, by label: in a scan's submission, or in a request and its answer. */
  readonly findings: Readonly<Record<string, number>> | null;
  readonly stream: boolean | null;
  readonly cache: string | null;
  /** Tokens, each counted in one of the five; null if they are not known. */
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  readonly reasoning: number | null;
  /** The tokens that a scan's detectors have read; null for a request. */
  readonly billable: number | null;
  /** Micro-dollars. */
  readonly cost: bigint | null;
  readonly costStatus: string | null;
  readonly latencyMs: number | null;
  readonly firstByteMs: number | null;
}

/** Any other event of the log, with what a filter of the log may ask for. */
export interface OtherRow {
  readonly kind: "other";
  readonly index: number;
  readonly atMs: number;
  readonly eventType: string;
  readonly type: string | null;
  readonly requestId: string | null;
  readonly orgId: string | null;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly verdict: string | null;
}

/** The tokens that count as used: those of a request, or those that a scan's detectors have read. */
export function tokensOfRow(row: RecordRow): number {
  if (row.type === "scan") return row.billable ?? 0;
  const { input, cacheRead, cacheWrite, output, reasoning } = row;
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) + (output ?? 0) + (reasoning ?? 0);
}

/** 32 bits of FNV-1a: four bytes are compared for each record where an id is looked up, and no text. */
export function requestHash(id: string | null): number | null {
  if (id === null) return null;
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/** The row of an event in its canonical form. */
export function rowOf(index: number, line: string): RecordRow | OtherRow {
  const event = readEvent(line);
  const atMs = Date.parse(event.created_at);
  const [kind, status = ""] = event.event_type.split(".", 2);
  const isRecord = kind === "request" || kind === "scan";
  return isRecord ? recordRow(index, atMs, status, event) : otherRow(index, atMs, event);
}

function recordRow(index: number, atMs: number, status: string, event: RecordedEvent): RecordRow {
  const { data } = event;
  const latencies = (data["latencies_ms"] ?? noMembers) as PlainObject;
  return {
    kind: "record",
    index,
    atMs,
    quarter: Math.floor(atMs / usageQuarterMs),
    type: textOf(data["type"]),
    status,
    route: textOf(data["route"]),
    requestId: event.request_id,
    orgId: event.org_id,
    keyId: textOf(data["api_key_id"]),
    team: textOf(data["team"]),
    tags: tagsOf(data["tags"]),
    model: textOf(data["model"]),
    servedModel: servedModelOf(data),
    provider: textOf(data["provider"]),
    account: textOf(data["account"]),
    // The event's own value, as `canonicalRequest` wrote it.
    attempts: (data["attempts"] ?? []) as readonly RecordedAttempt[],
    httpStatus: numberOf(data["http_status"]),
    upstreamStatus: numberOf(data["upstream_status"]),
    errorCode: textOf(data["error_code"]),
    verdict: textOf(data["verdict"]),
    score: numberOf(data["score"]),
    policyAction: data["dry_run"] === true ? null : textOf(data["policy_action"]),
    dryRunAction: data["dry_run"] === true ? textOf(data["policy_action"]) : null,
    findings: findingsOf(data),
    stream: typeof data["stream"] === "boolean" ? data["stream"] : null,
    cache: textOf(data["cache"]),
    ...tokensOf(data),
    cost: microUsdOf(data["cost_usd"]),
    costStatus: textOf(data["cost_status"]),
    latencyMs: numberOf(data["latency_ms"]),
    firstByteMs: numberOf(latencies["first_byte"]),
  };
}

function otherRow(index: number, atMs: number, event: RecordedEvent): OtherRow {
  const { data } = event;
  return {
    kind: "other",
    index,
    atMs,
    eventType: event.event_type,
    type: textOf(data["type"]),
    requestId: event.request_id,
    orgId: event.org_id,
    keyId: textOf(data["api_key_id"]),
    model: textOf(data["model"]),
    verdict: textOf(data["verdict"]),
  };
}

const noMembers: PlainObject = {};
const noTokens = { input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null };

function tokensOf(data: PlainObject) {
  // The event's own value, as `canonicalRequest` wrote it.
  const usage = (data["usage"] ?? null) as UsageBuckets | null;
  if (usage === null) return { ...noTokens, billable: null };
  if (data["type"] === "scan") {
    const input = numberOf(data["input_tokens"]);
    return {
      ...{ input, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
      billable: usage.uncachedInput,
    };
  }
  const cacheWrite = usage.cacheWrite5m + usage.cacheWrite1h;
  return {
    input: inputTokens(usage) - usage.cacheRead - cacheWrite,
    cacheRead: usage.cacheRead,
    cacheWrite,
    output: outputTokens(usage) - usage.reasoning,
    reasoning: usage.reasoning,
    billable: null,
  };
}

/** An event names it only if the request named another: an alias, or a pool. */
function servedModelOf(data: PlainObject): string | null {
  const served = textOf(data["served_model"]);
  if (served !== null) return served;
  const [model, provider] = [textOf(data["model"]), textOf(data["provider"])];
  if (textOf(data["account"]) === null || model === null) return null;
  return model.startsWith(`${provider}/`) ? model.slice(`${provider}/`.length) : model;
}

/** Of a decimal with six places, as `formatUsd` writes it. */
function microUsdOf(text: unknown): bigint | null {
  return typeof text === "string" ? BigInt(text.replace(".", "")) : null;
}

function tagsOf(tags: unknown): readonly string[] | null {
  if (typeof tags !== "object" || tags === null) return null;
  return Object.entries(tags).map(([name, value]) => `${name}:${String(value)}`);
}

/** null: nothing was looked for, or nothing found. */
function findingsOf(data: PlainObject): Readonly<Record<string, number>> | null {
  const sums = new Map<string, number>();
  for (const place of ["findings", "found_in_request", "found_in_answer"]) {
    for (const [label, count] of Object.entries((data[place] ?? noMembers) as PlainObject)) {
      if (count !== 0) sums.set(label, (sums.get(label) ?? 0) + (numberOf(count) ?? 0));
    }
  }
  return sums.size === 0 ? null : Object.fromEntries(sums);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
