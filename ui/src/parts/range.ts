import { useLocation } from "preact-iso";
import { zone } from "../settings.ts";

/** Ranges that pages offer, with the length of a chart's step. */
export const ranges = {
  "1h": { name: "1 h", hours: 1, step: "15m" },
  "24h": { name: "24 h", hours: 24, step: "1h" },
  "7d": { name: "7 days", hours: 168, step: "1d" },
  "30d": { name: "30 days", hours: 720, step: "1d" },
} as const;
export type RangeName = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as RangeName[];

const minuteMs = 60_000;

/** The range in the page's address, and how to ask for it; `since` moves with the minute only. */
export function useRange(): {
  readonly range: RangeName;
  readonly since: string;
  readonly step: string;
  readonly tz: string;
} {
  const { query } = useLocation();
  const asked = query["range"] ?? "";
  const range = rangeNames.find((name) => name === asked) ?? "24h";
  const nowMs = Math.ceil(Date.now() / minuteMs) * minuteMs;
  const since = new Date(nowMs - ranges[range].hours * 60 * minuteMs).toISOString();
  return { range, since, step: ranges[range].step, tz: zone.value };
}

/** The address of this page with other parameters; an empty one goes. */
export function useAddress(): {
  readonly query: Readonly<Record<string, string>>;
  readonly change: (parameters: Readonly<Record<string, string>>) => void;
} {
  const { path, query, route } = useLocation();
  const change = (parameters: Readonly<Record<string, string>>): void => {
    const next = Object.entries({ ...query, ...parameters }).filter(([, value]) => value !== "");
    const text = new URLSearchParams(next).toString();
    route(text === "" ? path : `${path}?${text}`);
  };
  return { query, change };
}
