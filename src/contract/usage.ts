import { formatUsd, zeroUsd, type MicroUsd } from "./money.ts";

/**
 * What a provider bills for, disjoint: a token is in exactly one of them (design section 5). Input
 * is the first six, output the next four; tool calls are those that the provider runs and bills.
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

/** All that a model read, cached or not. What long-context tiers are measured by. */
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

/** All that a model wrote. */
export function outputTokens(buckets: UsageBuckets): number {
  return buckets.outputText + buckets.reasoning + buckets.audioOutput + buckets.imageOutput;
}

/** What an answer of a provider says it has used. */
export interface UsageReport {
  readonly streamed: boolean;
  /** null: the answer has no usage, or one that can't be true. */
  readonly buckets: UsageBuckets | null;
  /** There was a usage object, but its counts can't be true. */
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
 * A cost as records and headers tell it, six places. What was not to be billed cost nothing; null where
 * it could not be told (spec: Cost status values).
 */
export function costText(cost: MicroUsd | null, status: CostStatus): string | null {
  if (cost === null && status !== "non_billable") return null;
  return formatUsd(cost ?? zeroUsd);
}

/** What an answer cost. */
export interface Cost {
  /** null where it could not be told; nothing is debited then. */
  readonly costMicroUsd: MicroUsd | null;
  readonly status: CostStatus;
  readonly buckets: UsageBuckets | null;
  /** The version of the prices that it was calculated with; null where none were used. */
  readonly catalogVersion: string | null;
  /** The entry of the price list that was taken for the model's own; null: none was. See `Price`. */
  readonly assumedPrice: string | null;
}
