import { refuse, refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Erasure } from "../../store/content/erasures.ts";
import type { Answer, Exchange } from "../../exchange/exchange.ts";
import { ownerOf } from "../readable-content.ts";
import type { AuditCall, AuditServices } from "./endpoint.ts";
import { eventOf } from "./events.ts";

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
  const owner = ownerOf(found.value);
  if (owner === null) return refuse("not_found", "This event has no content.");
  return erase(services, call, exchange, owner);
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
  const { requestId } = exchange;
  const keyId = auditor.key.id;
  const forgotten = await forgetCached(what.orgId, { requestId, keyId });
  if (!forgotten.ok) return forgotten;
  const erased = await erasures.erase({ ...what, id: requestId, byKeyId: keyId });
  return erased.ok ? accept(noContent) : erased;
}

const noContent: Answer = { status: 204, headers: [], body: "" };
