import { zeroUsd, type MicroUsd } from "../contract/money.ts";
import { reportedCostUsdMax, serviceTierCharsMax } from "../contract/limits.ts";
import type { Price, RateCard, Rates } from "../contract/pricing.ts";
import { assumedEntry, rateNames } from "../contract/pricing.ts";
import {
  inputTokens,
  type Cost,
  type CostStatus,
  type UsageBucketName,
  type UsageBuckets,
  type UsageReport,
} from "../contract/usage.ts";
import { amountOf } from "./rate.ts";
import { cardOf, isLong, periodAt, tierName } from "./rate-selection.ts";
import { reportedCost } from "./reported-cost.ts";

/**
 * The cost of an answer: the cost that the provider reports, otherwise the answer's usage at the
 * prices for the time `at` (milliseconds since 1970) and for the service tier that the answer names.
 * Rounded once, at the end of the sum. `price` is undefined for a model without a price.
 */
export function costOf(report: UsageReport, price: Price | undefined, at: number): Cost {
  const { buckets } = report;
  const catalogVersion = price?.catalogVersion ?? null;
  const assumedPrice = assumedEntry(price);
  const named = tierName(report.serviceTier);
  const period = price === undefined ? undefined : periodAt(price, at);
  const card = period === undefined ? undefined : cardOf(period, named);
  const serviceTier = named !== null && named.length <= serviceTierCharsMax ? named : null;
  const of = (status: CostStatus, costMicroUsd: MicroUsd | null): Cost => ({
    costMicroUsd,
    status,
    buckets,
    catalogVersion,
    assumedPrice,
    serviceTier,
  });
  const reported = reportedCost(report.reportedCostUsd, reportedCostUsdMax);
  const free = card !== undefined && isFree(card);
  if (free && (reported === undefined || reported === 0n)) return of("free_request", zeroUsd);
  if (reported !== undefined) return of("upstream_reported_cost", reported);
  if (price === undefined) return of("unknown_model", null);
  if (card === undefined) return of("pricing_gap", null);
  if (buckets === null) {
    return of(
      report.streamed && !report.implausible ? "streaming_no_usage" : "missing_usage",
      null,
    );
  }
  const sum = unitsTimesRates(buckets, card);
  return sum === undefined ? of("pricing_gap", null) : of("calculated", amountOf(sum, "half_up"));
}

/** Whether every rate is 0 (design section 7, `free_request`). */
export function isFree(card: RateCard): boolean {
  return [card.rates, ...card.longContext.map(({ rates }) => rates)].every((rates) =>
    rateNames.every((name) => rates[name] === null || rates[name] === 0n),
  );
}

/**
 * The input buckets in their order in a prompt, from its end. Cached input is the beginning of a
 * prompt.
 */
const inputFromTheEnd = [
  "uncachedInput",
  "imageInput",
  "audioInput",
  "cacheWrite1h",
  "cacheWrite5m",
  "cacheRead",
] as const satisfies readonly UsageBucketName[];

const outputAndTools = [
  "outputText",
  "reasoning",
  "audioOutput",
  "imageOutput",
  "toolCalls",
] as const satisfies readonly UsageBucketName[];

/** Is told of each part of a sum: what was used, how much of it, and its rate. */
export type TellPart = (what: UsageBucketName | "request", units: number, rate: bigint) => void;

/**
 * The sum of units times rates, which `amountOf` turns into money. undefined: a rate that the usage needs is
 * missing.
 */
export function unitsTimesRates(
  buckets: UsageBuckets,
  card: RateCard,
  tell?: TellPart,
): bigint | undefined {
  const total = inputTokens(buckets);
  const long = card.longContext.filter((tier) => isLong(tier, total));
  const whole = long.findLast(({ scope }) => scope === "request");
  const rates = whole?.rates ?? card.rates;
  const sums = new Sum(tell);
  sums.add("request", 1, rates.request ?? 0n);
  for (const name of outputAndTools) sums.add(name, buckets[name], rateOf(rates, name));
  const excess = long.filter(
    (tier) => tier.scope === "excess" && tier.thresholdTokens >= (whole?.thresholdTokens ?? 0),
  );
  if (excess.length === 0) {
    for (const name of inputFromTheEnd) sums.add(name, buckets[name], rateOf(rates, name));
    return sums.total;
  }
  // Goes from the longest tier down. Each tier takes the rest of the prompt beyond its threshold.
  const left = { ...buckets };
  let taken = 0;
  for (const tier of [...excess.reverse(), { thresholdTokens: 0, rates }]) {
    let beyond = total - taken - tier.thresholdTokens;
    for (const name of inputFromTheEnd) {
      const tokens = Math.min(left[name], beyond);
      if (tokens <= 0) continue;
      sums.add(name, tokens, rateOf(tier.rates, name));
      left[name] -= tokens;
      beyond -= tokens;
      taken += tokens;
    }
  }
  return sums.total;
}

class Sum {
  #total = 0n;
  #gap = false;
  readonly #tell: TellPart | undefined;

  constructor(tell: TellPart | undefined) {
    this.#tell = tell;
  }

  /** `rate` undefined: there is no rate. That matters only if there are units. */
  add(what: UsageBucketName | "request", units: number, rate: bigint | undefined): void {
    if (units === 0) return;
    if (rate === undefined) {
      this.#gap = true;
      return;
    }
    this.#total += BigInt(units) * rate;
    this.#tell?.(what, units, rate);
  }

  get total(): bigint | undefined {
    return this.#gap ? undefined : this.#total;
  }
}

/** The rate of a bucket; undefined: a `pricing_gap`. `Rates` says which rate replaces a missing one. */
function rateOf(rates: Rates, bucket: UsageBucketName): bigint | undefined {
  switch (bucket) {
    case "uncachedInput":
      return rates.input;
    case "cacheRead":
    case "imageInput":
      return rates[bucket] ?? rates.input;
    case "outputText":
      return rates.output;
    case "reasoning":
      return rates.reasoning ?? rates.output;
    case "toolCalls":
      return rates.toolCall ?? undefined;
    default:
      return rates[bucket] ?? undefined;
  }
}
