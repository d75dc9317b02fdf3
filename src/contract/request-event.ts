import type { AuditEventType } from "./audit.ts";
import { numeric, quoted } from "./json-text.ts";
import type { MicroUsd } from "./money.ts";
import { costText, type CostStatus, type UsageBuckets } from "./usage.ts";

/** The numbers of matches of a policy's rules, by the kind of match. */
export type MatchCounts = Readonly<Record<string, number>>;

/** A call to a provider, as it is recorded. */
export interface RecordedAttempt {
  /** null if the caller named the upstream. */
  readonly account: string | null;
  /** HTTP status of the provider's answer; null if none came. */
  readonly status: number | null;
  /** From its beginning to its end, in milliseconds; null if it has not ended. */
  readonly ms: number | null;
}

/** What a caller has written into `X-Svc-Tags`, by name. */
export type Tags = Readonly<Record<string, string>>;

/** The audit log's record of a request. It contains no readable content. */
export interface RequestFacts {
  readonly route: string;
  readonly isScan: boolean;
  readonly apiKeyId: string | null;
  /** The name of the key's team. */
  readonly team: string | null;
  readonly provider: string | null;
  /** The account that gave the answer; null if there was none, or if the caller named the upstream. */
  readonly account: string | null;
  /** In order. */
  readonly calls: readonly RecordedAttempt[];
  /** The status of the answer that the client got, or of the failure that ended the request. */
  readonly upstreamStatus: number | null;
  /** null if the request did not use the response cache. */
  readonly cache: string | null;
  readonly model: string | null;
  /** The configured model that was called, as its account names it; null if none was. */
  readonly servedModel: string | null;
  readonly errorCode: string | null;
  readonly stream: boolean;
  readonly end: string | null;
  readonly clientGone: boolean;
  readonly injection: {
    readonly verdict: string;
    readonly score: number | null;
    /** The place of the text with the highest score, if that text is not allowed. */
    readonly place?: string | null;
  } | null;
  /** null: no policy was applied. */
  readonly policy: {
    readonly id: string;
    readonly version: number;
    readonly action: string | null;
    readonly dryRun: boolean;
    readonly replaced?: number;
    readonly input: MatchCounts | null;
    readonly output: MatchCounts | null;
  } | null;
  readonly cost: {
    readonly costMicroUsd: MicroUsd | null;
    readonly buckets: UsageBuckets | null;
    /** The entry of the price list that was used because the model has none. */
    readonly assumedPrice: string | null;
    /** null: the standard one. */
    readonly serviceTier: string | null;
  } | null;
  /** The tokens of a scan's whole submission; null for every other request. */
  readonly inputTokens: number | null;
  /** The id of the scan in its answer, if the scan has run. */
  readonly scanId: string | null;
  /** A scan's findings of entities by label; null if it looked for none. */
  readonly findingCounts: MatchCounts | null;
  /** Milliseconds after arrival; null if the step did not happen. */
  readonly bodyMs: number | null;
  readonly scanMs: number | null;
  readonly firstByteMs: number | null;
  /** How long its scan waited for a thread. */
  readonly queueMs: number | null;
  /** How long it took to reserve the worst-case cost. */
  readonly holdMs: number | null;
}

export type RequestEventType = Extract<AuditEventType, `request.${string}` | `scan.${string}`>;

/**
 * A finished request or scan of an organization, as the loop passes it on. It contains no copies.
 */
export interface RequestEvent {
  readonly eventType: RequestEventType;
  readonly orgId: string;
  readonly requestId: string;
  readonly httpStatus: number;
  readonly facts: RequestFacts;
  readonly costStatus: CostStatus;
  /** True for a scan whose submission is not kept. */
  readonly inputSha256: string | null;
  /** null if the request has none. */
  readonly tags: Tags | null;
  /** From arrival to the end of the answer, milliseconds. */
  readonly totalMs: number;
}

/**
 * The canonical form that `canonicalEvent` writes for every other kind: one line of JSON with its members always
 * in this order. Every request has one, so no object is built for it.
 */
export function canonicalRequest(event: RequestEvent, createdAt: string): string {
  const { eventType, facts } = event;
  const costUsd = costText(facts.cost?.costMicroUsd ?? null, event.costStatus);
  const hash = event.inputSha256;
  const { inputTokens, scanId } = facts;
  const assumedPrice = facts.cost?.assumedPrice ?? null;
  const serviceTier = facts.cost?.serviceTier ?? null;
  return (
    `{"event_type":"${eventType}","message":"${messages[eventType]}",` +
    `"org_id":${quoted(event.orgId)},"request_id":${quoted(event.requestId)},` +
    `"created_at":"${createdAt}","data":{` +
    `"route":${quoted(facts.route)},"type":"${facts.isScan ? "scan" : "request"}",` +
    `"api_key_id":${quoted(facts.apiKeyId)},"provider":${quoted(facts.provider)},` +
    `"model":${quoted(facts.model)},"http_status":${event.httpStatus},` +
    `"error_code":${quoted(facts.errorCode)},"stream":${facts.stream},"end":${quoted(facts.end)},` +
    `"client_gone":${facts.clientGone},"verdict":${quoted(facts.injection?.verdict ?? null)},` +
    `"score":${numeric(facts.injection?.score ?? null)},${placeMember(facts.injection)}` +
    policyMembers(facts.policy) +
    (inputTokens === null ? "" : `"input_tokens":${inputTokens},`) +
    (scanId === null ? "" : `"scan_id":"${scanId}",`) +
    `"usage":${usageJson(facts.cost?.buckets ?? null)},` +
    `"cost_usd":${costUsd === null ? "null" : `"${costUsd}"`},` +
    `"cost_status":"${event.costStatus}",` +
    (assumedPrice === null ? "" : `"assumed_price":${quoted(assumedPrice)},`) +
    (serviceTier === null ? "" : `"service_tier":${quoted(serviceTier)},`) +
    (hash === null ? "" : `"input_sha256":${quoted(hash)},`) +
    questionMembers(facts, event.tags) +
    latencyMembers(facts, event.totalMs)
  );
}

/**
 * Members that are written only if they have a value, because an event is kept forever. Events of
 * older releases have none of them.
 */
function questionMembers(facts: RequestFacts, tags: Tags | null): string {
  const { account, calls, upstreamStatus, cache, team, findingCounts } = facts;
  return (
    servedMember(facts) +
    (account === null ? "" : `"account":${quoted(account)},`) +
    (calls.length === 0 ? "" : `"attempts":[${calls.map(attemptJson).join(",")}],`) +
    (upstreamStatus === null ? "" : `"upstream_status":${upstreamStatus},`) +
    (cache === null ? "" : `"cache":${quoted(cache)},`) +
    (team === null ? "" : `"team":${quoted(team)},`) +
    (tags === null ? "" : `"tags":${JSON.stringify(tags)},`) +
    (findingCounts === null ? "" : `"findings":${JSON.stringify(findingCounts)},`)
  );
}

/** The model that was called, if the caller has named it differently. */
function servedMember({ model, provider, servedModel }: RequestFacts): string {
  if (servedModel === null || servedModel === model) return "";
  if (`${provider ?? ""}/${servedModel}` === model) return "";
  return `"served_model":${quoted(servedModel)},`;
}

function attemptJson({ account, status, ms }: RecordedAttempt): string {
  const rounded = ms === null ? null : toMicroseconds(ms);
  return `{"account":${quoted(account)},"status":${numeric(status)},"ms":${numeric(rounded)}}`;
}

/** The place of the text that was not allowed. */
function placeMember(injection: RequestFacts["injection"]): string {
  if (injection === null || injection.verdict === "allow") return "";
  const { place = null } = injection;
  return place === null ? "" : `"location":${quoted(place)},`;
}

/** The decision of the policy, if one was applied. */
function policyMembers(policy: RequestFacts["policy"]): string {
  if (policy === null) return "";
  return (
    `"policy_id":${quoted(policy.id)},"policy_version":${policy.version},` +
    `"policy_action":${quoted(policy.action)},"dry_run":${policy.dryRun},` +
    (policy.replaced === undefined ? "" : `"replaced":${policy.replaced},`) +
    `"found_in_request":${JSON.stringify(policy.input)},` +
    `"found_in_answer":${JSON.stringify(policy.output)},`
  );
}

function usageJson(buckets: UsageBuckets | null): string {
  if (buckets === null) return "null";
  return (
    `{"uncachedInput":${buckets.uncachedInput},"cacheRead":${buckets.cacheRead},` +
    `"cacheWrite5m":${buckets.cacheWrite5m},"cacheWrite1h":${buckets.cacheWrite1h},` +
    `"audioInput":${buckets.audioInput},"imageInput":${buckets.imageInput},` +
    `"outputText":${buckets.outputText},"reasoning":${buckets.reasoning},` +
    `"audioOutput":${buckets.audioOutput},"imageOutput":${buckets.imageOutput},` +
    `"toolCalls":${buckets.toolCalls}}`
  );
}

/** By step; null if a step did not happen. */
function latencyMembers(facts: RequestFacts, totalMs: number): string {
  const { bodyMs, queueMs, scanMs, holdMs, firstByteMs } = facts;
  const scan = scanMs === null ? null : toMicroseconds(scanMs - (bodyMs ?? 0) - (queueMs ?? 0));
  const firstByte = firstByteMs === null ? null : toMicroseconds(firstByteMs);
  const total = numeric(toMicroseconds(totalMs));
  return (
    `"latency_ms":${total},"latencies_ms":{"body":${numeric(bodyMs)},` +
    `"queue":${numeric(queueMs)},"scan":${numeric(scan)},` +
    `"hold":${numeric(holdMs)},"first_byte":${numeric(firstByte)},"total":${total}}}}`
  );
}

/** Milliseconds, to the microsecond. */
export function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

const messages: Readonly<Record<RequestEventType, string>> = {
  "request.completed": "A request was answered.",
  "request.blocked": "The security policy blocked a request.",
  "request.failed": "A request was refused or failed.",
  "scan.completed": "A scan was answered.",
  "scan.failed": "A scan was refused or failed.",
};
