import type { AuditEvent, AuditEventType } from "./audit.ts";
import { formatUsd, type MicroUsd } from "./money.ts";
import type { CostStatus, UsageBuckets } from "./usage.ts";

/** Matches of a policy's rules, by what was matched. */
export type MatchCounts = Readonly<Record<string, number>>;

/** What the audit log keeps of a request's way through the gateway. Nothing readable is in it. */
export interface RequestFacts {
  readonly route: string;
  readonly isScan: boolean;
  readonly apiKeyId: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly errorCode: string | null;
  readonly stream: boolean;
  readonly end: string | null;
  readonly clientGone: boolean;
  readonly injection: { readonly verdict: string; readonly score: number | null } | null;
  /** null: no policy was asked. */
  readonly policy: {
    readonly id: string;
    readonly version: number;
    readonly action: string | null;
    readonly dryRun: boolean;
    readonly input: MatchCounts | null;
    readonly output: MatchCounts | null;
  } | null;
  readonly cost: {
    readonly costMicroUsd: MicroUsd | null;
    readonly buckets: UsageBuckets | null;
  } | null;
  /** Milliseconds after arrival; null where the step did not happen. */
  readonly bodyMs: number | null;
  readonly scanMs: number | null;
  readonly firstByteMs: number | null;
  /** How long it took to reserve the worst case. */
  readonly holdMs: number | null;
}

export type RequestEventType = Extract<AuditEventType, `request.${string}` | `scan.${string}`>;

/** A finished request or scan of an organization, as the loop hands it over: it points at what is there. */
export interface RequestEvent {
  readonly eventType: RequestEventType;
  readonly orgId: string;
  readonly requestId: string;
  readonly httpStatus: number;
  readonly facts: RequestFacts;
  readonly costStatus: CostStatus;
  /** Of a scan whose submission is not kept. */
  readonly inputSha256: string | null;
  /** From arrival to the end of the answer, milliseconds. */
  readonly totalMs: number;
}

/** The event in the form that all events have; its canonical form is what is kept for good. */
export function auditEventOf(event: RequestEvent): AuditEvent {
  const { eventType, orgId, requestId, facts, totalMs } = event;
  const costMicroUsd = facts.cost?.costMicroUsd ?? null;
  return {
    eventType,
    message: messages[eventType],
    orgId,
    requestId,
    data: {
      route: facts.route,
      type: facts.isScan ? "scan" : "request",
      api_key_id: facts.apiKeyId,
      provider: facts.provider,
      model: facts.model,
      http_status: event.httpStatus,
      error_code: facts.errorCode,
      stream: facts.stream,
      end: facts.end,
      client_gone: facts.clientGone,
      verdict: facts.injection?.verdict ?? null,
      score: facts.injection?.score ?? null,
      ...policyMembers(facts.policy),
      usage: facts.cost?.buckets ?? null,
      cost_usd: costMicroUsd === null ? null : formatUsd(costMicroUsd),
      cost_status: event.costStatus,
      ...(event.inputSha256 === null ? {} : { input_sha256: event.inputSha256 }),
      latency_ms: toMicroseconds(totalMs),
      latencies_ms: latencies(facts, totalMs),
    },
  };
}

/** What the policy decided, where one was asked. */
function policyMembers(policy: RequestFacts["policy"]): object {
  if (policy === null) return {};
  return {
    policy_id: policy.id,
    policy_version: policy.version,
    policy_action: policy.action,
    dry_run: policy.dryRun,
    found_in_request: policy.input,
    found_in_answer: policy.output,
  };
}

/** By step; null where a step did not happen. `scan` has the wait for a thread in it. */
function latencies(facts: RequestFacts, totalMs: number): Readonly<Record<string, number | null>> {
  const { bodyMs, scanMs, holdMs, firstByteMs } = facts;
  return {
    body: bodyMs,
    scan: scanMs === null ? null : toMicroseconds(scanMs - (bodyMs ?? 0)),
    hold: holdMs,
    first_byte: firstByteMs === null ? null : toMicroseconds(firstByteMs),
    total: toMicroseconds(totalMs),
  };
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
