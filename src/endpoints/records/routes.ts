import { asking, type RecordsEndpoint, type RecordsServices } from "./endpoint.ts";
import { recordParameters } from "./parameters.ts";
import { countFacets, listRecords, lookUpRecord } from "./records.ts";
import { usageBreakdown, usageSeries } from "./usage.ts";

type Table = Readonly<Record<string, Readonly<Record<string, ReturnType<typeof asking>>>>>;

/** Every endpoint of records and usage by path and method, on the keys API's listener. */
export function recordsRoutes(services: RecordsServices): Table {
  const find = services.findOrganization;
  const on = (parameters: readonly string[], endpoint: RecordsEndpoint) =>
    asking(services, parameters, endpoint);
  const base = "/api/v1/gateway";
  const grouped = [...recordParameters, "group_by", "groups"];
  return {
    [`${base}/records`]: {
      GET: on([...recordParameters, "limit", "cursor"], (call) => listRecords(call, find)),
    },
    [`${base}/records/lookup`]: { GET: on(["request_id"], lookUpRecord) },
    [`${base}/records/facets`]: { GET: on(recordParameters, (call) => countFacets(call, find)) },
    [`${base}/usage/series`]: {
      GET: on([...grouped, "metric", "step", "tz"], (call) => usageSeries(call, find)),
    },
    [`${base}/usage/breakdown`]: { GET: on(grouped, (call) => usageBreakdown(call, find)) },
  };
}
