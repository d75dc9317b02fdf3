import type { RequestEvent, RequestEventType } from "../../contract/request-event.ts";
import { costStatus } from "./cost-record.ts";
import type { ServedExchange } from "../../exchange/exchange.ts";
import type { RequestRecord } from "./record.ts";

/**
 * What the audit log keeps of an organization's request for good; nothing readable. null if the caller is
 * unknown, or if the request is neither a model call nor a scan. The event refers to the record, so it must
 * be handed over before the record changes.
 */
export function requestEvent(
  record: RequestRecord,
  exchange: Pick<ServedExchange, "requestId" | "status">,
  totalMs: number,
): RequestEvent | null {
  const eventType = eventTypeOf(record, exchange.status);
  if (record.orgId === null || eventType === null) return null;
  return {
    eventType,
    orgId: record.orgId,
    requestId: exchange.requestId,
    httpStatus: exchange.status,
    facts: record,
    costStatus: costStatus(record),
    tags: record.tags,
    inputSha256: record.submission?.kind === "hash" ? record.submission.sha256 : null,
    totalMs,
  };
}

/** @param status what the client got; 0 if it got nothing. */
function eventTypeOf(record: RequestRecord, status: number): RequestEventType | null {
  if (record.isScan) return record.errorCode === null ? "scan.completed" : "scan.failed";
  if (!record.isModelCall) return null;
  // The client left before its answer began, and its call was given up, so it was not answered.
  const unanswered = status === 0 && record.end === "abandoned";
  if (record.errorCode === null) return unanswered ? "request.failed" : "request.completed";
  return record.errorCode === "security_blocked" ? "request.blocked" : "request.failed";
}
