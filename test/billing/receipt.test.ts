import fc from "fast-check";
import { expect, test } from "vitest";
import { costOf } from "../../src/billing/cost.ts";
import { receiptOf, scanReceiptOf, type ReceiptLine } from "../../src/billing/receipt.ts";
import { scanCostMicroUsd, scanRates } from "../../src/billing/scan-price.ts";
import { noUsage } from "../../src/contract/usage.ts";
import { configured, noon, used } from "./rates.ts";

const price = configured({
  inputUsdPerMillion: "1.25",
  outputUsdPerMillion: "10",
  cacheReadUsdPerMillion: "0.125",
  longContext: [{ thresholdTokens: 1000, inputUsdPerMillion: "2.5", outputUsdPerMillion: "15" }],
  serviceTiers: { flex: { inputUsdPerMillion: "0.625", outputUsdPerMillion: "5" } },
});

/** 10⁻²⁴ US dollars. */
function exact(lines: readonly ReceiptLine[]): bigint {
  return lines.reduce((sum, { amountUsd }) => {
    const [whole = "0", places = ""] = amountUsd.split(".");
    return sum + BigInt(whole + places.padEnd(24, "0"));
  }, 0n);
}

test("a receipt leads to the cost, and its lines to their sum", () => {
  const tokens = fc.nat({ max: 3000 });
  const usage = fc.record({
    uncachedInput: tokens,
    cacheRead: tokens,
    outputText: tokens,
    reasoning: tokens,
  });
  fc.assert(
    fc.property(usage, fc.constantFrom(null, "flex"), (buckets, serviceTier) => {
      const report = used(buckets, { serviceTier });
      const cost = costOf(report, price, noon);
      const receipt = receiptOf({ ...noUsage, ...buckets }, price, cost.serviceTier, noon);
      expect(receipt?.total).toBe(cost.costMicroUsd);
      const micro = 10n ** 18n;
      expect((exact(receipt?.lines ?? []) + micro / 2n) / micro).toBe(cost.costMicroUsd);
    }),
  );
});

test("lines name what is counted, and nothing that is not", () => {
  const buckets = { ...noUsage, uncachedInput: 12, outputText: 4 };
  expect(receiptOf(buckets, price, null, noon)?.lines).toEqual([
    { unit: "outputText", units: 4, usdPerMillion: "10", amountUsd: "0.00004" },
    { unit: "uncachedInput", units: 12, usdPerMillion: "1.25", amountUsd: "0.000015" },
  ]);
  expect(receiptOf(buckets, price, "unheard-of", noon)).toBeNull();
});

test("a scan's receipt charges the least that is billed, once for each family", () => {
  const rates = scanRates({
    injectionUsdPerMillion: "0.15",
    entityUsdPerMillion: "0.1",
    minimumBillableTokens: 100,
  });
  const families = { injection: true, entities: true };
  const receipt = scanReceiptOf(4, families, rates);
  const cost = scanCostMicroUsd({ billableTokens: 4, ...families }, rates);
  expect(receipt?.lines.map(({ units }) => units)).toEqual([
    rates.minimumBillableTokens,
    rates.minimumBillableTokens,
  ]);
  expect(cost).toEqual({ ok: true, value: receipt?.total });
});
