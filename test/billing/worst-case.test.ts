import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf } from "../../src/billing/cost.ts";
import { worstCaseMicroUsd, type WorstCaseRequest } from "../../src/billing/worst-case.ts";
import type { ErrorCode } from "../../src/contract/errors.ts";
import type { ConfiguredPrice } from "../../src/contract/pricing-configuration.ts";
import type { PricePeriod } from "../../src/contract/pricing.ts";
import type { UsageBuckets } from "../../src/contract/usage.ts";
import { configured, noon, used } from "./rates.ts";

const plain: ConfiguredPrice = { inputUsdPerMillion: "1", outputUsdPerMillion: "2" };
const free: ConfiguredPrice = { inputUsdPerMillion: "0", outputUsdPerMillion: "0" };
const request: WorstCaseRequest = {
  textBytes: 1_000,
  toolBytes: 0,
  messages: 2,
  tools: 0,
  hasMedia: false,
  hasAudioInput: false,
  wantsAudioOutput: false,
  cacheWrites: "none",
  predictionBytes: 0,
  choices: 1,
  outputTokensMax: 100,
  perUseToolCalls: 0,
  hasBilledTools: false,
  compacts: "never",
  unboundedBy: null,
  serviceTier: null,
};
/** 1000 bytes, 2 × 16 around messages, 256 around the request. */
const inputMax = 1_288n;

function worst(more: Partial<WorstCaseRequest>, price: ConfiguredPrice) {
  return worstCaseMicroUsd({ ...request, ...more }, configured(price), noon);
}

describe("the worst case", () => {
  const flex = { flex: { inputUsdPerMillion: "0.5" }, priority: { outputUsdPerMillion: "4" } };
  test.each<[string, Partial<WorstCaseRequest>, ConfiguredPrice, bigint]>([
    ["text and its cap", {}, plain, inputMax + 200n],
    ["every choice", { choices: 3 }, plain, inputMax + 600n],
    ["the context is a ceiling", {}, { ...plain, contextTokensMax: 1_000 }, 1_000n + 200n],
    ["media fill the context", { hasMedia: true }, { ...plain, contextTokensMax: 8_000 }, 8_200n],
    [
      "media at the dearest rate of a medium",
      { hasMedia: true, hasAudioInput: true },
      { ...plain, contextTokensMax: 8_000, audioInputUsdPerMillion: "4" },
      32_200n,
    ],
    [
      "images at theirs",
      { hasMedia: true },
      { ...plain, contextTokensMax: 8_000, imageInputUsdPerMillion: "3" },
      24_200n,
    ],
    [
      "no media, no rate of media",
      {},
      { ...plain, imageInputUsdPerMillion: "3", audioInputUsdPerMillion: "4" },
      inputMax + 200n,
    ],
    [
      "no cap: the model's",
      { outputTokensMax: null },
      { ...plain, outputTokensMax: 500 },
      inputMax + 1_000n,
    ],
    [
      "no cap at all: the context's",
      { outputTokensMax: null },
      { ...plain, contextTokensMax: 2_000 },
      inputMax + 4_000n,
    ],
    [
      "a cap above the model's own is believed",
      { outputTokensMax: 900 },
      { ...plain, outputTokensMax: 500 },
      inputMax + 1_800n,
    ],
    ["tools", { tools: 2, toolBytes: 300 }, plain, inputMax + 2_048n + 128n + 300n + 200n],
    ["a request's fee", {}, { ...plain, requestUsd: "0.001" }, inputMax + 200n + 1_000n],
    ["predictions", { predictionBytes: 50 }, plain, inputMax + 300n],
    [
      "a tool's fee, and what it brings in",
      { perUseToolCalls: 3, hasBilledTools: true },
      { ...plain, toolCallUsd: "0.01", contextTokensMax: 2_000 },
      4n * 2_000n + 200n + 30_000n,
    ],
    [
      "a summary of the context, as long as the model writes",
      { compacts: "always" },
      { ...plain, contextTokensMax: 2_000, outputTokensMax: 500 },
      2n * 2_000n + 200n + 1_000n,
    ],
    [
      "no summary of a short context",
      { compacts: "long" },
      { ...plain, contextTokensMax: 2_000, outputTokensMax: 500 },
      inputMax + 200n,
    ],
    [
      "a summary of a long one",
      { compacts: "long", textBytes: 50_000 },
      { ...plain, contextTokensMax: 60_000, outputTokensMax: 500 },
      2n * 60_000n + 200n + 1_000n,
    ],
    [
      "a summary before each reading",
      { compacts: "long", perUseToolCalls: 1 },
      { ...plain, contextTokensMax: 2_000, outputTokensMax: 500 },
      4n * 2_000n + 200n + 2n * 1_000n,
    ],
    ["the dearest tier", {}, { ...plain, serviceTiers: flex }, inputMax + 400n],
    [
      "the tier asked for, or the standard one in its stead",
      { serviceTier: "flex" },
      { ...plain, serviceTiers: flex },
      inputMax + 200n,
    ],
    [
      "the standard tier asked for",
      { serviceTier: "default" },
      { ...plain, serviceTiers: flex },
      inputMax + 200n,
    ],
    [
      "the dearest kind of input",
      { cacheWrites: "1h" },
      { ...plain, cacheWrite5mUsdPerMillion: "1.25", cacheWrite1hUsdPerMillion: "2" },
      2n * inputMax + 200n,
    ],
    [
      "writes for five minutes only",
      { cacheWrites: "5m" },
      { ...plain, cacheWrite5mUsdPerMillion: "1.25", cacheWrite1hUsdPerMillion: "2" },
      1_610n + 200n,
    ],
    [
      "writes that the provider does on its own",
      { cacheWrites: "automatic" },
      { ...plain, cacheWrite5mUsdPerMillion: "1.25", cacheWrite1hUsdPerMillion: "2" },
      1_610n + 200n,
    ],
    [
      "no writes asked for where they must be",
      {},
      { ...plain, cacheWrite5mUsdPerMillion: "1.25" },
      inputMax + 200n,
    ],
    ["the dearest kind of output", {}, { ...plain, reasoningUsdPerMillion: "5" }, inputMax + 500n],
    [
      "long input that can be reached",
      {},
      { ...plain, longContext: [{ thresholdTokens: 1_200, inputUsdPerMillion: "3" }] },
      3n * inputMax + 200n,
    ],
    [
      "long input that can't",
      {},
      { ...plain, longContext: [{ thresholdTokens: 1_288, inputUsdPerMillion: "3" }] },
      inputMax + 200n,
    ],
    ["rounded up", {}, { ...plain, outputUsdPerMillion: "0.001" }, inputMax + 1n],
    [
      "nothing, of a free model without a ceiling",
      { outputTokensMax: null, hasMedia: true },
      free,
      0n,
    ],
    ["nothing, of a free model's own tools", { unboundedBy: "tools" }, free, 0n],
    ["nothing, of a free model's own functions", { unboundedBy: "functions" }, free, 0n],
    [
      "a model that is free up to a length alone",
      {},
      { ...free, longContext: [{ thresholdTokens: 1_200, inputUsdPerMillion: "3" }] },
      3n * inputMax,
    ],
  ])("%s", (_, more, price, microUsd) => {
    expect(worst(more, price)).toEqual({ ok: true, value: microUsd });
  });

  test.each<[string, Partial<WorstCaseRequest>, ErrorCode, object]>([
    ["no cap", { outputTokensMax: null }, "insufficient_balance", { reason: "cost_unbounded" }],
    ["media", { hasMedia: true }, "insufficient_balance", { reason: "cost_unbounded" }],
    ["a tool", { unboundedBy: "tools" }, "insufficient_balance", { reason: "cost_unbounded" }],
    ["n", { choices: undefined }, "invalid_request", { param: "n" }],
    ["a great n", { choices: 129 }, "invalid_request", { param: "n" }],
  ])("%s has no bound", (_, more, code, details) => {
    expect(worst(more, plain)).toMatchObject({ ok: false, refusal: { code, details } });
  });

  test.each(["models", "fallbacks", "plugins"])("%s has no bound for a free model either", (by) => {
    expect(worst({ unboundedBy: by }, free)).toMatchObject({
      refusal: { code: "insufficient_balance", details: { reason: "cost_unbounded" } },
    });
  });

  test.each<[string, Partial<WorstCaseRequest>, RegExp]>([
    ["no cap", { outputTokensMax: null }, /Set max_tokens, or use your own/],
    ["media", { hasMedia: true }, /contextTokensMax set for the model, or use your own/],
    ["a tool", { unboundedBy: "tools" }, /"tools" .* Set max_uses/],
    ["a member", { unboundedBy: "plugins" }, /"plugins" .* Leave it out/],
  ])("%s: the message says what helps", (_, more, cure) => {
    const refused = worst(more, plain);
    expect(refused.ok ? "" : refused.refusal.message).toMatch(cure);
  });

  const written = { cacheWrite1hUsdPerMillion: "2" };
  const writtenShortly = { cacheWrite5mUsdPerMillion: "1.25" };
  test.each<[string, Partial<WorstCaseRequest>, object, string]>([
    ["a tier", { serviceTier: "priority" }, {}, "the service tier asked for"],
    ["audio input", { hasMedia: true, hasAudioInput: true }, {}, "audio input"],
    ["audio output", { wantsAudioOutput: true }, {}, "audio output"],
    ["cache writes", { cacheWrites: "5m" }, written, "cache writes"],
    ["an hour's writes, of which some are short", { cacheWrites: "1h" }, written, "cache writes"],
    ["an hour's writes", { cacheWrites: "1h" }, writtenShortly, "cache writes for an hour"],
    ["a tool's fee", { perUseToolCalls: 1, hasBilledTools: true }, {}, "tools of the provider"],
  ])("%s without a rate is refused beforehand", (_, more, rates, what) => {
    expect(worst(more, { ...plain, ...rates, contextTokensMax: 1_000 })).toMatchObject({
      ok: false,
      refusal: {
        code: "pricing_unavailable",
        message: `The model test/model has no price for ${what}.`,
      },
    });
  });

  test("prices that begin to hold within a day count, and those of other times of the day", () => {
    const [now] = configured(plain).periods;
    const [dear] = configured({ ...plain, inputUsdPerMillion: "9" }).periods;
    if (now === undefined || dear === undefined) throw new Error("no period");
    const from = noon + 86_400_000;
    const daily = { fromMinute: 0, untilMinute: 60 };
    const worstAmong = (...periods: readonly PricePeriod[]) =>
      worstCaseMicroUsd(request, { ...configured(plain), periods }, noon);
    const worstOf = (period: PricePeriod) => worstAmong(now, period);
    const dearest = { ok: true, value: 9n * inputMax + 200n };
    expect(worstOf({ ...dear, from })).toEqual(dearest);
    expect(worstOf({ ...dear, daily })).toEqual(dearest);
    const usual = { ok: true, value: inputMax + 200n };
    expect(worstOf({ ...dear, from: from + 1 })).toEqual(usual);
    expect(worstOf({ ...dear, until: noon })).toEqual(usual);
    expect(worstAmong(dear, now)).toEqual(usual);
    expect(worstAmong(dear, { ...now, from: noon })).toEqual(usual);
    expect(worstAmong(dear, { ...now, from: noon + 1 })).toEqual(dearest);
    expect(worstAmong(dear, { ...now, until: from })).toEqual(dearest);
    expect(worstAmong(dear, { ...now, until: from + 1 })).toEqual(usual);
    expect(worstAmong(dear, { ...now, daily })).toEqual(dearest);
  });
});

const rate = fc.nat({ max: 10 ** 9 }).map((nano) => (nano / 1e9).toFixed(9));
const optionalRate = fc.option(rate, { nil: undefined });
const rates = {
  inputUsdPerMillion: rate,
  outputUsdPerMillion: rate,
  cacheReadUsdPerMillion: optionalRate,
  cacheWrite5mUsdPerMillion: rate,
  cacheWrite1hUsdPerMillion: rate,
  reasoningUsdPerMillion: optionalRate,
  audioInputUsdPerMillion: rate,
  audioOutputUsdPerMillion: rate,
  imageInputUsdPerMillion: optionalRate,
  imageOutputUsdPerMillion: rate,
  requestUsd: rate,
  toolCallUsd: rate,
};
const longContext = fc.array(
  fc.record({
    thresholdTokens: fc.integer({ min: 1, max: 3_000 }),
    operator: fc.constantFrom("above" as const, "at_or_above" as const),
    scope: fc.constantFrom("request" as const, "excess" as const),
    ...rates,
  }),
  { maxLength: 3 },
);
const prices = fc.record({
  ...rates,
  contextTokensMax: fc.integer({ min: 1, max: 4_000 }),
  longContext,
  serviceTiers: fc.record({ flex: fc.record({ ...rates, longContext }) }),
});

/** Splits a number of tokens over buckets. */
function split(total: number, names: readonly (keyof UsageBuckets)[], shares: readonly number[]) {
  let left = total;
  const buckets: Partial<Record<keyof UsageBuckets, number>> = {};
  for (const [i, name] of names.entries()) {
    const part = i === names.length - 1 ? left : Math.floor(left * (shares[i] ?? 0));
    buckets[name] = part;
    left -= part;
  }
  return buckets;
}

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 });

describe("no usage within the bounds of a request", () => {
  test("costs more than its worst case", () => {
    const usages = fc.record({
      input: fc.double({ min: 0, max: 1, noNaN: true }),
      output: fc.nat({ max: 100 }),
      inputShares: shares,
      outputShares: shares,
      tools: fc.nat({ max: 2 }),
      tier: fc.constantFrom(null, "flex"),
    });
    fc.assert(
      fc.property(prices, usages, fc.boolean(), (price, usage, hasMedia) => {
        const { contextTokensMax } = price;
        const inputMax = Math.min(contextTokensMax, 1_288);
        const bounded = { hasMedia, perUseToolCalls: hasMedia ? 2 : 0, hasBilledTools: hasMedia };
        const held = worst({ ...bounded, cacheWrites: "1h" }, defined(price));
        const limit = hasMedia ? contextTokensMax * 3 : inputMax;
        const input = Math.floor(usage.input * limit);
        const text = ["uncachedInput", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;
        const media = [...text, "audioInput", "imageInput"] as const;
        const report = used(
          {
            ...split(input, hasMedia ? media : text, usage.inputShares),
            ...split(
              usage.output,
              ["outputText", "reasoning", "audioOutput", "imageOutput"],
              usage.outputShares,
            ),
            toolCalls: hasMedia ? usage.tools : 0,
          },
          { serviceTier: usage.tier },
        );
        const { costMicroUsd } = costOf(report, configured(defined(price)), noon);
        expect(held.ok && costMicroUsd !== null && costMicroUsd <= held.value).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

/** Without the members that are there but undefined. */
function defined(price: object): ConfiguredPrice {
  return JSON.parse(JSON.stringify(price)) as ConfiguredPrice;
}
