import type { AuditContent, AuditEventRow, AuditProof } from "../../contract/audit-api.ts";
import { readEvent } from "../../contract/audit.ts";
import { refuse, refuseParameter } from "../../contract/errors.ts";
import {
  auditPageDefault,
  auditPageMax,
  auditRowsPerStep,
  auditPageScannedMax,
  auditScannedCost,
  auditTurnScannedMax,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { AuditLog, EventFilter, LoggedEvent } from "../../store/embedded/audit/audit-log.ts";
import type { PageQuery } from "../../store/page.ts";
import type { Answer } from "../../exchange/exchange.ts";
import { manages } from "../keys-api/manager.ts";
import {
  maskedContent,
  plainContent,
  readReason,
  withheldContent,
  type ContentOwner,
  type ContentReader,
  type ContentServices,
  ownerOf,
} from "../readable-content.ts";
import { listAnswer, type PagePart } from "../list-page.ts";
import { jsonAnswer } from "../../exchange/refusal.ts";
import type { AuditCall } from "./endpoint.ts";
import { readFilter, type FilteredCall } from "./filter.ts";

/** `GET /v1/audit/events`. Errors: `invalid_request`. */
export async function listEvents(log: AuditLog, call: FilteredCall): Promise<Outcome<Answer>> {
  const filter = readFilter(call);
  if (!filter.ok) return filter;
  const page = readEventsPage(call);
  if (!page.ok) return page;
  const { limit, before } = page.value;
  const cursor = before === null ? null : String(before);
  return listAnswer({ limit, cursor }, partsOf(log, filter.value), {
    rowsPerStep: auditRowsPerStep,
  });
}

/** `limit` and `cursor` of a list of events. Errors: `invalid_request`. */
export function readEventsPage({ query }: Pick<FilteredCall, "query">): Outcome<{
  readonly limit: number;
  readonly before: number | null;
}> {
  const limit = readWhole(query, "limit", auditPageDefault);
  if (limit === null || limit < 1 || limit > auditPageMax) {
    return refuseParameter("limit", `limit must be a whole number from 1 to ${auditPageMax}.`);
  }
  const before = readWhole(query, "cursor", 0);
  if (before === null || (query.has("cursor") && before === 0)) {
    return refuseParameter("cursor", "cursor must be the nextCursor of the previous page.");
  }
  return accept({ limit, before: query.has("cursor") ? before : null });
}

/** The parts of a page: the events that pass, out of at most `auditPageScannedMax` events that are read. */
function partsOf(log: AuditLog, filter: EventFilter) {
  let scanned = 0;
  return ({ limit, cursor }: PageQuery): Outcome<PagePart<AuditEventRow>> => {
    const before = cursor === null ? null : Number(cursor);
    const part = log.list({ ...filter, limit, before, scannedMax: auditTurnScannedMax });
    scanned += part.scanned;
    return accept({
      items: part.events.map(shownEvent),
      nextCursor: part.nextCursor === null ? null : String(part.nextCursor),
      cost: part.scanned * auditScannedCost,
      endsPage: scanned >= auditPageScannedMax,
    });
  };
}

/** An event in the form in which it is shown. */
function shownEvent({ index, line }: LoggedEvent): AuditEventRow {
  const { event_type, message, org_id, request_id, data, created_at } = readEvent(line);
  return { index, event_type, message, org_id, request_id, data, created_at };
}

/**
 * The event that the path names, if the caller may see it. Errors: `not_found`, also for another
 * organization's event, so the caller can't tell the difference.
 */
export function eventOf(log: AuditLog, { auditor, index }: AuditCall): Outcome<LoggedEvent> {
  if (!wholePattern.test(index)) return noSuchEvent;
  const found = log.event(Number(index));
  if (!found.ok) return found;
  return manages(auditor, readEvent(found.value.line).org_id) ? found : noSuchEvent;
}

/**
 * `GET /v1/audit/events/{index}`: its content is masked; with a `reason` it is as it came, once its reading is durable
 * in the log. Errors: `invalid_request`, `not_found`, `internal_error` if the log can't be written.
 */
export async function showEvent(
  log: AuditLog,
  services: ContentServices,
  call: AuditCall,
  callId: string,
): Promise<Outcome<Answer>> {
  const { query, auditor } = call;
  const reason = query.has("reason") ? readReason(query.get("reason")) : accept(null);
  if (!reason.ok) return reason;
  const found = eventOf(log, call);
  if (!found.ok) return found;
  const by = reason.value === null ? null : { key: auditor.key, callId, reason: reason.value };
  const content = await contentOf(services, ownerOf(found.value), by);
  if (!content.ok) return content;
  const data = { ...shownEvent(found.value), content: content.value };
  return accept(jsonAnswer(JSON.stringify({ data })));
}

async function contentOf(
  services: ContentServices,
  owner: ContentOwner | null,
  reader: ContentReader | null,
): Promise<Outcome<AuditContent | null>> {
  if (owner === null) return accept(null);
  if (reader !== null) return plainContent(services, owner, reader);
  const masked = await maskedContent(services, owner);
  // The event is the log's, and is shown whatever becomes of its content.
  return masked.ok ? masked : withheldContent(services, owner);
}

/** `GET /v1/audit/events/{index}/proof`. Errors: `not_found`, `internal_error`. */
export async function proveEvent(log: AuditLog, call: AuditCall): Promise<Outcome<Answer>> {
  const found = eventOf(log, call);
  if (!found.ok) return found;
  const proof = await log.proof(found.value.index);
  if (!proof.ok) return proof;
  const { index, treeSize, leafData, leafHash, hashes, checkpoint } = proof.value;
  const body: AuditProof = {
    index,
    treeSize,
    leafData: Buffer.from(leafData).toString("base64"),
    leafHash: leafHash.toString("base64"),
    hashes: hashes.map((hash) => hash.toString("base64")),
    checkpoint,
  };
  return accept(jsonAnswer(JSON.stringify(body)));
}

const noSuchEvent = refuse("not_found", "There is no such event in the audit log.");
const wholePattern = /^(0|[1-9]\d{0,14})$/;

/** A parameter that is a whole number; `absent` if it is missing, null if it is anything else. */
export function readWhole(query: URLSearchParams, name: string, absent: number): number | null {
  const text = query.get(name);
  if (text === null) return absent;
  return wholePattern.test(text) ? Number(text) : null;
}
