/** Rolling windows of usage limits and budgets, as refusals name them (spec: `usage_limit_exceeded`). */
export const usageWindows = ["hour", "day", "week", "month"] as const;
export type UsageWindow = (typeof usageWindows)[number];

/** The same windows as the keys API writes them (spec: Usage limit). */
export const timeWindows = ["1 hour", "1 day", "1 week", "1 month"] as const;
export type TimeWindow = (typeof timeWindows)[number];

export const windowOfTimeWindow: Readonly<Record<TimeWindow, UsageWindow>> = {
  "1 hour": "hour",
  "1 day": "day",
  "1 week": "week",
  "1 month": "month",
};
