/** The kinds of audit event (spec: Events; design section 7). */
export const auditEventTypes = [
  "request.completed",
  "request.blocked",
  "request.failed",
  "scan.completed",
  "scan.failed",
  "payg.hold.placed",
  "payg.hold.released",
  "payg.hold.expired",
  "payg.debit.applied",
  "payg.debit.recovered",
  "payg.debit.insufficient_balance",
  "payg.topup",
  "payg.correction",
  "payg.entry.refused",
  "insufficient_balance_reservation",
  "payg_reserved_by_inflight",
  "key.created",
  "key.updated",
  "key.rotated",
  "key.revoked",
  "usage_limit.created",
  "usage_limit.updated",
  "usage_limit.deleted",
  "organization.created",
  "organization.updated",
  "provider.created",
  "provider.updated",
  "provider.deleted",
  "policy.created",
  "policy.updated",
  "policy.deleted",
  "checkpoint.published",
  "log.restored",
  "content.erased",
  "content.read",
  "session.opened",
  "session.closed",
  "session.refused",
] as const;
export type AuditEventType = (typeof auditEventTypes)[number];

/** An audit event as it is appended. It is kept forever, so it has no readable content of a request. */
export interface AuditEvent {
  readonly eventType: AuditEventType;
  readonly message: string;
  readonly orgId: string | null;
  readonly requestId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The canonical form of an event: one line of JSON, its members always in this order. */
export function canonicalEvent(event: AuditEvent, createdAt: string): string {
  return JSON.stringify({
    event_type: event.eventType,
    message: event.message,
    org_id: event.orgId,
    request_id: event.requestId,
    created_at: createdAt,
    data: event.data,
  });
}

/** A parsed canonical event. */
export interface RecordedEvent {
  readonly event_type: AuditEventType;
  readonly message: string;
  readonly org_id: string | null;
  readonly request_id: string | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Parses a line that `canonicalEvent` wrote. */
export function readEvent(line: string): RecordedEvent {
  return JSON.parse(line) as RecordedEvent;
}
