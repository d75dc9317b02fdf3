import { INTEGER, UINTEGER } from "@duckdb/node-api";
import { facetValuesMax } from "../../contract/limits.ts";
import { csvLineSql } from "./csv-sql.ts";
import { csvColumns, exportColumns } from "./export-columns.ts";
import { text, whereEvents, whereRecords, whole, type Bound, type Sql } from "./filter.ts";
import {
  facetNames,
  stepQuarters,
  type FacetName,
  type Grouping,
  type Metric,
  type Question,
} from "./question.ts";
import { requestHash } from "./record-row.ts";
import type { ZoneOffset } from "./zone.ts";

/*
 * Every statement. Names of columns come from the tables below; everything that a caller says is bound.
 */

type Of<Kind extends Question["kind"]> = Extract<Question, { readonly kind: Kind }>;

/** Rows: the places of the newest records, one more than the page has. */
export function recordsSql({ filter, before, limit }: Of<"records">): Sql {
  const { text: condition, values } = whereRecords(filter, below(before));
  return {
    text: `SELECT idx FROM records${condition} ORDER BY idx DESC LIMIT ?`,
    values: [...values, whole(limit + 1)],
  };
}

function below(before: number | null): readonly Sql[] {
  return before === null ? [] : [{ text: "idx < ?", values: [whole(before)] }];
}

/**
 * One row: the place of a request's record, and whose it is. A batch's item may have been tried again: the newest
 * record is the one that counts.
 */
export function recordOfSql({ requestId, filter }: Of<"lookup" | "place">): Sql {
  const { text: condition, values } = whereRecords(filter, [isRequest(requestId)]);
  return {
    text: `SELECT idx, org_id FROM records${condition} ORDER BY idx DESC LIMIT 1`,
    values,
  };
}

function isRequest(id: string): Sql {
  const hash = { value: requestHash(id), type: UINTEGER };
  return { text: "request_hash = ? AND request_id = ?", values: [hash, text(id)] };
}

/** The places of everything that the log has of a request. */
export function eventsOfRequestSql(requestId: string, orgId: string | null, limit: number): Sql {
  const org: Sql[] = orgId === null ? [] : [{ text: "org_id = ?", values: [text(orgId)] }];
  const more = [isRequest(requestId), ...org];
  const [records, others] = [whereEvents("records", {}, more), whereEvents("others", {}, more)];
  return {
    text: `SELECT idx FROM (SELECT idx FROM records${records.text} UNION ALL SELECT idx FROM others${others.text}) ORDER BY idx LIMIT ?`,
    values: [...records.values, ...others.values, whole(limit)],
  };
}

export function eventsSql({ filter, before, limit }: Of<"events">): Sql {
  const [records, others] = [
    whereEvents("records", filter, below(before)),
    whereEvents("others", filter, below(before)),
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

/** The place of the record behind the next `limit` ones, if there is one. To find it first is far cheaper. */
export function csvEndSql({ filter, first, end, limit }: Of<"csv">): Sql {
  const { text: condition, values } = whereEvents("records", filter, [between(first, end)]);
  return {
    text: `SELECT idx FROM records${condition} ORDER BY idx LIMIT 1 OFFSET ?`,
    values: [...values, whole(limit)],
  };
}

/** One row: the lines, or null. */
export function csvSql({ filter, first, end }: Of<"csv">): Sql {
  const { text: condition, values } = whereEvents("records", filter, [between(first, end)]);
  return {
    text: `SELECT string_agg(${csvLineSql(csvColumns)}, '' ORDER BY idx) FROM records${condition}`,
    values,
  };
}

function between(first: number, end: number): Sql {
  return { text: "idx >= ? AND idx < ?", values: [whole(first), whole(end)] };
}

export function countSql({ filter, end }: Of<"count">): Sql {
  const { text: condition, values } = whereRecords(filter, [
    { text: "idx < ?", values: [whole(end)] },
  ]);
  return { text: `SELECT count(*) FROM records${condition}`, values };
}

/** One row: the number of records, and their lines as UTF-8. */
export function exportSql({ filter, first, end }: Of<"export">): Sql {
  const { text: condition, values } = whereRecords(filter, [between(first, end)]);
  return {
    text: `SELECT count(*), encode(string_agg(${csvLineSql(exportColumns)}, '' ORDER BY idx)) FROM records${condition}`,
    values,
  };
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
  policy_action: "policy_action",
  dry_run_action: "dry_run_action",
  cost_status: "cost_status",
  cache: "cache",
};

/** Rows: the facet's number, the value, its count; the most frequent first. */
export function facetsSql({ filter }: Of<"facets">): Sql {
  const { text: condition, values } = whereRecords(filter);
  const columns = facetNames.map((name) => facetColumns[name]);
  // Of each row all columns but one are grouped out, and null.
  const numbers = columns.map((name, i) => `WHEN grouping(${name}) = 0 THEN ${i}`);
  const texts = columns.map((name) => `${name}::VARCHAR`);
  return {
    text:
      `WITH counted AS (SELECT CASE ${numbers.join(" ")} END AS facet, coalesce(${texts.join(", ")}) AS value, ` +
      `count(*) AS n FROM records${condition} ` +
      `GROUP BY GROUPING SETS (${columns.map((name) => `(${name})`).join(", ")})), ` +
      `ranked AS (SELECT *, row_number() OVER (PARTITION BY facet ORDER BY n DESC, value) AS rank ` +
      "FROM counted WHERE value IS NOT NULL) " +
      `SELECT facet, value, n FROM ranked WHERE rank <= ${facetValuesMax} ORDER BY facet, rank`,
    values,
  };
}

const groupColumns: Readonly<Record<Grouping, string>> = {
  model: "model",
  served_model: "served_model",
  provider: "provider",
  account: "account",
  key: "key_id",
  team: "team",
  tag: "tag",
  error_code: "error_code",
  route: "route",
  org: "org_id",
  status: "status",
  verdict: "verdict",
  score: "'0.' || score_tenths",
  policy_action: "policy_action",
  dry_run_action: "dry_run_action",
  finding: "finding",
};

/** Columns that are lists. */
const listColumns: Partial<Readonly<Record<Grouping, string>>> = {
  tag: "tags",
  finding: "findings",
};

/** The records that a grouping is of. One with several tags is in the group of each, one without in none. */
function recordsBy(groupBy: Grouping | null, condition: string): string {
  const records = `records${condition}`;
  const list = groupBy === null ? undefined : listColumns[groupBy];
  if (groupBy === null || list === undefined) return records;
  return `(SELECT *, unnest(${list}) AS ${groupColumns[groupBy]} FROM ${records})`;
}

const shares = [0.5, 0.95, 0.99];

/** What a metric is of the records of a group, and of groups together: `x` is the former, `n` their number. */
const metricSql: Readonly<
  Record<Exclude<Metric, keyof typeof bucketColumns>, readonly [of: string, all: string]>
> = {
  requests: ["count(*)", "sum(x)"],
  tokens: ["sum(tokens)", "sum(x)"],
  cost_usd: ["sum(cost)", "sum(x)"],
  error_share: ["count(*) FILTER (status = 'failed')", "sum(x) / sum(n)"],
  blocked: ["count(*) FILTER (status = 'blocked')", "sum(x)"],
  cache_hits: ["count(*) FILTER (cache = 'hit')", "sum(x)"],
};

/** The columns with the buckets of latencies. */
const bucketColumns = { latency_ms: "latency_bucket", first_byte_ms: "first_byte_bucket" } as const;

/**
 * Rows: the bucket (its first quarter, or the local day), the group, whether the group is all that are not among
 * the most frequent, the value; of a latency the buckets of its percentiles.
 */
export function seriesSql(question: Of<"series">, offsets: readonly ZoneOffset[]): Sql {
  const { filter, metric, groupBy, groupsMax, step } = question;
  const { text: condition, values } = whereRecords(filter);
  const bucket = bucketSql(offsets, stepQuarters[step], step === "1d");
  const group = groupBy === null ? "NULL::VARCHAR" : groupColumns[groupBy];
  const isLatency = metric === "latency_ms" || metric === "first_byte_ms";
  const [of, all] = isLatency ? ["NULL", ""] : metricSql[metric];
  const latency = isLatency ? bucketColumns[metric] : "NULL::USMALLINT";
  const counted = {
    text: `SELECT ${bucket.text} AS b, ${group} AS g, ${latency} AS l, ${of} AS x, count(*) AS n FROM ${recordsBy(groupBy, condition)} GROUP BY ALL`,
    values: [...bucket.values, ...values],
  };
  const { text: named, values: bound } = namedSql(counted, groupBy === null ? null : groupsMax);
  const rows = isLatency
    ? `SELECT b, g, o, ${percentilesSql} FROM (${rankedSql("named", ["b", "g", "o"])}) GROUP BY b, g, o`
    : `SELECT b, g, o, ${all} FROM named GROUP BY b, g, o`;
  return { text: `WITH ${named} ${rows} ORDER BY b, o, g`, values: bound };
}

/**
 * `named`: the rows of `counted`, which have a group `g` and a number `n`; groups that are not among the most
 * frequent are one, whose `o` is true. `groupsMax` null: there is one group.
 */
function namedSql(counted: Sql, groupsMax: number | null): Sql {
  const first = `counted AS MATERIALIZED (${counted.text})`;
  if (groupsMax === null) {
    return {
      text: `${first}, named AS (SELECT *, false AS o FROM counted)`,
      values: counted.values,
    };
  }
  return {
    text:
      `${first}, top AS (SELECT g AS tg FROM counted GROUP BY g ORDER BY sum(n) DESC, g LIMIT ?), ` +
      "named AS (SELECT * REPLACE (CASE WHEN o THEN NULL ELSE g END AS g) FROM " +
      "(SELECT *, NOT EXISTS (SELECT 1 FROM top WHERE tg IS NOT DISTINCT FROM g) AS o FROM counted))",
    values: [...counted.values, whole(groupsMax)],
  };
}

/** For each group and latency bucket: how many records are in it and below, and in the group. */
function rankedSql(from: string, group: readonly string[]): string {
  const by = group.join(", ");
  return (
    `SELECT ${by}, l, sum(n) OVER (PARTITION BY ${by} ORDER BY l) AS below, ` +
    `sum(n) OVER (PARTITION BY ${by}) AS total FROM ` +
    `(SELECT ${by}, l, sum(n) AS n FROM ${from} WHERE l IS NOT NULL GROUP BY ${by}, l)`
  );
}

/** The bucket of each percentile: the first one with so many records in it and below. */
const percentilesSql = `[${shares.map((share) => `min(l) FILTER (below >= ${share} * total)`).join(", ")}]`;

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

/** Rows: the group, whether it is a rest, its numbers, and the buckets of its latency's percentiles. */
export function breakdownSql({ filter, groupBy, groupsMax }: Of<"breakdown">): Sql {
  const { text: condition, values } = whereRecords(filter);
  const counted = {
    text:
      `SELECT ${groupColumns[groupBy]} AS g, latency_bucket AS l, count(*) AS n, ` +
      "count(*) FILTER (status = 'failed') AS failed, count(*) FILTER (status = 'blocked') AS blocked, " +
      `sum(tokens) AS t, sum(cost) AS c FROM ${recordsBy(groupBy, condition)} GROUP BY ALL`,
    values,
  };
  const { text: named, values: bound } = namedSql(counted, groupsMax);
  return {
    text:
      `WITH ${named}, ` +
      `latencies AS (SELECT g, o, ${percentilesSql} AS p FROM (${rankedSql("named", ["g", "o"])}) GROUP BY g, o), ` +
      "numbers AS (SELECT g, o, sum(n) AS n, sum(failed) AS failed, sum(blocked) AS blocked, sum(t) AS t, " +
      "sum(c) AS c FROM named GROUP BY g, o) " +
      "SELECT numbers.g, numbers.o, n, failed, blocked, t, c, p FROM numbers LEFT JOIN latencies " +
      "ON numbers.g IS NOT DISTINCT FROM latencies.g AND numbers.o = latencies.o " +
      "ORDER BY numbers.o, n DESC, numbers.g",
    values: bound,
  };
}
