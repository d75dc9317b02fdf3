import { open } from "node:fs/promises";
import { refuse, refuseParameter } from "../../contract/errors.ts";
import { downloadTicketMs, exportDownloadBytes } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { CreateExport, type Export } from "../../contract/records-api.ts";
import { SchemaReader } from "../../contract/schema-reader.ts";
import { header, type Answer, type Exchange, type RequestHead } from "../../exchange/exchange.ts";
import { readBearer } from "../../pipeline/caller/credential-slots.ts";
import { exportIdPattern } from "../../store/read-model/question.ts";
import { downloadHeaders } from "../csv.ts";
import { noContent } from "../keys-api/endpoint.ts";
import type { FindOrganization } from "../keys-api/scope.ts";
import { fresh, type RecordsCall } from "./endpoint.ts";
import type { DownloadTickets } from "./download-tickets.ts";
import type { ExportJobs } from "./export-jobs.ts";
import { checkNames, readFilter, recordParameters } from "./parameters.ts";

const createBody = new SchemaReader(CreateExport);

/** `POST /exports`. Errors: `invalid_request`, `forbidden` for a member, `not_found`, `records_unavailable`. */
export function createExport(
  { reader, body }: RecordsCall,
  jobs: ExportJobs,
  find: FindOrganization,
): Outcome<Answer> {
  if (reader.keyId !== null) return noMembers;
  const read = createBody.read(body);
  if (!read.ok) return read;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(read.value.filter ?? {})) {
    if (typeof value !== "string" && typeof value !== "number") {
      return refuseParameter("filter", "filter must have texts and numbers.");
    }
    query.set(name, String(value));
  }
  const known = checkNames(query, recordParameters);
  if (!known.ok) return known;
  const filter = readFilter(query, reader, find);
  if (!filter.ok) return filter;
  const created = jobs.create(reader.orgId, filter.value);
  return created.ok ? shown(created.value, 202) : created;
}

/** `GET /exports`. Errors: `forbidden`. */
export function listExports({ reader }: RecordsCall, jobs: ExportJobs): Outcome<Answer> {
  if (reader.keyId !== null) return noMembers;
  return fresh(JSON.stringify({ data: jobs.list(reader.orgId), nextCursor: null }));
}

/** `GET /exports/:id`. Errors: `forbidden`, `not_found`. */
export function showExport({ reader, id }: RecordsCall, jobs: ExportJobs): Outcome<Answer> {
  if (reader.keyId !== null) return noMembers;
  const found = exportIdPattern.test(id) ? jobs.get(reader.orgId, id) : noExport;
  return found.ok ? shown(found.value, 200) : found;
}

/** `DELETE /exports/:id`: cancels it, or removes it with its file. Errors: `forbidden`, `not_found`. */
export function removeExport({ reader, id }: RecordsCall, jobs: ExportJobs): Outcome<Answer> {
  if (reader.keyId !== null) return noMembers;
  const removed = exportIdPattern.test(id) ? jobs.remove(reader.orgId, id) : noExport;
  return removed.ok ? accept(noContent) : removed;
}

/** `POST /exports/:id/tickets`. Errors: those of `downloadExport`. */
export function ticketExport(
  { reader, id }: RecordsCall,
  { head }: Pick<Exchange, "head">,
  jobs: ExportJobs,
  tickets: DownloadTickets,
): Outcome<Answer> {
  if (reader.keyId !== null) return noMembers;
  const path = exportIdPattern.test(id) ? jobs.file(reader.orgId, id) : noExport;
  if (!path.ok) return path;
  const credential = readBearer(head.headers);
  if (!credential.ok) return credential;
  const ticket = tickets.issue(id, credential.value ?? "");
  const expiresAt = new Date(Date.now() + downloadTicketMs).toISOString();
  const body = JSON.stringify({ data: { ticket, expiresAt } });
  return accept({ status: 201, headers: jsonHeaders, body });
}

/** The head of a download with the credential behind its ticket. A ticket is used up even beside a credential. */
export function withTicket(head: RequestHead, id: string, tickets: DownloadTickets): RequestHead {
  const ticket = new URLSearchParams(head.query).get("ticket");
  const credential = ticket === null ? null : tickets.take(id, ticket);
  if (credential === null || header(head.headers, "authorization") !== undefined) return head;
  return { ...head, headers: [...head.headers, "authorization", `Bearer ${credential}`] };
}

/** `GET /exports/:id/file`. Errors: `forbidden`, `not_found`. */
export async function downloadExport(
  { reader, id }: RecordsCall,
  exchange: Exchange,
  jobs: ExportJobs,
): Promise<Outcome<null>> {
  if (reader.keyId !== null) return noMembers;
  const path = exportIdPattern.test(id) ? jobs.file(reader.orgId, id) : noExport;
  if (!path.ok) return path;
  const file = await open(path.value, "r");
  try {
    let drained: (() => void) | null = null;
    const proceed = (): void => drained?.();
    exchange.onDrained(proceed);
    exchange.onGone(proceed);
    exchange.begin(200, [
      ...downloadHeaders("text/csv; charset=utf-8", `records-${id}.csv`),
      ...["Cache-Control", "no-store"],
    ]);
    const isOpen = (): boolean => exchange.state === "streaming";
    while (isOpen() && exchange.head.method !== "HEAD") {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(exportDownloadBytes));
      if (bytesRead === 0 || !isOpen()) break;
      if (exchange.write(buffer.subarray(0, bytesRead))) continue;
      await new Promise<void>((resolve) => (drained = resolve));
    }
    exchange.end();
  } finally {
    await file.close();
  }
  return accept(null);
}

function shown(one: Export, status: 200 | 202): Outcome<Answer> {
  return accept({ status, headers: jsonHeaders, body: JSON.stringify({ data: one }) });
}

const jsonHeaders = ["Content-Type", "application/json", "Cache-Control", "no-store"];

const noMembers = refuse("forbidden", "Exports are for operators, admins and viewers.");
const noExport = refuse("not_found", "There is no such export.");
