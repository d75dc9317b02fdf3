import { hash } from "node:crypto";
import { refuse, refuseParameter } from "../../contract/errors.ts";
import { idCharsMax, recordsPageDefault, recordsPageMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Answer } from "../../exchange/exchange.ts";
import type { RecordFilter } from "../../store/read-model/filter.ts";
import type { UnownedResponses } from "../../pipeline/record/unowned-responses.ts";
import type { FindOrganization } from "../keys-api/scope.ts";
import { fresh, type RecordsCall } from "./endpoint.ts";
import { readCount, readFilter } from "./parameters.ts";

/** `GET /records`. Errors: `invalid_request`, `not_found`, `records_unavailable`. */
export async function listRecords(
  { query, reader, ask }: RecordsCall,
  find: FindOrganization,
): Promise<Outcome<Answer>> {
  const filter = readFilter(query, reader, find);
  if (!filter.ok) return filter;
  const limit = readCount(query, "limit", recordsPageMax, recordsPageDefault);
  if (!limit.ok) return limit;
  const before = readCursor(query, filter.value);
  if (!before.ok) return before;
  const page = await ask({
    kind: "records",
    filter: filter.value,
    before: before.value,
    limit: limit.value,
  });
  if (!page.ok) return page;
  const { rows, next } = page.value;
  const nextCursor = next === null ? null : `${next}-${markOf(filter.value)}`;
  return fresh(`{"data":[${rows}],"nextCursor":${JSON.stringify(nextCursor)}}`);
}

/** The place before which a page begins, with a mark of its query: another one would skip or repeat rows. */
function readCursor(query: URLSearchParams, filter: RecordFilter): Outcome<number | null> {
  const cursor = query.get("cursor");
  if (cursor === null) return accept(null);
  const [, place, mark] = /^(\d{1,15})-([0-9a-f]{16})$/.exec(cursor) ?? [];
  if (place !== undefined && mark === markOf(filter)) return accept(Number(place));
  return refuseParameter("cursor", "cursor must be the nextCursor of a page of the same query.");
}

function markOf(filter: RecordFilter): string {
  const members = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  return hash("sha256", JSON.stringify(members.toSorted()), "hex").slice(0, 16);
}

/** `GET /records/lookup?request_id=`. Errors: `invalid_request`, `not_found`, `records_unavailable`. */
export async function lookUpRecord(
  call: RecordsCall,
  unowned: Pick<UnownedResponses, "find">,
): Promise<Outcome<Answer>> {
  const requestId = call.query.get("request_id") ?? "";
  const response = call.reader.orgId === null ? unowned.find(requestId) : null;
  if (response !== null) {
    return fresh(JSON.stringify({ data: { record: null, response, events: [] } }));
  }
  const found = await lookUp(call);
  return found.ok ? fresh(`{"data":${found.value}}`) : found;
}

/** The JSON of a record with its events, within what its reader may see. Errors: as `lookUpRecord`. */
export async function lookUp({ query, reader, ask }: RecordsCall): Promise<Outcome<string>> {
  const requestId = query.get("request_id") ?? "";
  if (requestId === "" || requestId.length > idCharsMax) {
    return refuseParameter("request_id", "request_id must be the id of a request.");
  }
  const filter = {
    ...(reader.orgId === null ? {} : { orgId: reader.orgId }),
    ...(reader.keyId === null ? {} : { key: reader.keyId }),
  };
  const found = await ask({ kind: "lookup", requestId, filter });
  if (!found.ok) return found;
  return found.value === null ? noSuchRequest : accept(found.value);
}

const noSuchRequest = refuse("not_found", "There is no such request.", {
  details: { param: "request_id" },
});

/** `GET /records/facets`. Errors: `invalid_request`, `not_found`, `records_unavailable`. */
export async function countFacets(
  { query, reader, ask }: RecordsCall,
  find: FindOrganization,
): Promise<Outcome<Answer>> {
  const filter = readFilter(query, reader, find);
  if (!filter.ok) return filter;
  const facets = await ask({ kind: "facets", filter: filter.value });
  return facets.ok ? fresh(`{"data":${facets.value}}`) : facets;
}
