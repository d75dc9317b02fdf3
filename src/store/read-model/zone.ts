import { usageQuarterMs } from "../../contract/limits.ts";
import { stepQuarters, type SeriesStep } from "./question.ts";

/** From this quarter on a zone is so many quarters of an hour ahead of UTC. */
export interface ZoneOffset {
  readonly from: number;
  readonly ahead: number;
}

/**
 * The offsets of a time zone between two quarters of an hour, counted from 1970. Every zone of today is a
 * multiple of a quarter of an hour away from UTC, and changes at one.
 */
export function offsetsOf(zone: string, first: number, last: number): readonly ZoneOffset[] {
  const ahead = aheadIn(zone);
  const found: { from: number; ahead: number }[] = [{ from: first, ahead: ahead(first) }];
  let at = first;
  while (at < last) {
    const next = Math.min(at + quartersADay, last);
    const before = ahead(at);
    // No zone changes twice within a day.
    if (ahead(next) !== before) {
      let [low, high] = [at, next];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (ahead(middle) === before) low = middle;
        else high = middle;
      }
      found.push({ from: high, ahead: ahead(high) });
    }
    at = next;
  }
  return found;
}

const quartersADay = 96;

/** Whether this runtime knows the zone by its name. */
export function isZone(name: string): boolean {
  // An offset such as +02:00 is no zone of IANA's.
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Quarters of an hour that the zone is ahead of UTC in a quarter. */
function aheadIn(zone: string): (quarter: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (quarter) => {
    const ms = quarter * usageQuarterMs;
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (part: Intl.DateTimeFormatPartTypes): number => parts.get(part) ?? 0;
    const local = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"));
    return Math.round((local - ms) / usageQuarterMs);
  };
}

/** The first quarter of each step, by what `bucketSql` computes. */
export function startOf(bucket: number, step: SeriesStep, offsets: readonly ZoneOffset[]): number {
  if (step !== "1d") return bucket;
  // The first quarter of the local day, which need not begin at midnight.
  for (const [i, { from, ahead }] of offsets.entries()) {
    const end = offsets[i + 1]?.from ?? Infinity;
    const start = Math.max(bucket * stepQuarters[step] - ahead, i === 0 ? -Infinity : from);
    if (start < end && Math.floor((start + ahead) / stepQuarters[step]) === bucket) return start;
  }
  return bucket * stepQuarters[step] - (offsets.at(-1)?.ahead ?? 0);
}
