import {
  BIGINT,
  DOUBLE,
  INTEGER,
  VARCHAR,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { RecordRow } from "./record-row.ts";

/** Which records a question is about; every member that is there must hold. */
export interface RecordFilter {
  /** Unix milliseconds: from the first on, before the second. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly type?: string;
  readonly route?: string;
  readonly orgId?: string;
  readonly key?: string;
  readonly team?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly account?: string;
  readonly status?: string;
  readonly httpStatus?: number;
  readonly errorCode?: string;
  readonly verdict?: string;
  readonly servedModel?: string;
  readonly policyAction?: string;
  readonly dryRunAction?: string;
  /** A label. */
  readonly finding?: string;
  readonly costStatus?: string;
  readonly cache?: string;
  /** `name:value`. */
  readonly tag?: string;
  readonly minLatencyMs?: number;
  readonly minCost?: bigint;
}

/** Which events of the log a list shows, as its filter has it. */
export interface LoggedEventFilter {
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly eventType?: string;
  readonly type?: string;
  readonly orgId?: string;
  readonly key?: string;
  readonly model?: string;
  readonly verdict?: string;
  readonly requestId?: string;
}

/** SQL with `?` for each value. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Bound[];
}

export interface Bound {
  readonly value: DuckDBValue;
  readonly type: DuckDBType;
}

export function whole(value: number): Bound {
  return { value: BigInt(value), type: BIGINT };
}

export function text(value: string): Bound {
  return { value, type: VARCHAR };
}

/** The condition of each member. No text of a caller gets into SQL: a value is always bound. */
const recordConditions: Readonly<
  Record<keyof RecordFilter, readonly [condition: string, type: DuckDBType, holds: Holds]>
> = {
  sinceMs: ["at_ms >= ?", BIGINT, (row, value) => row.atMs >= Number(value)],
  untilMs: ["at_ms < ?", BIGINT, (row, value) => row.atMs < Number(value)],
  type: ["type = ?", VARCHAR, (row, value) => row.type === value],
  route: ["route = ?", VARCHAR, (row, value) => row.route === value],
  orgId: ["org_id = ?", VARCHAR, (row, value) => row.orgId === value],
  key: ["key_id = ?", VARCHAR, (row, value) => row.keyId === value],
  team: ["team = ?", VARCHAR, (row, value) => row.team === value],
  model: ["model = ?", VARCHAR, (row, value) => row.model === value],
  provider: ["provider = ?", VARCHAR, (row, value) => row.provider === value],
  account: ["account = ?", VARCHAR, (row, value) => row.account === value],
  status: ["status = ?", VARCHAR, (row, value) => row.status === value],
  httpStatus: ["http_status = ?", INTEGER, (row, value) => row.httpStatus === value],
  errorCode: ["error_code = ?", VARCHAR, (row, value) => row.errorCode === value],
  verdict: ["verdict = ?", VARCHAR, (row, value) => row.verdict === value],
  servedModel: ["served_model = ?", VARCHAR, (row, value) => row.servedModel === value],
  policyAction: ["policy_action = ?", VARCHAR, (row, value) => row.policyAction === value],
  dryRunAction: ["dry_run_action = ?", VARCHAR, (row, value) => row.dryRunAction === value],
  finding: [
    "list_contains(findings, ?)",
    VARCHAR,
    (row, value) => row.findings !== null && Object.hasOwn(row.findings, String(value)),
  ],
  costStatus: ["cost_status = ?", VARCHAR, (row, value) => row.costStatus === value],
  cache: ["cache = ?", VARCHAR, (row, value) => row.cache === value],
  tag: [
    "list_contains(tags, ?)",
    VARCHAR,
    (row, value) => row.tags?.includes(String(value)) === true,
  ],
  minLatencyMs: [
    "latency >= ?",
    DOUBLE,
    (row, value) => row.latencyMs !== null && row.latencyMs >= Number(value),
  ],
  minCost: ["cost >= ?", BIGINT, (row, value) => row.cost !== null && row.cost >= BigInt(value)],
};

/** The same condition on a row that is not in the database yet. */
type Holds = (row: RecordRow, value: string | number | bigint) => boolean;

/** Whether a row is one that `whereRecords` finds. */
export function passesFilter(row: RecordRow, filter: RecordFilter): boolean {
  return (Object.keys(recordConditions) as (keyof RecordFilter)[]).every((name) => {
    const value = filter[name];
    return value === undefined || recordConditions[name][2](row, value);
  });
}

/** `WHERE …`, or nothing. `more`: further conditions. */
export function whereRecords(filter: RecordFilter, more: readonly Sql[] = []): Sql {
  const conditions: Sql[] = [...more];
  for (const name of Object.keys(recordConditions) as (keyof RecordFilter)[]) {
    const value = filter[name];
    if (value === undefined) continue;
    const [condition, type] = recordConditions[name];
    const bound = type === BIGINT ? BigInt(value) : value;
    conditions.push({ text: condition, values: [{ value: bound, type }] });
  }
  return where(conditions);
}

/** The same for a list of events, which are in two tables. `more` holds for both. */
export function whereEvents(
  table: "records" | "others",
  filter: LoggedEventFilter,
  more: readonly Sql[],
): Sql {
  const { sinceMs, untilMs, eventType, type, orgId, key, model, verdict, requestId } = filter;
  const conditions: Sql[] = [...more];
  const add = (condition: string, ...values: readonly Bound[]) =>
    conditions.push({ text: condition, values });
  if (sinceMs !== undefined) add("at_ms >= ?", whole(sinceMs));
  if (untilMs !== undefined) add("at_ms < ?", whole(untilMs));
  if (eventType !== undefined && table === "others") add("event_type = ?", text(eventType));
  if (eventType !== undefined && table === "records") {
    const [kind = "", status = ""] = eventType.split(".", 2);
    add("type = ? AND status = ?", text(kind), text(status));
  }
  if (type !== undefined) add("type = ?", text(type));
  if (orgId !== undefined) add("org_id = ?", text(orgId));
  if (key !== undefined) add("key_id = ?", text(key));
  if (model !== undefined) add("model = ?", text(model));
  if (verdict !== undefined) add("verdict = ?", text(verdict));
  if (requestId !== undefined) add("request_id = ?", text(requestId));
  return where(conditions);
}

function where(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return { text: "", values: [] };
  return {
    text: ` WHERE ${conditions.map((one) => one.text).join(" AND ")}`,
    values: conditions.flatMap(({ values }) => values),
  };
}
