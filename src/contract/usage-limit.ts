import { Type, type Static } from "typebox";
import { members, oneOf } from "./documented-schema.ts";
import { formatUsd, microUsd, parseUsd, zeroUsd, type MicroUsd } from "./money.ts";

/** Rolling windows of usage limits and budgets, as refusals name them (spec: `usage_limit_exceeded`). */
export const usageWindows = ["hour", "day", "week", "month"] as const;
export type UsageWindow = (typeof usageWindows)[number];

/** The same windows as the keys API writes them (spec: Usage limit). */
export const timeWindows = ["1 hour", "1 day", "1 week", "1 month"] as const;
export type TimeWindow = (typeof timeWindows)[number];

/** By either name: a budget may have both. */
export const windowNamed: Readonly<Record<UsageWindow | TimeWindow, UsageWindow>> = {
  hour: "hour",
  day: "day",
  week: "week",
  month: "month",
  "1 hour": "hour",
  "1 day": "day",
  "1 week": "week",
  "1 month": "month",
};

/** The units that a usage limit counts: micro-dollars, tokens of input and output, requests. */
export const usageLimitTypes = ["cost", "tokens", "requests"] as const;
export type UsageLimitType = (typeof usageLimitTypes)[number];

export const LimitType = oneOf(usageLimitTypes, {
  description: "What is counted: `cost` in US dollars, `tokens` or `requests`.",
});

export const TimeWindowName = oneOf(timeWindows, { description: "The rolling window." });

const dateTime = (description: string) => Type.String({ format: "date-time", description });

/** A rolling cap of an organization or of one of its keys (spec: Usage limit). */
export const UsageLimit = members(
  {
    id: Type.String({ description: "Names the limit." }),
    orgId: Type.String({ description: "The organization." }),
    name: Type.String({ description: "A label." }),
    limitType: LimitType,
    threshold: Type.String({
      description: "The cap, as it was set: US dollars for `cost`, else a whole number.",
    }),
    timeWindow: TimeWindowName,
    apiKeyId: Type.Union([Type.String(), Type.Null()], {
      description: "The one key that it counts; null: all keys of the organization.",
    }),
    enabled: Type.Boolean({ description: "A disabled limit is stored but not checked." }),
    createdAt: dateTime("When it was created."),
    updatedAt: dateTime("When it was last changed."),
  },
  { description: "A rolling cap on cost, tokens or requests." },
);
export type UsageLimit = Readonly<Static<typeof UsageLimit>>;

/** At most 15 digits, so that a count is also a safe integer. */
const countPattern = /^[1-9]\d{0,14}$/;

/** A positive amount of US dollars as `parseUsd` reads it; undefined for any other text. */
function microUsdOf(usd: string): MicroUsd | undefined {
  const amount = parseUsd(usd);
  return amount.ok && amount.value > zeroUsd ? amount.value : undefined;
}

/**
 * A threshold in the units that are counted: micro-dollars for `cost`, else tokens or requests.
 * undefined for a text that is no threshold of this type (spec: Usage limit).
 */
export function thresholdUnits(limitType: UsageLimitType, threshold: string): bigint | undefined {
  if (limitType === "cost") return microUsdOf(threshold);
  return countPattern.test(threshold) ? BigInt(threshold) : undefined;
}

/** Counted units as the API writes them: dollars with six places for `cost`, else the number. */
export function usageText(limitType: UsageLimitType, units: bigint): string {
  return limitType === "cost" ? formatUsd(microUsd(units)) : units.toString();
}
