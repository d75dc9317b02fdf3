import { formatUsd, zeroUsd, type MicroUsd } from "./money.ts";

/**
 * The units that a provider bills for. A token is counted in exactly one of them (design section 5). The
 * first six are input, the next four output. Tool calls are those that the provider runs and bills.
 */
export const usageBucketNames = [
  "uncachedInput",
  "cacheRead",
  "cacheWrite5m",
  "cacheWrite1h",
  "audioInput",
  "imageInput",
  "outputText",
  "reasoning",
  "audioOutput",
  "imageOutput",
  "toolCalls",
] as const;
export type UsageBucketName = (typeof usageBucketNames)[number];

/** Whole numbers from 0 to `usageTokensMax`. */
export type UsageBuckets = Readonly<Record<UsageBucketName, number>>;

export const noUsage: UsageBuckets = {
  uncachedInput: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  audioInput: 0,
  imageInput: 0,
  outputText: 0,
  reasoning: 0,
  audioOutput: 0,
  imageOutput: 0,
  toolCalls: 0,
};

/** All input tokens, cached or not. Long-context tiers depend on this number. */
export function inputTokens(buckets: UsageBuckets): number {
  return (
    buckets.uncachedInput +
    buckets.cacheRead +
    buckets.cacheWrite5m +
    buckets.cacheWrite1h +
    buckets.audioInput +
    buckets.imageInput
  );
}

/** All output tokens. */
export function outputTokens(buckets: UsageBuckets): number {
  return buckets.outputText + buckets.reasoning + buckets.audioOutput + buckets.imageOutput;
}

/** The usage that a provider's answer reports. */
export interface UsageReport {
  readonly streamed: boolean;
  /** null: the answer has no usage, or a usage that can't be true. */
  readonly buckets: UsageBuckets | null;
  /** True if there was a usage object whose counts can't be true. */
  readonly implausible: boolean;
  /** The tier that the answer names; null: the standard one, or none named. */
  readonly serviceTier: string | null;
  /** `usage.cost` as the provider spells it, a decimal number in US dollars. */
  readonly reportedCostUsd: string | null;
}

/** spec: Cost status values. */
export const costStatuses = [
  "calculated",
  "upstream_reported_cost",
  "cache_hit",
  "byok",
  "unknown_model",
  "pricing_gap",
  "missing_usage",
  "streaming_no_usage",
  "free_request",
  "non_billable",
] as const;
export type CostStatus = (typeof costStatuses)[number];

/**
 * A cost as records and headers show it, with six places. The cost of an answer that is not billed is zero. null
 * if the cost is unknown (spec: Cost status values).
 */
export function costText(cost: MicroUsd | null, status: CostStatus): string | null {
  if (cost === null && status !== "non_billable") return null;
  return formatUsd(cost ?? zeroUsd);
}

/** The cost of an answer. */
export interface Cost {
  /** null if it is unknown; then nothing is debited. */
  readonly costMicroUsd: MicroUsd | null;
  readonly status: CostStatus;
  readonly buckets: UsageBuckets | null;
  /** The version of the prices that it was calculated with; null if none were used. */
  readonly catalogVersion: string | null;
  /** The entry of the price list that was used because the model has none; else null. See `Price`. */
  readonly assumedPrice: string | null;
  /** The service tier that the answer names, in lower case; null: the standard one. */
  readonly serviceTier: string | null;
}
