import { PriceCatalog } from "../../src/billing/catalog.ts";
import type { ConfiguredPrice } from "../../src/contract/pricing-configuration.ts";
import type { Price } from "../../src/contract/pricing.ts";
import { noUsage, type UsageBuckets, type UsageReport } from "../../src/contract/usage.ts";

export const noon = Date.parse("2026-06-15T12:00:00Z");

/** The price that a configuration gives a model which no list has. */
export function configured(price: ConfiguredPrice): Price {
  const catalog = new PriceCatalog({ source: "test", providers: {} }, { "test/model": price });
  const found = catalog.priceOf("test", "model", noon);
  if (!found.ok) throw new Error(found.refusal.message);
  return found.value;
}

export function used(buckets: Partial<UsageBuckets>, more: Partial<UsageReport> = {}): UsageReport {
  return {
    streamed: false,
    buckets: { ...noUsage, ...buckets },
    implausible: false,
    serviceTier: null,
    reportedCostUsd: null,
    ...more,
  };
}
