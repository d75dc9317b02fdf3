import { asking, type RecordsEndpoint, type RecordsServices } from "./endpoint.ts";
import type { BodyUse } from "../keys-api/endpoint.ts";
import type { ExportJobs } from "./export-jobs.ts";
import { createExport, downloadExport, listExports, removeExport, showExport } from "./exports.ts";
import { recordParameters } from "./parameters.ts";
import { countFacets, listRecords, lookUpRecord } from "./records.ts";
import { usageBreakdown, usageSeries } from "./usage.ts";

type Table = Readonly<Record<string, Readonly<Record<string, ReturnType<typeof asking>>>>>;

/** Every endpoint of records and usage by path and method, on the keys API's listener. */
export function recordsRoutes(services: RecordsServices, exports: ExportJobs): Table {
  const find = services.findOrganization;
  const on = (parameters: readonly string[], endpoint: RecordsEndpoint, bodyUse?: BodyUse) =>
    asking(services, parameters, endpoint, bodyUse);
  const base = "/api/v1/gateway";
  const grouped = [...recordParameters, "group_by", "groups"];
  return {
    [`${base}/records`]: {
      GET: on([...recordParameters, "limit", "cursor"], (call) => listRecords(call, find)),
    },
    [`${base}/records/lookup`]: {
      GET: on(["request_id"], (call) => lookUpRecord(call, services.unowned)),
    },
    [`${base}/records/facets`]: { GET: on(recordParameters, (call) => countFacets(call, find)) },
    [`${base}/exports`]: {
      POST: on([], (call) => createExport(call, exports, find), "required"),
      GET: on([], (call) => listExports(call, exports)),
    },
    [`${base}/exports/:id`]: {
      GET: on([], (call) => showExport(call, exports)),
      DELETE: on([], (call) => removeExport(call, exports)),
    },
    [`${base}/exports/:id/file`]: {
      GET: on([], (call, exchange) => downloadExport(call, exchange, exports)),
    },
    [`${base}/usage/series`]: {
      GET: on([...grouped, "metric", "step", "tz"], (call) => usageSeries(call, find)),
    },
    [`${base}/usage/breakdown`]: { GET: on(grouped, (call) => usageBreakdown(call, find)) },
  };
}
