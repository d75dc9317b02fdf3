import type { AuditContent } from "../../contract/audit-api.ts";
import { refuse, refuseParameter } from "../../contract/errors.ts";
import { idCharsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { RecordContent } from "../../contract/records-api.ts";
import type { Answer, Exchange } from "../../exchange/exchange.ts";
import {
  maskedContent,
  plainContent,
  readReason,
  type ContentOwner,
  type ContentServices,
} from "../readable-content.ts";
import { fresh, type RecordsCall } from "./endpoint.ts";
import { checkMembers } from "./parameters.ts";

/**
 * `GET /records/content?request_id=`: what is readable of a request, masked. Errors: `invalid_request`, `forbidden`
 * for a viewer and a member, `not_found`, `records_unavailable`, `detector_unavailable`.
 */
export async function showContent(
  call: RecordsCall,
  services: ContentServices,
): Promise<Outcome<Answer>> {
  const owner = await ownerOf(call, call.query.get("request_id"));
  if (!owner.ok) return owner;
  const content = await maskedContent(services, owner.value);
  return content.ok ? shown(owner.value, content.value) : content;
}

/**
 * `POST /records/content/unmask`: the same as it came, once its reading is durable in the audit log. Errors: as
 * `showContent`, `internal_error` if the log can't be written.
 */
export async function unmaskContent(
  call: RecordsCall,
  exchange: Exchange,
  services: ContentServices,
): Promise<Outcome<Answer>> {
  const { body, reader } = call;
  const known = checkMembers(body, ["request_id", "reason"]);
  if (!known.ok) return known;
  const permitted = mayRead(call);
  if (!permitted.ok) return permitted;
  const reason = readReason(body["reason"]);
  if (!reason.ok) return reason;
  const owner = await ownerOf(call, body["request_id"]);
  if (!owner.ok) return owner;
  const by = { key: reader.key, callId: exchange.requestId, reason: reason.value };
  const content = await plainContent(services, owner.value, by);
  return content.ok ? shown(owner.value, content.value) : content;
}

function mayRead({ reader }: RecordsCall): Outcome<null> {
  const { role } = reader.key;
  return role === "operator" || role === "admin" ? accept(null) : notForThem;
}

async function ownerOf(call: RecordsCall, requestId: unknown): Promise<Outcome<ContentOwner>> {
  const permitted = mayRead(call);
  if (!permitted.ok) return permitted;
  if (typeof requestId !== "string" || requestId === "" || requestId.length > idCharsMax) {
    return refuseParameter("request_id", "request_id must be the id of a request.");
  }
  const { reader, ask } = call;
  const filter = reader.orgId === null ? {} : { orgId: reader.orgId };
  const place = await ask({ kind: "place", requestId, filter });
  if (!place.ok) return place;
  return place.value === null ? noSuchRequest : accept({ ...place.value, requestId });
}

function shown(
  { requestId, index, orgId }: ContentOwner,
  content: AuditContent | null,
): Outcome<Answer> {
  const data: RecordContent = { request_id: requestId, index, org_id: orgId, content };
  return fresh(JSON.stringify({ data }));
}

const notForThem = refuse(
  "forbidden",
  "Readable content is for operator keys and for keys with the role admin.",
);
const noSuchRequest = refuse("not_found", "There is no such request.", {
  details: { param: "request_id" },
});
