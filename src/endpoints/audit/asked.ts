import { recordsCsvRows } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Answer } from "../../exchange/exchange.ts";
import { jsonAnswer } from "../../exchange/refusal.ts";
import type { LoggedEventFilter } from "../../store/read-model/filter.ts";
import { downloadHeaders, streamAsked, type DownloadExchange } from "../csv.ts";
import type { RecordsCall } from "../records/endpoint.ts";
import { readEventsPage } from "./events.ts";
import { filterParameters, readFilter, type FilteredCall } from "./filter.ts";
import { recordColumns } from "./record-csv.ts";
import { csvLine } from "../../contract/csv.ts";

type Ask = RecordsCall["ask"];

/** Whether a list shows less than the whole log. Such a list is the read model's. */
export function isFiltered({ query, orgId }: FilteredCall): boolean {
  return orgId !== null || filterParameters.some((name) => query.has(name));
}

/** `GET /v1/audit/events` with a filter. Errors: `invalid_request`, `records_unavailable`. */
export async function listAskedEvents(ask: Ask, call: FilteredCall): Promise<Outcome<Answer>> {
  const filter = readAskedFilter(call);
  if (!filter.ok) return filter;
  const page = readEventsPage(call);
  if (!page.ok) return page;
  const answer = await ask({ kind: "events", filter: filter.value, ...page.value });
  if (!answer.ok) return answer;
  const { rows, next } = answer.value;
  const nextCursor = next === null ? null : String(next);
  return accept(jsonAnswer(`{"data":[${rows}],"nextCursor":${JSON.stringify(nextCursor)}}`));
}

/**
 * `GET /v1/audit/export.csv` with a filter: as many questions as it takes, each with its turn among others.
 * Errors: `invalid_request`, `records_unavailable`.
 */
export async function exportAskedCsv(
  ask: Ask,
  size: number,
  call: FilteredCall,
  exchange: DownloadExchange,
): Promise<Outcome<null>> {
  const filter = readAskedFilter(call);
  if (!filter.ok) return filter;
  const part = (first: number) =>
    ask({ kind: "csv", filter: filter.value, first, end: size, limit: recordsCsvRows });
  const first = await part(0);
  if (!first.ok) return first;
  let [text, next] = [csvLine(recordColumns) + first.value.text, first.value.next];
  let isOver = false;
  await streamAsked(exchange, downloadHeaders("text/csv; charset=utf-8", "audit.csv"), async () => {
    if (isOver) return null;
    const page = text;
    if (next === null) {
      isOver = true;
      return page;
    }
    const more = await part(next);
    // The client sees that the file is not whole.
    if (!more.ok) return "cut";
    ({ text, next } = more.value);
    return page;
  });
  return accept(null);
}

function readAskedFilter(call: FilteredCall): Outcome<LoggedEventFilter> {
  const read = readFilter(call);
  if (!read.ok) return read;
  const { since, until } = read.value;
  const wanted: Partial<Record<(typeof members)[number][1] | "orgId", string>> = {};
  for (const [name, member] of members) {
    const value = call.query.get(name);
    if (value !== null) wanted[member] = value;
  }
  if (call.orgId !== null) wanted.orgId = call.orgId;
  return accept({
    ...wanted,
    ...(since === null ? {} : { sinceMs: Date.parse(since) }),
    ...(until === null ? {} : { untilMs: Date.parse(until) }),
  });
}

const members = [
  ["event_type", "eventType"],
  ["type", "type"],
  ["key", "key"],
  ["model", "model"],
  ["verdict", "verdict"],
  ["request_id", "requestId"],
] as const;
