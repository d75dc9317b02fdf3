import { auditEventTypes, readEvent } from "../../contract/audit.ts";
import { refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { EventFilter } from "../../store/embedded/audit/audit-log.ts";
import { eventTime } from "../../store/audit/event-line.ts";
import { moment } from "../moment.ts";
import type { AuditCall } from "./endpoint.ts";

/** The filter parameters of lists and exports. */
export const filterParameters = [
  "orgId",
  "event_type",
  "type",
  "key",
  "model",
  "verdict",
  "request_id",
  "since",
  "until",
  "day",
] as const;

/** The value that a parameter is compared with: a member of the event, or of its data. */
const comparisons = [
  { parameter: "event_type", of: "event", member: "event_type", values: auditEventTypes },
  { parameter: "type", of: "data", member: "type", values: ["request", "scan"] },
  { parameter: "key", of: "data", member: "api_key_id", values: null },
  { parameter: "model", of: "data", member: "model", values: null },
  { parameter: "verdict", of: "data", member: "verdict", values: ["allow", "flag", "block"] },
  { parameter: "request_id", of: "event", member: "request_id", values: null },
] as const;

interface Wanted {
  readonly of: "event" | "data";
  readonly member: string;
  readonly value: string;
}

/** The parts of a call that a filter needs. */
export type FilteredCall = Pick<AuditCall, "query" | "orgId">;

/** Reads the filter of a call. Errors: `invalid_request`, with `param`. */
export function readFilter({ query, orgId }: FilteredCall): Outcome<EventFilter> {
  const wanted: Wanted[] = orgId === null ? [] : [{ of: "event", member: "org_id", value: orgId }];
  for (const { parameter, of, member, values } of comparisons) {
    const value = query.get(parameter);
    if (value === null) continue;
    if (values !== null && !values.some((one) => one === value)) {
      return refuseParameter(parameter, `${parameter} must be one of ${values.join(", ")}.`);
    }
    wanted.push({ of, member, value });
  }
  const times = readTimes(query);
  if (!times.ok) return times;
  return accept({
    // In the canonical form, so most lines need not be parsed.
    substrings: wanted.map(({ member, value }) => `"${member}":${JSON.stringify(value)}`),
    matches: (line) => wanted.length === 0 || isWanted(line, wanted),
    ...times.value,
  });
}

/** Checks the parsed event, because the substring may stand in another place. */
function isWanted(line: string, wanted: readonly Wanted[]): boolean {
  const event = readEvent(line);
  const members: Readonly<Record<string, unknown>> = { ...event };
  return wanted.every(
    ({ of, member, value }) => (of === "event" ? members : event.data)[member] === value,
  );
}

type Times = Pick<EventFilter, "since" | "until">;

/** `since` is the first moment, `until` the one after the last; `day` sets both, in UTC. */
function readTimes(query: URLSearchParams): Outcome<Times> {
  const day = query.get("day");
  if (day !== null) {
    if (query.has("since") || query.has("until")) {
      return refuseParameter("day", "day sets since and until, so give either day or those.");
    }
    const since = /^\d{4}-\d{2}-\d{2}$/.test(day) ? moment(day) : null;
    if (since === null) return refuseParameter("day", "day must be a date such as 2026-01-31.");
    return accept({ since, until: eventTime(Date.parse(since) + dayMs) });
  }
  const times: { since: string | null; until: string | null } = { since: null, until: null };
  for (const name of ["since", "until"] as const) {
    const text = query.get(name);
    if (text === null) continue;
    times[name] = moment(text);
    if (times[name] === null) {
      return refuseParameter(
        name,
        `${name} must be a date or a time such as 2026-01-31T09:30:00Z.`,
      );
    }
  }
  return accept(times);
}

const dayMs = 24 * 3_600_000;
