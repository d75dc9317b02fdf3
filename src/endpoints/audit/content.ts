import { isUtf8 } from "node:buffer";
import type { AuditContent, StoredBody } from "../../contract/audit-api.ts";
import { readEvent } from "../../contract/audit.ts";
import { refuse, refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { LoggedEvent } from "../../store/embedded/audit/audit-log.ts";
import type { Content, KeptBody } from "../../store/embedded/content/content-rows.ts";
import type { Contents } from "../../store/embedded/content/contents.ts";
import type { Erasure } from "../../store/embedded/content/erasures.ts";
import type { Answer, Exchange } from "../../exchange/exchange.ts";
import type { AuditCall, AuditServices } from "./endpoint.ts";
import { eventOf } from "./events.ts";

/** The readable content of an event's request, while it is kept. Events of money and of changes have none. */
export function contentOfEvent(contents: Contents, { line }: LoggedEvent): AuditContent | null {
  const owner = ownerOf(line);
  const content = owner === null ? null : contents.read(owner.orgId, owner.requestId);
  return content === null ? null : shownContent(content);
}

interface Owner {
  readonly orgId: string;
  readonly requestId: string;
}

function ownerOf(line: string): Owner | null {
  const { event_type, org_id, request_id } = readEvent(line);
  const isOfRequest = /^(request|scan)\./.test(event_type);
  if (!isOfRequest || org_id === null || request_id === null) return null;
  return { orgId: org_id, requestId: request_id };
}

function shownContent({ request, response, salt }: Content): AuditContent {
  return { request: shownBody(request), response: shownBody(response), input_salt: salt };
}

function shownBody(body: KeptBody | null): StoredBody | null {
  if (body === null) return null;
  const truncated = body.bytes.length < body.length;
  const bytes = truncated ? wholeCharacters(body.bytes) : Buffer.from(body.bytes);
  const encoding = isUtf8(bytes) ? "utf8" : "base64";
  return { text: bytes.toString(encoding), encoding, bytes: body.length, truncated };
}

/** A cut may split a character; its remaining bytes are dropped. */
function wholeCharacters(bytes: Uint8Array): Buffer {
  for (let end = bytes.length; end > bytes.length - 4; end -= 1) {
    const cut = Buffer.from(bytes.subarray(0, end));
    if (isUtf8(cut)) return cut;
  }
  return Buffer.from(bytes);
}

type ErasureServices = Pick<AuditServices, "auditLog" | "erasures" | "forgetCached">;

/**
 * `DELETE /v1/audit/events/{index}/content`: erases the readable content of the event's request for good. The
 * event and its proof stay. Durable when answered. Errors: `not_found`, `internal_error`.
 */
export async function eraseEventContent(
  services: ErasureServices,
  call: AuditCall,
  exchange: Exchange,
): Promise<Outcome<Answer>> {
  const found = eventOf(services.auditLog, call);
  if (!found.ok) return found;
  const owner = ownerOf(found.value.line);
  if (owner === null) return refuse("not_found", "This event has no content.");
  return erase(services, call, exchange, { ...owner, index: found.value.index });
}

/**
 * `DELETE /v1/audit/content?orgId=`: erases all readable content of an organization's requests so far. If an
 * admin names no organization, it is the admin's own. Errors: `invalid_request` if an operator names none,
 * `internal_error`.
 */
export async function eraseOrganizationContent(
  services: ErasureServices,
  call: AuditCall,
  exchange: Exchange,
): Promise<Outcome<Answer>> {
  const { orgId } = call;
  if (orgId === null) return refuseParameter("orgId", "orgId must name an organization.");
  return erase(services, call, exchange, { orgId, requestId: null, index: null });
}

async function erase(
  { erasures, forgetCached }: ErasureServices,
  { auditor }: AuditCall,
  exchange: Exchange,
  what: Pick<Erasure, "orgId" | "requestId" | "index">,
): Promise<Outcome<Answer>> {
  // It is not known any more which request a cached answer belongs to, and who has got it since.
  forgetCached(what.orgId);
  const by = { id: exchange.requestId, byKeyId: auditor.key.id };
  const erased = await erasures.erase({ ...what, ...by });
  return erased.ok ? accept(noContent) : erased;
}

const noContent: Answer = { status: 204, headers: [], body: "" };
