import { refuseParameter } from "../../contract/errors.ts";
import {
  usageBreakdownGroupsDefault,
  usageBreakdownGroupsMax,
  usageQuarterMs,
  usageRangeMsDefault,
  usageSeriesGroupsDefault,
  usageSeriesGroupsMax,
  usageStepsMax,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Answer } from "../../exchange/exchange.ts";
import type { RecordFilter } from "../../store/read-model/filter.ts";
import {
  groupings,
  metrics,
  stepQuarters,
  type SeriesStep,
} from "../../store/read-model/question.ts";
import { isZone } from "../../store/read-model/zone.ts";
import type { FindOrganization } from "../keys-api/scope.ts";
import { fresh, type RecordsCall } from "./endpoint.ts";
import { readCount, readFilter, readWord } from "./parameters.ts";

const steps = Object.keys(stepQuarters) as SeriesStep[];

/** `GET /usage/series`. Errors: `invalid_request`, `not_found`, `records_unavailable`. */
export async function usageSeries(
  call: RecordsCall,
  find: FindOrganization,
): Promise<Outcome<Answer>> {
  const { query, ask } = call;
  const filter = usageFilter(call, find);
  if (!filter.ok) return filter;
  const metric = readWord(query, "metric", metrics, "requests");
  if (!metric.ok) return metric;
  const step = readWord(query, "step", steps, "1h");
  if (!step.ok) return step;
  const groupBy = query.has("group_by")
    ? readWord(query, "group_by", groupings, null)
    : accept(null);
  if (!groupBy.ok) return groupBy;
  const groupsMax = readCount(query, "groups", usageSeriesGroupsMax, usageSeriesGroupsDefault);
  if (!groupsMax.ok) return groupsMax;
  const zone = query.get("tz") ?? "UTC";
  if (!isZone(zone)) {
    return refuseParameter("tz", "tz must be the name of a time zone such as Europe/Berlin.");
  }
  const { sinceMs, untilMs } = filter.value;
  if (untilMs - sinceMs > usageStepsMax * stepQuarters[step.value] * usageQuarterMs) {
    return refuseParameter(
      "step",
      `A series has ${usageStepsMax} steps at most: take longer steps.`,
    );
  }
  const series = await ask({
    kind: "series",
    filter: filter.value,
    metric: metric.value,
    groupBy: groupBy.value,
    groupsMax: groupsMax.value,
    step: step.value,
    zone,
  });
  return series.ok ? fresh(`{"data":${series.value}}`) : series;
}

/** `GET /usage/breakdown`. Errors: as `usageSeries`. */
export async function usageBreakdown(
  call: RecordsCall,
  find: FindOrganization,
): Promise<Outcome<Answer>> {
  const { query, ask } = call;
  const filter = usageFilter(call, find);
  if (!filter.ok) return filter;
  const groupBy = readWord(query, "group_by", groupings, null);
  if (!groupBy.ok) return groupBy;
  const groupsMax = readCount(
    query,
    "groups",
    usageBreakdownGroupsMax,
    usageBreakdownGroupsDefault,
  );
  if (!groupsMax.ok) return groupsMax;
  const breakdown = await ask({
    kind: "breakdown",
    filter: filter.value,
    groupBy: groupBy.value,
    groupsMax: groupsMax.value,
  });
  return breakdown.ok ? fresh(`{"data":${breakdown.value}}`) : breakdown;
}

/** Model requests of the last day, unless it is said otherwise: scans are no model requests (spec: What the service does 4). */
function usageFilter(
  { query, reader }: RecordsCall,
  find: FindOrganization,
): Outcome<RecordFilter & { readonly sinceMs: number; readonly untilMs: number }> {
  const filter = readFilter(query, reader, find);
  if (!filter.ok) return filter;
  const { untilMs = Date.now(), type = "request" } = filter.value;
  const { sinceMs = untilMs - usageRangeMsDefault } = filter.value;
  if (sinceMs >= untilMs) return refuseParameter("until", "until must be after since.");
  return accept({ ...filter.value, sinceMs, untilMs, type });
}
