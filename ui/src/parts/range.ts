import { useEffect, useMemo, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { isZone, zone } from "../settings.ts";

/** Ranges that pages offer, with the length of a chart's step. */
export const ranges = {
  "1h": { name: "1 h", hours: 1, step: "15m" },
  "24h": { name: "24 h", hours: 24, step: "15m" },
  "7d": { name: "7 days", hours: 168, step: "1h" },
  "30d": { name: "30 days", hours: 720, step: "1d" },
} as const;
export type RangeName = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as RangeName[];

const minuteMs = 60_000;
const stepLengthsMs = { "15m": 15 * minuteMs, "1h": 60 * minuteMs, "1d": 1440 * minuteMs } as const;

export interface Range {
  /** null: the address names two moments. */
  readonly name: RangeName | null;
  readonly since: string;
  /** null: now. */
  readonly until: string | null;
  readonly step: keyof typeof stepLengthsMs;
  readonly stepMs: number;
  readonly tz: string;
}

/**
 * The range in the page's address, and how to ask for it. It also writes the zone into the address, because days
 * of another zone are other days.
 */
export function useRange(): Range {
  const { query, url, path, route } = useLocation();
  // A page that is being left must not write into the next one's address.
  const [own] = useState(path);
  const tz = isZone(query["tz"] ?? "") ? (query["tz"] ?? "") : zone.value;
  const isWritten = query["tz"] === tz || path !== own;
  useEffect(() => {
    if (!isWritten) route(withParameters(url, { tz }), true);
  }, [isWritten, tz, url, route]);
  const { range, since, until } = query;
  // Kept while the page is open: what is shown must not change by itself.
  const shown = useMemo(() => rangeOf({ range, since, until }), [range, since, until]);
  return { ...shown, tz };
}

function rangeOf(query: Readonly<Record<string, string | undefined>>): Omit<Range, "tz"> {
  const [since = "", until = ""] = [query["since"], query["until"]];
  const lengthMs = Date.parse(until) - Date.parse(since);
  if (lengthMs > 0) {
    const days = lengthMs / stepLengthsMs["1d"];
    const step = days <= 2 ? "15m" : days <= 14 ? "1h" : "1d";
    return { name: null, since, until, step, stepMs: stepLengthsMs[step] };
  }
  const name = rangeNames.find((one) => one === query["range"]) ?? "24h";
  const { hours, step } = ranges[name];
  const nowMs = Math.ceil(Date.now() / minuteMs) * minuteMs;
  const from = new Date(nowMs - hours * 60 * minuteMs).toISOString();
  return { name, since: from, until: null, step, stepMs: stepLengthsMs[step] };
}

type Parameters = Readonly<Record<string, string>>;

/** The address of this page with other parameters; an empty one goes. */
export function useAddress(): {
  readonly query: Parameters;
  readonly change: (parameters: Parameters) => void;
  /** Where `change` would lead. */
  readonly changed: (parameters: Parameters) => string;
} {
  const { url, query, route } = useLocation();
  const changed = (parameters: Parameters): string => withParameters(url, parameters);
  return { query, changed, change: (parameters) => route(changed(parameters)) };
}

function withParameters(url: string, parameters: Parameters): string {
  const address = new URL(url, location.origin);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === "") address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  return address.pathname + address.search;
}
