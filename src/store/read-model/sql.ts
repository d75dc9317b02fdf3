import { INTEGER } from "@duckdb/node-api";
import { facetValuesMax } from "../../contract/limits.ts";
import { text, whereEvents, whereRecords, whole, type Bound, type Sql } from "./filter.ts";
import {
  facetNames,
  stepQuarters,
  type FacetName,
  type Grouping,
  type Metric,
  type Question,
} from "./question.ts";
import { recordColumns } from "./tables.ts";
import type { ZoneOffset } from "./zone.ts";

/*
 * Every statement. Names of columns come from the tables below; everything that a caller says is bound.
 */

type Of<Kind extends Question["kind"]> = Extract<Question, { readonly kind: Kind }>;

export const allColumns = recordColumns.map(({ name }) => name).join(", ");

export function recordsSql({ filter, before, limit }: Of<"records">): Sql {
  const more = before === null ? [] : [{ text: "idx < ?", values: [whole(before)] }];
  const { text: condition, values } = whereRecords(filter, more);
  return {
    text: `SELECT ${allColumns} FROM records${condition} ORDER BY idx DESC LIMIT ?`,
    values: [...values, whole(limit + 1)],
  };
}

/** The records of a request: a batch's item may have been tried again. The newest is the one that counts. */
export function recordOfSql({ requestId, filter }: Of<"lookup">): Sql {
  const { text: condition, values } = whereRecords(filter, [
    { text: "request_id = ?", values: [text(requestId)] },
  ]);
  return {
    text: `SELECT ${allColumns} FROM records${condition} ORDER BY idx DESC LIMIT 1`,
    values,
  };
}

/** The places of everything that the log has of a request. */
export function eventsOfRequestSql(requestId: string, orgId: string | null, limit: number): Sql {
  const org: Sql[] = orgId === null ? [] : [{ text: "org_id = ?", values: [text(orgId)] }];
  const more = [{ text: "request_id = ?", values: [text(requestId)] }, ...org];
  const [records, others] = [whereEvents("records", {}, more), whereEvents("others", {}, more)];
  return {
    text: `SELECT idx FROM (SELECT idx FROM records${records.text} UNION ALL SELECT idx FROM others${others.text}) ORDER BY idx LIMIT ?`,
    values: [...records.values, ...others.values, whole(limit)],
  };
}

export function eventsSql({ filter, before, limit }: Of<"events">): Sql {
  const more = before === null ? [] : [{ text: "idx < ?", values: [whole(before)] }];
  const [records, others] = [
    whereEvents("records", filter, more),
    whereEvents("others", filter, more),
  ];
  const newest = "ORDER BY idx DESC LIMIT ?";
  const most = whole(limit + 1);
  return {
    text:
      `SELECT idx FROM ((SELECT idx FROM records${records.text} ${newest}) UNION ALL ` +
      `(SELECT idx FROM others${others.text} ${newest})) ${newest}`,
    values: [...records.values, most, ...others.values, most, most],
  };
}

export function csvSql({ filter, first, end, limit }: Of<"csv">): Sql {
  const { text: condition, values } = whereEvents("records", filter, [
    { text: "idx >= ? AND idx < ?", values: [whole(first), whole(end)] },
  ]);
  return {
    text: `SELECT ${allColumns} FROM records${condition} ORDER BY idx LIMIT ?`,
    values: [...values, whole(limit + 1)],
  };
}

export function countSql({ filter, end }: Of<"count">): Sql {
  const { text: condition, values } = whereRecords(filter, [
    { text: "idx < ?", values: [whole(end)] },
  ]);
  return { text: `SELECT count(*) FROM records${condition}`, values };
}

export function exportSql({ filter, first, end }: Of<"export">): Sql {
  const { text: condition, values } = whereRecords(filter, [
    { text: "idx >= ? AND idx < ?", values: [whole(first), whole(end)] },
  ]);
  return { text: `SELECT ${allColumns} FROM records${condition} ORDER BY idx`, values };
}

const facetColumns: Readonly<Record<FacetName, string>> = {
  type: "type",
  route: "route",
  orgId: "org_id",
  key: "key_id",
  team: "team",
  model: "model",
  provider: "provider",
  account: "account",
  status: "status",
  http_status: "http_status",
  error_code: "error_code",
  verdict: "verdict",
  cost_status: "cost_status",
  cache: "cache",
};

/** Rows: the facet's number, the value, its count; the most frequent first. */
export function facetsSql({ filter }: Of<"facets">): Sql {
  const { text: condition, values } = whereRecords(filter);
  const columns = facetNames.map((name) => facetColumns[name]);
  const counted = facetNames.map(
    (name, i) =>
      `(SELECT ${i} AS facet, ${facetColumns[name]}::VARCHAR AS value, count(*) AS n FROM chosen ` +
      `WHERE ${facetColumns[name]} IS NOT NULL GROUP BY ALL ORDER BY n DESC, value LIMIT ${facetValuesMax})`,
  );
  return {
    text:
      `WITH chosen AS MATERIALIZED (SELECT ${columns.join(", ")} FROM records${condition}) ` +
      `SELECT facet, value, n FROM (${counted.join(" UNION ALL ")}) ORDER BY facet, n DESC, value`,
    values,
  };
}

const groupColumns: Readonly<Record<Grouping, string>> = {
  model: "model",
  provider: "provider",
  account: "account",
  key: "key_id",
  team: "team",
  tag: "unnest(tags)",
  error_code: "error_code",
  route: "route",
  org: "org_id",
  status: "status",
  verdict: "verdict",
};

const tokens =
  "CASE WHEN type = 'scan' THEN coalesce(billable, 0)::BIGINT ELSE coalesce(input, 0)::BIGINT + " +
  "coalesce(cache_read, 0) + coalesce(cache_write, 0) + coalesce(output, 0) + coalesce(reasoning, 0) END";
const shares = "[0.5, 0.95, 0.99]";

/** What a metric needs of a record, and what it makes of all. */
const metricSql: Readonly<Record<Metric, readonly [of: string, all: string]>> = {
  requests: ["1", "count(*)"],
  tokens: [tokens, "sum(x)"],
  cost_usd: ["cost", "sum(x)"],
  error_share: ["(status = 'failed')::INTEGER", "avg(x)"],
  blocked: ["(status = 'blocked')::INTEGER", "sum(x)"],
  cache_hits: ["(cache = 'hit')::INTEGER", "sum(x)"],
  latency_ms: ["latency", `quantile_cont(x, ${shares})`],
  first_byte_ms: ["first_byte", `quantile_cont(x, ${shares})`],
};

/**
 * Rows: the bucket (its first quarter, or the local day), the group, whether the group is all that are not among
 * the most frequent, the value.
 */
export function seriesSql(question: Of<"series">, offsets: readonly ZoneOffset[]): Sql {
  const { filter, metric, groupBy, groupsMax, step } = question;
  const [of, all] = metricSql[metric];
  const { text: condition, values } = whereRecords(filter);
  const bucket = bucketSql(offsets, stepQuarters[step], step === "1d");
  const group = groupBy === null ? "NULL::VARCHAR" : groupColumns[groupBy];
  const chosen = {
    text: `SELECT ${bucket.text} AS b, ${group} AS g, ${of} AS x FROM records${condition}`,
    values: [...bucket.values, ...values],
  };
  if (groupBy === null) {
    return {
      text: `SELECT b, g, false, ${all} FROM (${chosen.text}) GROUP BY b, g ORDER BY b`,
      values: chosen.values,
    };
  }
  return {
    text:
      `WITH chosen AS NOT MATERIALIZED (${chosen.text}), ` +
      `top AS (SELECT g AS tg FROM chosen GROUP BY g ORDER BY count(*) DESC, g LIMIT ?), ` +
      `named AS (SELECT b, CASE WHEN o THEN NULL ELSE g END AS g, o, x FROM ` +
      `(SELECT b, g, x, NOT EXISTS (SELECT 1 FROM top WHERE tg IS NOT DISTINCT FROM g) AS o FROM chosen)) ` +
      `SELECT b, g, o, ${all} FROM named GROUP BY b, g, o ORDER BY b, o, g`,
    values: [...chosen.values, whole(groupsMax)],
  };
}

/** Of a day: the number of the local day; else the step's first quarter, told apart where clocks go back. */
function bucketSql(offsets: readonly ZoneOffset[], quarters: number, isDay: boolean): Sql {
  const { text: ahead, values } = aheadSql(offsets);
  const step = { value: quarters, type: INTEGER };
  if (isDay) return { text: `(quarter + ${ahead}) // ?`, values: [...values, step] };
  return {
    text: `((quarter + ${ahead}) // ?) * ? - ${ahead}`,
    values: [...values, step, step, ...values],
  };
}

function aheadSql(offsets: readonly ZoneOffset[]): Sql {
  const [first, ...later] = offsets;
  const integer = (value: number): Bound => ({ value, type: INTEGER });
  if (later.length === 0) return { text: "?::INTEGER", values: [integer(first?.ahead ?? 0)] };
  const cases = later.toReversed().map(() => "WHEN quarter >= ? THEN ?");
  return {
    text: `(CASE ${cases.join(" ")} ELSE ? END)`,
    values: [
      ...later.toReversed().flatMap(({ from, ahead }) => [integer(from), integer(ahead)]),
      integer(first?.ahead ?? 0),
    ],
  };
}

/** Rows: the group, whether it is a rest, and its numbers; then one row of all, whose group is a total. */
export function breakdownSql({ filter, groupBy, groupsMax }: Of<"breakdown">): Sql {
  const { text: condition, values } = whereRecords(filter);
  const numbers =
    "count(*) AS n, count(*) FILTER (status = 'failed'), count(*) FILTER (status = 'blocked'), " +
    `sum(t), sum(cost), quantile_cont(latency, ${shares})`;
  return {
    text:
      `WITH chosen AS NOT MATERIALIZED (SELECT ${groupColumns[groupBy]} AS g, status, ${tokens} AS t, cost, latency ` +
      `FROM records${condition}), ` +
      "top AS (SELECT g AS tg FROM chosen GROUP BY g ORDER BY count(*) DESC, g LIMIT ?), " +
      "named AS (SELECT CASE WHEN o THEN NULL ELSE g END AS g, o, status, t, cost, latency FROM " +
      "(SELECT *, NOT EXISTS (SELECT 1 FROM top WHERE tg IS NOT DISTINCT FROM g) AS o FROM chosen)) " +
      `SELECT g, o, ${numbers} FROM named GROUP BY g, o ORDER BY o, n DESC, g`,
    values: [...values, whole(groupsMax)],
  };
}
