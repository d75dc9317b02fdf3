import { asking, type RecordsEndpoint, type RecordsServices } from "./endpoint.ts";
import type { BodyUse } from "../keys-api/endpoint.ts";
import type { ContentServices } from "../readable-content.ts";
import type { ExportJobs } from "./export-jobs.ts";
import { DownloadTickets } from "./download-tickets.ts";
import {
  createExport,
  downloadExport,
  listExports,
  removeExport,
  showExport,
  ticketExport,
  withTicket,
} from "./exports.ts";
import type { LiveTails } from "./live-tails.ts";
import { recordParameters } from "./parameters.ts";
import { showContent, unmaskContent } from "./content.ts";
import { receiptOfRecord, type PriceSources } from "./receipt.ts";
import { countFacets, listRecords, lookUpRecord } from "./records.ts";
import { usageBreakdown, usageSeries } from "./usage.ts";

type Table = Readonly<Record<string, Readonly<Record<string, ReturnType<typeof asking>>>>>;

/** Every endpoint of records and usage by path and method, on the keys API's listener. */
export function recordsRoutes(
  services: RecordsServices & ContentServices & { readonly prices: PriceSources },
  exports: ExportJobs,
  tails: LiveTails,
): Table {
  const find = services.findOrganization;
  const on = (parameters: readonly string[], endpoint: RecordsEndpoint, bodyUse?: BodyUse) =>
    asking(services, parameters, endpoint, bodyUse);
  const tickets = new DownloadTickets();
  const base = "/api/v1/gateway";
  const grouped = [...recordParameters, "group_by", "groups"];
  return {
    [`${base}/records`]: {
      GET: on([...recordParameters, "limit", "cursor"], (call) => listRecords(call, find)),
    },
    [`${base}/records/lookup`]: {
      GET: on(["request_id"], (call) => lookUpRecord(call, services.unowned)),
    },
    [`${base}/records/receipt`]: {
      GET: on(["request_id"], (call) => receiptOfRecord(call, services.prices)),
    },
    [`${base}/records/facets`]: { GET: on(recordParameters, (call) => countFacets(call, find)) },
    [`${base}/records/stream`]: {
      GET: on(recordParameters, (call, exchange) => tails.open(call, exchange, find)),
    },
    [`${base}/records/content`]: {
      GET: on(["request_id"], (call) => showContent(call, services)),
    },
    [`${base}/records/content/unmask`]: {
      POST: on([], (call, exchange) => unmaskContent(call, exchange, services), "required"),
    },
    [`${base}/exports`]: {
      POST: on([], (call) => createExport(call, exports, find), "required"),
      GET: on([], (call) => listExports(call, exports)),
    },
    [`${base}/exports/:id`]: {
      GET: on([], (call) => showExport(call, exports)),
      DELETE: on([], (call) => removeExport(call, exports)),
    },
    [`${base}/exports/:id/file`]: {
      GET: asking(
        services,
        ["ticket"],
        (call, exchange) => downloadExport(call, exchange, exports),
        "none",
        ({ head }, id) => withTicket(head, id, tickets),
      ),
    },
    [`${base}/exports/:id/tickets`]: {
      POST: on([], (call, exchange) => ticketExport(call, exchange, exports, tickets)),
    },
    [`${base}/usage/series`]: {
      GET: on([...grouped, "metric", "step", "tz"], (call) => usageSeries(call, find)),
    },
    [`${base}/usage/breakdown`]: { GET: on(grouped, (call) => usageBreakdown(call, find)) },
  };
}
