import type { RequestEvent, RequestEventType } from "../../contract/request-event.ts";
import { costStatus } from "./cost-record.ts";
import type { ServedExchange } from "../../exchange/exchange.ts";
import type { RequestRecord } from "./record.ts";

/**
 * What the audit log keeps of a request of an organization, for good: nothing readable of it. Null for
 * one whose caller is not known, and for what is neither a model call nor a scan. It points at the
 * record, so it is to be handed over before anything of that changes.
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
    inputSha256: record.submission?.kind === "hash" ? record.submission.sha256 : null,
    totalMs,
  };
}

/** @param status what the client got; 0: nothing. */
function eventTypeOf(record: RequestRecord, status: number): RequestEventType | null {
  if (record.isScan) return record.errorCode === null ? "scan.completed" : "scan.failed";
  if (!record.isModelCall) return null;
  // A client that left before its answer began, and whose call was given up, was not answered.
  const unanswered = status === 0 && record.end === "abandoned";
  if (record.errorCode === null) return unanswered ? "request.failed" : "request.completed";
  return record.errorCode === "security_blocked" ? "request.blocked" : "request.failed";
}
