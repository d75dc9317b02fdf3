import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanCostMicroUsd, scanRates, scanTokensMax } from "../../src/billing/scan-price.ts";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const rates = scanRates({
  injectionUsdPerMillion: "0.10",
  entityUsdPerMillion: "0.05",
  minimumBillableTokens: 100,
});

describe("the price of a scan (spec: Billing of scans and requests 3)", () => {
  test.each([
    // tokens, injection, entities, micro-dollars: round(max(tokens, 100) × rate)
    [100, true, false, 10n],
    [100, false, true, 5n],
    [100, true, true, 15n],
    [0, true, true, 15n],
    [99, true, true, 15n],
    [101, true, false, 10n], // 10.1
    [105, true, false, 11n], // 10.5
    [104, true, false, 10n], // 10.4
    [1_010, false, true, 51n], // 50.5
    [1_009, false, true, 50n], // 50.45
    [1_003, true, true, 150n], // 150.45: rounded once, 100.3 and 50.15 apart would be 150 too
    [1_005, true, true, 151n], // 150.75; rounded apart 101 + 50
    [1_000_000, true, true, 150_000n],
    [500, false, false, 0n],
  ])("%s tokens, injection %s, entities %s: %s", (billableTokens, injection, entities, cost) => {
    expect(scanCostMicroUsd({ billableTokens, injection, entities }, rates)).toEqual({
      ok: true,
      value: cost,
    });
  });

  test("a price below half a micro-dollar is none", () => {
    const cheap = scanRates({
      injectionUsdPerMillion: "0.004999",
      entityUsdPerMillion: "0.005",
      minimumBillableTokens: 100,
    });
    const scan = { billableTokens: 1, injection: true, entities: false };
    expect(scanCostMicroUsd(scan, cheap)).toEqual({ ok: true, value: 0n });
    const other = { ...scan, injection: false, entities: true };
    expect(scanCostMicroUsd(other, cheap)).toEqual({ ok: true, value: 1n });
  });

  test.each(["", "-0.1", "NaN", "1e-1", "free"])("a rate of %j is no price", (text) => {
    const broken = scanRates({
      injectionUsdPerMillion: text,
      entityUsdPerMillion: "0.05",
      minimumBillableTokens: 100,
    });
    const scan = { billableTokens: 100, injection: true, entities: true };
    expect(scanCostMicroUsd(scan, broken)).toMatchObject({
      ok: false,
      refusal: {
        code: "pricing_unavailable",
        message: expect.stringContaining(
          "Trying again does not help; pricing.scan.injectionUsdPerMillion",
        ) as unknown,
      },
    });
    expect(scanCostMicroUsd({ ...scan, injection: false }, broken)).toMatchObject({ ok: true });
  });
});

test("the version changes with a price, and with nothing else", () => {
  const prices = {
    injectionUsdPerMillion: "0.10",
    entityUsdPerMillion: "0.05",
    minimumBillableTokens: 100,
  };
  expect(rates.version).toMatch(/^[0-9a-f]{16}$/);
  const { minimumBillableTokens, ...others } = prices;
  expect(scanRates({ minimumBillableTokens, ...others }).version).toBe(rates.version);
  for (const change of [
    { injectionUsdPerMillion: "0.05", entityUsdPerMillion: "0.10" },
    { entityUsdPerMillion: "0.06" },
    { minimumBillableTokens: 101 },
  ]) {
    expect(scanRates({ ...prices, ...change }).version).not.toBe(rates.version);
  }
});

describe("the bound that is reserved", () => {
  test("is at least the tokens of the content's canonical form", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: "binary" })), (text) => {
        const sent = Buffer.byteLength(JSON.stringify(text));
        expect(countTokens(text)).toBeLessThanOrEqual(scanTokensMax(sent));
      }),
    );
    const sent = `[${Array(100).fill("1e20").join(",")}]`;
    const canonical = JSON.stringify(JSON.parse(sent));
    expect(countTokens(canonical)).toBeGreaterThan(sent.length);
    expect(countTokens(canonical)).toBeLessThanOrEqual(scanTokensMax(sent.length));
  });

  test("costs at least what the scan costs", () => {
    const tokens = fc.nat({ max: 10_000_000 });
    fc.assert(
      fc.property(tokens, tokens, fc.boolean(), fc.boolean(), (one, more, injection, entities) => {
        const cost = (billableTokens: number) => {
          const priced = scanCostMicroUsd({ billableTokens, injection, entities }, rates);
          return priced.ok ? priced.value : -1n;
        };
        expect(cost(one + more) >= cost(one)).toBe(true);
      }),
    );
  });
});
