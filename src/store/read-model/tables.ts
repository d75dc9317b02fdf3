import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  INTEGER,
  LIST,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
  listValue,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import { latencyBucket } from "./latency-bucket.ts";
import { requestHash, tokensOfRow, type OtherRow, type RecordRow } from "./record-row.ts";

/** A column: its name in SQL, its type, and its value for a row. */
interface Column<R> {
  readonly name: string;
  readonly type: DuckDBType;
  readonly of: (row: R) => DuckDBValue;
}

function column<R>(name: string, type: DuckDBType, of: (row: R) => DuckDBValue): Column<R> {
  return { name, type, of };
}

/**
 * What questions filter, group and sum by, and what an export shows. Everything else of a record is read from the log.
 * Whoever changes them raises `readModelForm`.
 */
export const recordColumns: readonly Column<RecordRow>[] = [
  column("idx", BIGINT, ({ index }) => BigInt(index)),
  column("at_ms", BIGINT, ({ atMs }) => BigInt(atMs)),
  column("quarter", INTEGER, ({ quarter }) => quarter),
  column("type", VARCHAR, ({ type }) => type),
  column("status", VARCHAR, ({ status }) => status),
  column("route", VARCHAR, ({ route }) => route),
  column("request_id", VARCHAR, ({ requestId }) => requestId),
  column("org_id", VARCHAR, ({ orgId }) => orgId),
  column("key_id", VARCHAR, ({ keyId }) => keyId),
  column("team", VARCHAR, ({ team }) => team),
  column("tags", LIST(VARCHAR), ({ tags }) => (tags === null ? null : listValue(tags))),
  column("model", VARCHAR, ({ model }) => model),
  column("served_model", VARCHAR, ({ servedModel }) => servedModel),
  column("provider", VARCHAR, ({ provider }) => provider),
  column("account", VARCHAR, ({ account }) => account),
  column("http_status", INTEGER, ({ httpStatus }) => httpStatus),
  column("upstream_status", INTEGER, ({ upstreamStatus }) => upstreamStatus),
  column("error_code", VARCHAR, ({ errorCode }) => errorCode),
  column("verdict", VARCHAR, ({ verdict }) => verdict),
  column("score_tenths", UTINYINT, ({ score }) => scoreTenths(score)),
  column("policy_action", VARCHAR, ({ policyAction }) => policyAction),
  column("dry_run_action", VARCHAR, ({ dryRunAction }) => dryRunAction),
  column("findings", LIST(VARCHAR), ({ findings }) =>
    findings === null ? null : listValue(Object.keys(findings)),
  ),
  column("stream", BOOLEAN, ({ stream }) => stream),
  column("cache", VARCHAR, ({ cache }) => cache),
  column("input", UINTEGER, ({ input }) => input),
  column("cache_read", UINTEGER, ({ cacheRead }) => cacheRead),
  column("cache_write", UINTEGER, ({ cacheWrite }) => cacheWrite),
  column("output", UINTEGER, ({ output }) => output),
  column("reasoning", UINTEGER, ({ reasoning }) => reasoning),
  column("billable", UINTEGER, ({ billable }) => billable),
  column("cost", BIGINT, ({ cost }) => cost),
  column("cost_status", VARCHAR, ({ costStatus }) => costStatus),
  column("latency", DOUBLE, ({ latencyMs }) => latencyMs),
  column("first_byte", DOUBLE, ({ firstByteMs }) => firstByteMs),
  // What questions need of each of millions of records, computed once.
  column("request_hash", UINTEGER, ({ requestId }) => requestHash(requestId)),
  column("tokens", BIGINT, (row) => BigInt(tokensOfRow(row))),
  column("latency_bucket", USMALLINT, ({ latencyMs }) => latencyBucket(latencyMs)),
  column("first_byte_bucket", USMALLINT, ({ firstByteMs }) => latencyBucket(firstByteMs)),
];

export const otherColumns: readonly Column<OtherRow>[] = [
  column("idx", BIGINT, ({ index }) => BigInt(index)),
  column("at_ms", BIGINT, ({ atMs }) => BigInt(atMs)),
  column("event_type", VARCHAR, ({ eventType }) => eventType),
  column("type", VARCHAR, ({ type }) => type),
  column("request_id", VARCHAR, ({ requestId }) => requestId),
  column("org_id", VARCHAR, ({ orgId }) => orgId),
  column("key_id", VARCHAR, ({ keyId }) => keyId),
  column("model", VARCHAR, ({ model }) => model),
  column("verdict", VARCHAR, ({ verdict }) => verdict),
  column("request_hash", UINTEGER, ({ requestId }) => requestHash(requestId)),
];

/** A file of another form is made anew from the log. */
export const readModelForm = 6;

/**
 * `progress` has one row: the log's events below `next` are in the tables, `last` is the SHA-256 of the last of
 * them. It is written in the transaction of the rows that it counts.
 */
export const schema: readonly string[] = [
  createTable("records", recordColumns),
  createTable("others", otherColumns),
  "CREATE TABLE progress (form INTEGER, next BIGINT, last VARCHAR)",
  `INSERT INTO progress VALUES (${readModelForm}, 0, '')`,
];

/** 9 holds all of 0.9 to 1. */
function scoreTenths(score: number | null): number | null {
  return score === null ? null : Math.min(9, Math.max(0, Math.floor(score * 10)));
}

function createTable(
  name: string,
  columns: readonly { readonly name: string; readonly type: DuckDBType }[],
): string {
  const defined = columns.map((one) => `${one.name} ${one.type.toString()}`);
  return `CREATE TABLE ${name} (${defined.join(", ")})`;
}
