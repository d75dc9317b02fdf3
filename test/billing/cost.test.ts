import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf } from "../../src/billing/cost.ts";
import { reportedCost } from "../../src/billing/reported-cost.ts";
import type { ConfiguredPrice } from "../../src/contract/pricing-configuration.ts";
import type { CostStatus, UsageReport } from "../../src/contract/usage.ts";
import { configured, noon, used } from "./rates.ts";

const plain: ConfiguredPrice = { inputUsdPerMillion: "1", outputUsdPerMillion: "2" };

const statuses: readonly {
  readonly name: string;
  readonly report: UsageReport;
  readonly price: ConfiguredPrice | null;
  readonly status: CostStatus;
  readonly microUsd: bigint | null;
}[] = [
  {
    name: "usage at its price",
    report: used({ uncachedInput: 10, outputText: 5 }),
    price: plain,
    status: "calculated",
    microUsd: 20n,
  },
  {
    name: "the provider's word goes before the price list",
    report: used({ uncachedInput: 10, outputText: 5 }, { reportedCostUsd: "0.000019" }),
    price: plain,
    status: "upstream_reported_cost",
    microUsd: 19n,
  },
  {
    name: "the provider's word needs no price and no usage",
    report: used({}, { buckets: null, reportedCostUsd: "1.5" }),
    price: null,
    status: "upstream_reported_cost",
    microUsd: 1_500_000n,
  },
  {
    name: "a negative cost is not believed",
    report: used({ uncachedInput: 10 }, { reportedCostUsd: "-1" }),
    price: plain,
    status: "calculated",
    microUsd: 10n,
  },
  {
    name: "no price",
    report: used({ uncachedInput: 10 }),
    price: null,
    status: "unknown_model",
    microUsd: null,
  },
  {
    name: "cache writes without a rate",
    report: used({ uncachedInput: 10, cacheWrite5m: 1 }),
    price: plain,
    status: "pricing_gap",
    microUsd: null,
  },
  {
    name: "a tool without a fee in the list",
    report: used({ toolCalls: 1 }),
    price: plain,
    status: "pricing_gap",
    microUsd: null,
  },
  {
    name: "a price that has not begun",
    report: used({ uncachedInput: 1 }),
    price: { ...plain, validFrom: "2026-06-15", validUntil: "2026-06-15T13:00:00Z" },
    status: "calculated",
    microUsd: 1n,
  },
  {
    name: "a tier that the list has",
    report: used({ uncachedInput: 10, outputText: 5 }, { serviceTier: "Flex" }),
    price: { ...plain, serviceTiers: { flex: { inputUsdPerMillion: "0.5" } } },
    status: "calculated",
    microUsd: 15n,
  },
  {
    name: "a tier that it has not",
    report: used({ uncachedInput: 10 }, { serviceTier: "priority" }),
    price: plain,
    status: "pricing_gap",
    microUsd: null,
  },
  {
    name: "another name of the standard tier",
    report: used({ uncachedInput: 10 }, { serviceTier: "on_demand" }),
    price: plain,
    status: "calculated",
    microUsd: 10n,
  },
  {
    name: "no usage in JSON",
    report: used({}, { buckets: null }),
    price: plain,
    status: "missing_usage",
    microUsd: null,
  },
  {
    name: "usage that can't be true, in a stream",
    report: used({}, { buckets: null, streamed: true, implausible: true }),
    price: plain,
    status: "missing_usage",
    microUsd: null,
  },
  {
    name: "no usage in a stream",
    report: used({}, { buckets: null, streamed: true }),
    price: plain,
    status: "streaming_no_usage",
    microUsd: null,
  },
  {
    name: "a free model, whatever it has used",
    report: used({}, { buckets: null, streamed: true }),
    price: { inputUsdPerMillion: "0", outputUsdPerMillion: "0.00" },
    status: "free_request",
    microUsd: 0n,
  },
  {
    name: "a model that is free up to a length alone",
    report: used({ uncachedInput: 101 }),
    price: {
      inputUsdPerMillion: "0",
      outputUsdPerMillion: "0",
      longContext: [{ thresholdTokens: 100, inputUsdPerMillion: "1" }],
    },
    status: "calculated",
    microUsd: 101n,
  },
  {
    name: "a model whose list is free, but whose provider charged",
    report: used({ uncachedInput: 1 }, { reportedCostUsd: "0.01" }),
    price: { inputUsdPerMillion: "0", outputUsdPerMillion: "0" },
    status: "upstream_reported_cost",
    microUsd: 10_000n,
  },
  {
    name: "a request's fee",
    report: used({ uncachedInput: 10 }),
    price: { ...plain, requestUsd: "0.005" },
    status: "calculated",
    microUsd: 5_010n,
  },
  {
    name: "reasoning and images at rates of their own",
    report: used({ reasoning: 10, imageInput: 10, imageOutput: 10 }),
    price: {
      ...plain,
      reasoningUsdPerMillion: "3",
      imageInputUsdPerMillion: "4",
      imageOutputUsdPerMillion: "5",
    },
    status: "calculated",
    microUsd: 120n,
  },
  {
    name: "reasoning as output, cached and image input as input, where they have none",
    report: used({ reasoning: 10, imageInput: 10, cacheRead: 10 }),
    price: plain,
    status: "calculated",
    microUsd: 40n,
  },
  {
    name: "one rounding, at the end",
    report: used({ uncachedInput: 1, cacheRead: 1, outputText: 1 }),
    price: {
      inputUsdPerMillion: "0.4",
      cacheReadUsdPerMillion: "0.4",
      outputUsdPerMillion: "0.4",
    },
    status: "calculated",
    microUsd: 1n, // 1.2; each for itself would be 0
  },
  {
    name: "the finest published price",
    report: used({ cacheWrite5m: 6_000_000, uncachedInput: 1 }),
    price: {
      inputUsdPerMillion: "0.00000000000000001",
      outputUsdPerMillion: "0",
      cacheWrite5mUsdPerMillion: "0.08333333333333334",
    },
    status: "calculated",
    microUsd: 500_000n,
  },
];

describe("what an answer cost", () => {
  test.each(statuses)("$name: $status", ({ report, price, status, microUsd }) => {
    const cost = costOf(report, price === null ? undefined : configured(price), noon);
    expect(cost).toMatchObject({ status, costMicroUsd: microUsd, buckets: report.buckets });
    expect(cost.catalogVersion).toEqual(price === null ? null : expect.stringMatching(/^\w{16}$/));
  });

  test("a price that no longer holds is a gap", () => {
    const price = configured({ ...plain, validUntil: "2026-07-01" });
    const after = Date.parse("2026-07-01T00:00:00Z");
    expect(costOf(used({ uncachedInput: 1 }), price, after - 1).status).toBe("calculated");
    expect(costOf(used({ uncachedInput: 1 }), price, after).status).toBe("pricing_gap");
  });
});

describe("long input", () => {
  const long = (more: object): ConfiguredPrice => ({
    ...plain,
    cacheReadUsdPerMillion: "0.1",
    longContext: [
      {
        thresholdTokens: 100,
        inputUsdPerMillion: "10",
        cacheReadUsdPerMillion: "1",
        outputUsdPerMillion: "20",
        ...more,
      },
    ],
  });
  test.each([
    // uncached, cached, output → micro-dollars
    ["above, at the threshold", {}, 100, 0, 1, 102n],
    ["above, one more", {}, 101, 0, 1, 1_030n],
    ["cached input counts", {}, 1, 100, 1, 130n],
    ["at or above", { operator: "at_or_above" }, 100, 0, 1, 1_020n],
    ["excess: the end of the prompt, output as ever", { scope: "excess" }, 150, 0, 1, 602n],
    // 120 cached, then 30: 50 are beyond; 30 × 10 + 20 × 1 + 100 × 0.1 + 2
    ["excess: reaches into the cached beginning", { scope: "excess" }, 30, 120, 1, 332n],
    ["excess: none at the threshold", { scope: "excess" }, 100, 0, 1, 102n],
  ])("%s", (_, more, uncachedInput, cacheRead, outputText, microUsd) => {
    const report = used({ uncachedInput, cacheRead, outputText });
    expect(costOf(report, configured(long(more)), noon).costMicroUsd).toBe(microUsd);
  });

  test("two thresholds of excess are brackets", () => {
    const price = configured({
      ...plain,
      longContext: [
        { thresholdTokens: 200, scope: "excess", inputUsdPerMillion: "3" },
        { thresholdTokens: 100, scope: "excess", inputUsdPerMillion: "2" },
      ],
    });
    // 100 × 1 + 100 × 2 + 50 × 3
    expect(costOf(used({ uncachedInput: 250 }), price, noon).costMicroUsd).toBe(450n);
  });

  test("what the whole request costs from a threshold on replaces the excess of lower ones", () => {
    const price = configured({
      ...plain,
      longContext: [
        { thresholdTokens: 100, scope: "excess", inputUsdPerMillion: "3" },
        { thresholdTokens: 200, scope: "request", inputUsdPerMillion: "2" },
      ],
    });
    expect(costOf(used({ uncachedInput: 250 }), price, noon).costMicroUsd).toBe(500n);
  });

  test("one threshold can raise the request and its excess", () => {
    const price = configured({
      ...plain,
      longContext: [
        { thresholdTokens: 100, scope: "request", inputUsdPerMillion: "2" },
        { thresholdTokens: 100, scope: "excess", inputUsdPerMillion: "3" },
      ],
    });
    // 100 × 2 + 50 × 3
    expect(costOf(used({ uncachedInput: 150 }), price, noon).costMicroUsd).toBe(350n);
  });
});

describe("long input of a service tier", () => {
  const price = (more: object) =>
    configured({
      ...plain,
      longContext: [{ thresholdTokens: 100, inputUsdPerMillion: "10" }],
      serviceTiers: { priority: { inputUsdPerMillion: "5", outputUsdPerMillion: "7", ...more } },
    });
  test.each([
    // input, output → micro-dollars
    ["short", {}, 100, 1, 507n],
    ["what it leaves out is as in the standard one", {}, 200, 1, 2_007n],
    [
      "its own",
      { longContext: [{ thresholdTokens: 150, inputUsdPerMillion: "20" }] },
      200,
      1,
      4_007n,
    ],
    ["its own, not reached", { longContext: [{ thresholdTokens: 300 }] }, 200, 1, 1_007n],
    ["none", { longContext: [] }, 200, 1, 1_007n],
  ])("%s", (_, more, uncachedInput, outputText, microUsd) => {
    const report = { ...used({ uncachedInput, outputText }), serviceTier: "priority" };
    expect(costOf(report, price(more), noon).costMicroUsd).toBe(microUsd);
  });
});

describe("a cost as a provider spells it", () => {
  test.each([
    ["0", 0n],
    ["0.00014445", 144n],
    ["0.0001445", 145n],
    ["1.4e-4", 140n],
    ["14E-5", 140n],
    ["1e0", 1_000_000n],
    ["1.5e+1", 15_000_000n],
    ["0.0000004999999999999999999999", 0n],
    ["0.0000005", 1n],
    ["1e-400", 0n],
    ["1e-300", 0n],
    ["100000", 100_000_000_000n],
    ["100000.000001", undefined],
    ["1e999", undefined],
    ["0e999", 0n],
    ["-0.1", undefined],
    ["NaN", undefined],
    ['"0.1"', undefined],
    ["null", undefined],
  ])("%s", (text, microUsd) => {
    expect(reportedCost(text, 100_000)).toBe(microUsd);
  });

  test("is off by half a micro-dollar at most", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1000, noNaN: true }), (usd) => {
        const amount = Number(reportedCost(JSON.stringify(usd), 100_000));
        expect(Math.abs(amount - usd * 1e6)).toBeLessThanOrEqual(0.5000001);
      }),
    );
  });
});
