import type { LongContextRates, Price, PricePeriod, RateCard } from "../contract/pricing.ts";

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** The prices at a time; undefined if none are valid then. `at` is milliseconds since 1970. */
export function periodAt(price: Price, at: number): PricePeriod | undefined {
  return price.periods.findLast((period) => holdsAt(period, at));
}

/** The prices that are valid at some time from `at` until `until`, both inclusive. */
export function periodsBetween(price: Price, at: number, until: number): readonly PricePeriod[] {
  const between: PricePeriod[] = [];
  for (const period of price.periods.toReversed()) {
    const { from, until: end, daily } = period;
    if ((from !== null && from > until) || (end !== null && end <= at)) continue;
    between.push(period);
    // Periods before one that is always valid never come into force.
    if (daily === null && (from === null || from <= at) && (end === null || end > until)) break;
  }
  return between;
}

/** The rates of a service tier; null is the standard one. undefined: there are none for it. */
export function cardOf(period: PricePeriod, serviceTier: string | null): RateCard | undefined {
  return serviceTier === null ? period.standard : period.serviceTiers.get(serviceTier);
}

export function isLong(tier: LongContextRates, inputTokens: number): boolean {
  return tier.operator === "above"
    ? inputTokens > tier.thresholdTokens
    : inputTokens >= tier.thresholdTokens;
}

/** Several providers' names for the standard tier, in requests and answers. */
const standardTiers: ReadonlySet<string> = new Set([
  "default",
  "standard",
  "standard_only",
  "on_demand",
]);

/** The name of a tier in the price list: null is the standard one. */
export function tierName(named: string | null): string | null {
  if (named === null) return null;
  const name = named.toLowerCase();
  return standardTiers.has(name) ? null : name;
}

function holdsAt(period: PricePeriod, at: number): boolean {
  if (period.from !== null && at < period.from) return false;
  if (period.until !== null && at >= period.until) return false;
  if (period.daily === null) return true;
  const minute = Math.floor(at / minuteMs) % dayMinutes;
  const { fromMinute, untilMinute } = period.daily;
  return fromMinute <= untilMinute
    ? minute >= fromMinute && minute < untilMinute
    : minute >= fromMinute || minute < untilMinute;
}
