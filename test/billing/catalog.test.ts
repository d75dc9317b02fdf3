import { describe, expect, test } from "vitest";
import { PriceCatalog } from "../../src/billing/catalog.ts";
import type { PriceFile } from "../../src/billing/price-file.ts";
import { parseRate } from "../../src/billing/rate.ts";
import { periodAt } from "../../src/billing/rate-selection.ts";
import { readSeedPrices } from "../../src/billing/seed-prices.ts";
import { assumedEntry, type Rate } from "../../src/contract/pricing.ts";
import type { ConfiguredPrice } from "../../src/contract/pricing-configuration.ts";
import { noon } from "./rates.ts";

const seed = readSeedPrices();
const catalog = new PriceCatalog(seed, {});
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

describe("the price list that comes with the gateway", () => {
  test("prices every model that it names", () => {
    for (const [provider, { models }] of Object.entries(seed.providers)) {
      for (const { id, match } of models) {
        const [clause = ""] = match ?? [`=${id}`];
        if (typeof clause !== "string" || clause.startsWith("~")) continue;
        const found = catalog.priceOf(provider, clause.slice(1), day("2026-11-01"));
        expect(found.ok, `${provider}/${id}`).toBe(true);
      }
    }
  });

  test.each([
    ["openai", "gpt-4o-2024-08-06", "openai/gpt-4o", "2.5", "10"],
    ["openai", "GPT-4o", "openai/gpt-4o", "2.5", "10"],
    ["anthropic", "claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5", "3", "15"],
    ["gemini", "gemini-2.5-flash", "google/gemini-2.5-flash", "0.3", "2.5"],
    ["azure", "gpt-4o", "openai/gpt-4o", "2.5", "10"],
    ["xai", "grok-code-fast-1", "x-ai/grok-code-fast-1", "0.2", "1.5"],
    ["azure-openai", "gpt-4o", "openai/gpt-4o", "2.5", "10"],
    ["openai", "text-embedding-3-small", "openai/text-embedding-3-small", "0.02", "0"],
    ["bedrock", "amazon.nova-lite-v1:0", "aws/amazon.nova-lite-v1:0", "0.06", "0.24"],
    ["vertex", "claude-3-5-haiku", "google/claude-3-5-haiku", "0.8", "4"],
    ["moonshot", "kimi-k2", "moonshotai/kimi-k2", "0.57", "2.3"],
    [
      "together-ai",
      "Austism/chronos-hermes-13b",
      "together/Austism/chronos-hermes-13b",
      "0.3",
      "0.3",
    ],
    [
      "together_ai",
      "Austism/chronos-hermes-13b",
      "together/Austism/chronos-hermes-13b",
      "0.3",
      "0.3",
    ],
    ["demo", "echo?tokens=100", "demo/echo", "0.1", "1"],
  ])("%s/%s is %s", (provider, model, entry, input, output) => {
    const found = catalog.priceOf(provider, model, noon);
    if (!found.ok) throw new Error(found.refusal.message);
    expect(found.value.entry).toBe(entry);
    const rates = periodAt(found.value, noon)?.standard.rates;
    expect(rates).toMatchObject({ input: parseRate(input), output: parseRate(output) });
  });

  test.each([
    ["openai", "no-such-model"],
    ["no-such-provider", "gpt-4o"],
    ["constructor", "gpt-4o"],
    ["openrouter", "openai/gpt-4o:online"],
    ["openai", "dall-e-3"],
  ])("%s/%s has no price", (provider, model) => {
    expect(catalog.priceOf(provider, model, noon)).toMatchObject({
      ok: false,
      refusal: { code: "pricing_unavailable" },
    });
  });
});

const file: PriceFile = {
  source: "test",
  providers: {
    shop: {
      models: [
        { id: "exact", prices: [{ rates: { in: "1", out: "1" } }] },
        {
          id: "early",
          match: ["^pre", "*mid", "$post"],
          prices: [{ rates: { in: "2", out: "2" } }],
        },
        { id: "premium", prices: [{ rates: { in: "3", out: "3" } }] },
        {
          id: "both",
          match: [["^a-", "~^(?!.*-x$)"]],
          prices: [{ rates: { in: "4", out: "4" } }],
        },
        {
          id: "dated-2025-08-07",
          context: 64_000,
          output: 8_000,
          prices: [{ rates: { in: ["5", 100, "50"], out: "5" } }],
        },
        {
          id: "changing",
          prices: [
            { rates: { in: "1", out: "1" } },
            { from: "2026-06-15", rates: { in: "2", out: "2" } },
            { daily: [60, 120], rates: { in: "3", out: "3" } },
            { daily: [23 * 60, 30], rates: { in: "4", out: "4" } },
          ],
        },
        { id: "late", match: ["^exact"], prices: [{ rates: { in: "6", out: "6" } }] },
        { id: "negative", prices: [{ rates: { in: "-1", out: "1" } }] },
        { id: "nan", prices: [{ rates: { in: "1", out: "NaN" } }] },
        { id: "no-output", prices: [{ rates: { in: "1" } }] },
        { id: "never", prices: [] },
        { id: "later", prices: [{ from: "2030-01-01", rates: { in: "1", out: "1" } }] },
      ],
    },
    branch: {
      fallbacks: ["shop"],
      models: [{ id: "own", prices: [{ rates: { in: "9", out: "9" } }] }],
    },
  },
};

function inputRate(prices: PriceCatalog, model: string, at = noon): Rate | string | undefined {
  const [provider = "", ...id] = model.split("/");
  const found = prices.priceOf(provider, id.join("/"), at);
  if (!found.ok) return found.refusal.code;
  return periodAt(found.value, at)?.standard.rates.input;
}

function assumed(prices: PriceCatalog, model: string): string | null {
  const [provider = "", ...id] = model.split("/");
  const found = prices.priceOf(provider, id.join("/"), noon);
  return found.ok ? assumedEntry(found.value) : found.refusal.code;
}

describe("which entry a name means", () => {
  const shop = new PriceCatalog(file, {});
  test.each([
    ["shop/exact", "1"],
    ["shop/EXACT", "1"],
    ["shop/exact2", "6"],
    ["shop/inexact", "pricing_unavailable"],
    ["shop/prefix", "2"],
    ["shop/prefix:online", "pricing_unavailable"],
    ["shop/a mid b", "2"],
    ["shop/xpost", "2"],
    ["shop/premium", "2"],
    ["shop/a-y", "4"],
    ["shop/a-x", "pricing_unavailable"],
    ["shop/dated-20250807", "5"],
    ["shop/negative", "pricing_unavailable"],
    ["shop/nan", "pricing_unavailable"],
    ["shop/no-output", "pricing_unavailable"],
    ["shop/never", "pricing_unavailable"],
    ["shop/later", "pricing_unavailable"],
    ["branch/own", "9"],
    ["branch/exact", "1"],
    ["shop/own", "pricing_unavailable"],
  ])("%s: %s", (model, rate) => {
    expect(inputRate(shop, model)).toBe(parseRate(rate) ?? rate);
    expect(inputRate(shop, model)).toBe(parseRate(rate) ?? rate);
  });

  test.each([
    ["shop/exact", null],
    ["shop/EXACT", null],
    // The list's word for this provider, though the entry has another name.
    ["shop/pre", null],
    ["shop/early", "pricing_unavailable"],
    ["shop/prefix", "shop/early"],
    ["shop/a mid b", "shop/early"],
    ["shop/xpost", "shop/early"],
    ["shop/a-y", "shop/both"],
    // A date with dashes, or without.
    ["shop/dated-20250807", null],
    ["branch/exact", null],
    ["branch/prefix", "shop/early"],
  ])("whether the price of %s is assumed: %s", (model, entry) => {
    expect(assumed(shop, model)).toBe(entry);
  });

  test("a configured price is the model's own", () => {
    const own = { inputUsdPerMillion: "7", outputUsdPerMillion: "8" };
    expect(assumed(new PriceCatalog(file, { "shop/prefix": own }), "shop/prefix")).toBeNull();
  });

  test.each([
    ["anthropic/claude-sonnet-5", null],
    ["anthropic/claude-5-sonnet", null],
    // Providers have changed a model's price with its date, and whole versions begin alike.
    ["anthropic/claude-sonnet-5-20260901", "anthropic/claude-sonnet-5"],
    ["anthropic/claude-sonnet-5-9", "anthropic/claude-sonnet-5"],
    ["openai/gpt-5-nano-next", "openai/gpt-5-nano"],
    ["azure/gpt-4o", null],
    // One price for whatever it is asked for.
    ["demo/echo?tokens=100", null],
  ])("in the list that comes with the gateway, of %s: %s", (model, entry) => {
    expect(assumed(catalog, model)).toBe(entry);
  });

  test.each([
    ["2026-06-14T12:00:00Z", "1"],
    ["2026-06-15T00:30:00Z", "2"],
    ["2026-06-15T00:29:59Z", "4"],
    ["2026-06-15T01:00:00Z", "3"],
    ["2026-06-15T01:59:59Z", "3"],
    ["2026-06-15T02:00:00Z", "2"],
    ["2026-06-15T23:00:00Z", "4"],
  ])("at %s the rate is %s", (at, rate) => {
    expect(inputRate(shop, "shop/changing", Date.parse(at))).toBe(parseRate(rate));
  });
});

describe("configured prices", () => {
  const own: ConfiguredPrice = { inputUsdPerMillion: "7", outputUsdPerMillion: "8" };

  test("go before the list, and take its ceilings", () => {
    const prices = new PriceCatalog(file, { "shop/dated-2025-08-07": own });
    expect(inputRate(prices, "shop/dated-2025-08-07")).toBe(parseRate("7"));
    const found = prices.priceOf("shop", "dated-2025-08-07", noon);
    expect(found).toMatchObject({
      ok: true,
      value: { source: "configuration", contextTokensMax: 64_000, outputTokensMax: 8_000 },
    });
    const set = { ...own, contextTokensMax: 5, outputTokensMax: 6 };
    const other = new PriceCatalog(file, { "shop/dated-2025-08-07": set });
    expect(other.priceOf("shop", "dated-2025-08-07", noon)).toMatchObject({
      value: { contextTokensMax: 5, outputTokensMax: 6 },
    });
  });

  test("of the demo model hold with parameters behind its name", () => {
    expect(inputRate(new PriceCatalog(seed, { "demo/echo": own }), "demo/echo?tokens=5")).toBe(
      parseRate("7"),
    );
  });

  test.each(["-1", "NaN", "", "1e3"])(
    "a rate of %j is no price, and the list is no way out",
    (text) => {
      const prices = new PriceCatalog(file, { "shop/exact": { ...own, requestUsd: text } });
      expect(inputRate(prices, "shop/exact")).toBe("pricing_unavailable");
    },
  );

  test("hold from and until", () => {
    const bounded = { ...own, validFrom: "2026-06-01", validUntil: "2026-07-01T00:00:00Z" };
    const prices = new PriceCatalog(file, { "shop/exact": bounded });
    expect(inputRate(prices, "shop/exact", day("2026-06-01"))).toBe(parseRate("7"));
    expect(inputRate(prices, "shop/exact", day("2026-06-01") - 1)).toBe("pricing_unavailable");
    expect(inputRate(prices, "shop/exact", day("2026-07-01"))).toBe("pricing_unavailable");
  });
});

describe("the catalog's version", () => {
  const own: ConfiguredPrice = { inputUsdPerMillion: "7", outputUsdPerMillion: "8" };
  test("is the same for the same prices, in whatever order", () => {
    const one = new PriceCatalog(file, { "a/b": own, "c/d": own });
    const other = new PriceCatalog(file, { "c/d": own, "a/b": own });
    expect(one.version).toBe(other.version);
    expect(one.version).toMatch(/^[0-9a-f]{16}$/);
  });

  test("is another one with another price", () => {
    const versions = [
      new PriceCatalog(file, {}),
      new PriceCatalog(seed, {}),
      new PriceCatalog(file, { "a/b": own }),
      new PriceCatalog(file, { "a/b": { ...own, outputUsdPerMillion: "8.1" } }),
    ].map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
  });
});
