import type { AuditEvent, AuditEventType } from "../contract/audit.ts";
import type { Exchange } from "./exchange.ts";
import { costStatus, costUsd } from "./cost-record.ts";
import type { PolicyRecord } from "./policy/policy-record.ts";
import { sinceArrivalMs, toMicroseconds, type RequestRecord } from "./record.ts";

/**
 * What the audit log keeps of a request of an organization, for good: nothing readable of it. Null for
 * one whose caller is not known, and for what is neither a model call nor a scan.
 */
export function requestEvent(record: RequestRecord, exchange: Exchange): AuditEvent | null {
  const eventType = eventTypeOf(record);
  if (record.orgId === null || eventType === null) return null;
  const totalMs = sinceArrivalMs(exchange);
  return {
    eventType,
    message: messages[eventType],
    orgId: record.orgId,
    requestId: exchange.requestId,
    data: {
      route: record.route,
      type: record.isScan ? "scan" : "request",
      api_key_id: record.apiKeyId,
      provider: record.provider,
      model: record.model,
      http_status: exchange.status,
      error_code: record.errorCode,
      stream: record.stream,
      end: record.end,
      client_gone: record.clientGone,
      verdict: record.injection?.verdict ?? null,
      score: record.injection?.score ?? null,
      ...policyMembers(record.policy),
      usage: record.cost?.buckets ?? null,
      cost_usd: costUsd(record),
      cost_status: costStatus(record),
      ...(record.submission?.kind === "hash" ? { input_sha256: record.submission.sha256 } : {}),
      latency_ms: totalMs,
      latencies_ms: latencies(record, totalMs),
    },
  };
}

/** What the policy decided, where one was asked. */
function policyMembers(policy: PolicyRecord | null): object {
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
function latencies(
  record: RequestRecord,
  totalMs: number,
): Readonly<Record<string, number | null>> {
  const { bodyMs, scanMs, holdMs, firstByteMs } = record;
  return {
    body: bodyMs,
    scan: scanMs === null ? null : toMicroseconds(scanMs - (bodyMs ?? 0)),
    hold: holdMs,
    first_byte: firstByteMs === null ? null : toMicroseconds(firstByteMs),
    total: totalMs,
  };
}

type RequestEventType = Extract<AuditEventType, `request.${string}` | `scan.${string}`>;

const messages: Readonly<Record<RequestEventType, string>> = {
  "request.completed": "A request was answered.",
  "request.blocked": "The security policy blocked a request.",
  "request.failed": "A request was refused or failed.",
  "scan.completed": "A scan was answered.",
  "scan.failed": "A scan was refused or failed.",
};

function eventTypeOf(record: RequestRecord): RequestEventType | null {
  if (record.isScan) return record.errorCode === null ? "scan.completed" : "scan.failed";
  if (!record.isModelCall) return null;
  if (record.errorCode === null) return "request.completed";
  return record.errorCode === "security_blocked" ? "request.blocked" : "request.failed";
}
