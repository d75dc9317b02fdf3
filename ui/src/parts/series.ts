import { gatewayPath, withQuery } from "../api.ts";
import { useData, type Data, type Loaded } from "../data.ts";
import type { SeriesRow } from "../records.ts";
import type { Step } from "./chart.tsx";
import type { Range } from "./range.ts";

type Series = Loaded<Data<readonly SeriesRow[]>>;

/** A metric over the range. */
export function useSeries(
  metric: string,
  { since, until, step, tz }: Range,
  more: Readonly<Record<string, string>> = {},
): Series {
  const query = { ...more, metric, since, until, step, tz };
  return useData(withQuery(`${gatewayPath}/usage/series`, query));
}

/** Steps with one number each. */
export function singleSteps({ value }: Series): readonly Step[] {
  return (value?.data ?? []).map((row) => ({
    start: row.start,
    values: [row.value === undefined ? null : Number(row.value)],
  }));
}

export const shareNames = ["p50", "p95", "p99"] as const;

/** Steps with percentiles. */
export function shareSteps({ value }: Series): readonly Step[] {
  return (value?.data ?? []).map((row) => ({
    start: row.start,
    values: shareNames.map((name) => row[name] ?? null),
  }));
}

/** Steps with a number for each of some groups; several series are added. */
export function groupSteps(
  groups: readonly string[],
  ...series: readonly Series[]
): readonly Step[] {
  const steps = new Map<string, number[]>();
  for (const { start, group, value } of series.flatMap((one) => one.value?.data ?? [])) {
    const values = steps.get(start) ?? groups.map(() => 0);
    steps.set(start, values);
    const place = groups.indexOf(group ?? "");
    if (place >= 0) values[place] = (values[place] ?? 0) + Number(value ?? 0);
  }
  return [...steps]
    .map(([start, values]) => ({ start, values }))
    .sort((a, b) => (a.start < b.start ? -1 : 1));
}
