import { refuse, refuseParameter } from "../../contract/errors.ts";
import { idCharsMax, modelCharsMax, nameCharsMax } from "../../contract/limits.ts";
import { parseUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { PlainObject } from "../../contract/plain-object.ts";
import {
  recordCaches,
  recordCostStatuses,
  recordPolicyActions,
  recordStatuses,
  recordTypes,
  recordVerdicts,
} from "../../contract/records-api.ts";
import type { RecordFilter } from "../../store/read-model/filter.ts";
import type { FindOrganization } from "../keys-api/scope.ts";
import { moment } from "../moment.ts";
import type { RecordsReader } from "./reader.ts";

/** The filter parameters of records, usage and exports. */
export const recordParameters = [
  "since",
  "until",
  "type",
  "route",
  "orgId",
  "key",
  "team",
  "model",
  "served_model",
  "provider",
  "account",
  "status",
  "http_status",
  "error_code",
  "verdict",
  "policy_action",
  "dry_run_action",
  "finding",
  "cost_status",
  "cache",
  "tag",
  "min_latency_ms",
  "min_cost_usd",
] as const;
type ParameterName = (typeof recordParameters)[number];

/** How a parameter's text becomes a member of the filter; null: it is no such value. */
interface Reading {
  readonly member: keyof RecordFilter;
  readonly read: (text: string) => string | number | bigint | null;
  readonly expected: string;
}

function text(member: keyof RecordFilter, charactersMax: number): Reading {
  return {
    member,
    read: (value) => (value.length > 0 && value.length <= charactersMax ? value : null),
    expected: `a text of 1 to ${charactersMax} characters`,
  };
}

function one(member: keyof RecordFilter, values: readonly string[]): Reading {
  return {
    member,
    read: (value) => (values.includes(value) ? value : null),
    expected: `one of ${values.join(", ")}`,
  };
}

function time(member: "sinceMs" | "untilMs"): Reading {
  return {
    member,
    read: (value) => {
      const at = moment(value);
      return at === null ? null : Date.parse(at);
    },
    expected: "a date or a time such as 2026-01-31T09:30:00Z",
  };
}

const readings: Readonly<Record<ParameterName, Reading>> = {
  since: time("sinceMs"),
  until: time("untilMs"),
  type: one("type", recordTypes),
  route: text("route", idCharsMax),
  orgId: text("orgId", idCharsMax),
  key: text("key", idCharsMax),
  team: text("team", nameCharsMax),
  model: text("model", modelCharsMax),
  served_model: text("servedModel", modelCharsMax),
  provider: text("provider", nameCharsMax),
  account: text("account", nameCharsMax),
  status: one("status", recordStatuses),
  http_status: {
    member: "httpStatus",
    read: (value) => (/^\d{1,3}$/.test(value) ? Number(value) : null),
    expected: "an HTTP status, or 0",
  },
  error_code: text("errorCode", idCharsMax),
  verdict: one("verdict", recordVerdicts),
  policy_action: one("policyAction", recordPolicyActions),
  dry_run_action: one("dryRunAction", recordPolicyActions),
  finding: text("finding", nameCharsMax),
  cost_status: one("costStatus", recordCostStatuses),
  cache: one("cache", recordCaches),
  tag: {
    member: "tag",
    read: (value) => (/^[^:]{1,64}:.{1,64}$/s.test(value) ? value : null),
    expected: "a tag such as feature:rag",
  },
  min_latency_ms: {
    member: "minLatencyMs",
    read: (value) => (/^\d{1,9}(\.\d{1,3})?$/.test(value) ? Number(value) : null),
    expected: "milliseconds such as 1500",
  },
  min_cost_usd: {
    member: "minCost",
    read: (value) => {
      const amount = parseUsd(value);
      return amount.ok ? amount.value : null;
    },
    expected: "US dollars such as 0.25",
  },
};

/** Errors: `invalid_request` for a parameter that is unknown or stands twice. */
export function checkNames(query: URLSearchParams, known: readonly string[]): Outcome<null> {
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      const shown = /^[\w.-]{1,64}$/.test(name) ? { details: { param: name } } : {};
      const message = `This endpoint does not have that parameter. It has: ${known.join(", ")}.`;
      return refuse("invalid_request", message, shown);
    }
    if (query.getAll(name).length > 1) {
      return refuseParameter(name, `${name} may be sent only once.`);
    }
  }
  return accept(null);
}

/** Errors: `invalid_request` for a member of a body that is unknown. */
export function checkMembers(body: PlainObject, known: readonly string[]): Outcome<null> {
  return checkNames(
    new URLSearchParams(Object.keys(body).map((name): [string, string] => [name, ""])),
    known,
  );
}

/**
 * The filter of a query, within what its reader may see. Errors: `invalid_request` with `param`; `not_found` for
 * an organization or a key that is not the reader's.
 */
export function readFilter(
  query: URLSearchParams,
  reader: RecordsReader,
  find: FindOrganization,
): Outcome<RecordFilter> {
  const filter: Partial<Record<keyof RecordFilter, string | number | bigint>> = {};
  for (const name of recordParameters) {
    const value = query.get(name);
    if (value === null) continue;
    const { member, read, expected } = readings[name];
    const found = read(value);
    if (found === null) return refuseParameter(name, `${name} must be ${expected}.`);
    filter[member] = found;
  }
  const { sinceMs, untilMs, orgId, key } = filter;
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs) {
    return refuseParameter("until", "until must be after since.");
  }
  if (orgId !== undefined) {
    const mayAsk = reader.orgId === null || reader.orgId === orgId;
    if (!mayAsk || find(String(orgId)) === undefined) return noOrganization;
  }
  if (key !== undefined && reader.keyId !== null && key !== reader.keyId) return noKey;
  // The members were read as their types are.
  const asked = filter as RecordFilter;
  return accept({
    ...asked,
    ...(reader.orgId === null ? {} : { orgId: reader.orgId }),
    ...(reader.keyId === null ? {} : { key: reader.keyId }),
  });
}

const noOrganization = refuse("not_found", "There is no such organization.", {
  details: { param: "orgId" },
});
const noKey = refuse("not_found", "There is no such key.", { details: { param: "key" } });

/** A parameter that is one of some words. Errors: `invalid_request`. */
export function readWord<const W extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly W[],
  absent: W | null,
): Outcome<W> {
  const value = query.get(name) ?? absent;
  const found = words.find((word) => word === value);
  if (found !== undefined) return accept(found);
  return refuseParameter(name, `${name} must be one of ${words.join(", ")}.`);
}

/** A whole number. Errors: `invalid_request`. */
export function readCount(
  query: URLSearchParams,
  name: string,
  most: number,
  absent: number,
): Outcome<number> {
  const value = query.get(name);
  if (value === null) return accept(absent);
  const count = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= most) return accept(count);
  return refuseParameter(name, `${name} must be a whole number from 1 to ${most}.`);
}
