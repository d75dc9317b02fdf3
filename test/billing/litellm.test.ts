import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, test } from "vitest";
import { decimalOf } from "../../src/billing/decimal.ts";
import { importLitellm } from "../../src/billing/litellm.ts";
import { ConfigurationFile } from "../../src/contract/configuration-file.ts";
import type { ConfiguredPrice } from "../../src/contract/pricing-configuration.ts";

const gpt = {
  cache_read_input_token_cost: 1.25e-7,
  cache_read_input_token_cost_flex: 6.25e-8,
  cache_read_input_token_cost_priority: 2.5e-7,
  input_cost_per_token: 1.25e-6,
  input_cost_per_token_flex: 6.25e-7,
  input_cost_per_token_priority: 2.5e-6,
  litellm_provider: "openai",
  max_input_tokens: 272_000,
  max_output_tokens: 128_000,
  max_tokens: 128_000,
  mode: "chat",
  output_cost_per_token: 1e-5,
  output_cost_per_token_flex: 5e-6,
  output_cost_per_token_priority: 2e-5,
  search_context_cost_per_query: {
    search_context_size_high: 0.05,
    search_context_size_low: 0.03,
    search_context_size_medium: 0.035,
  },
  supported_endpoints: ["/v1/chat/completions", "/v1/batch", "/v1/responses"],
  supports_prompt_caching: true,
};
const claude = {
  cache_creation_input_token_cost: 3.75e-6,
  cache_creation_input_token_cost_above_1hr: 6e-6,
  cache_creation_input_token_cost_above_200k_tokens: 7.5e-6,
  cache_read_input_token_cost: 3e-7,
  cache_read_input_token_cost_above_200k_tokens: 6e-7,
  input_cost_per_token: 3e-6,
  input_cost_per_token_above_200k_tokens: 6e-6,
  litellm_provider: "anthropic",
  max_input_tokens: 200_000,
  max_output_tokens: 64_000,
  mode: "chat",
  output_cost_per_token: 1.5e-5,
  output_cost_per_token_above_200k_tokens: 2.25e-5,
};

const imported: Readonly<
  Record<string, { readonly key: string; readonly row: object; readonly price: ConfiguredPrice }>
> = {
  "openai/gpt-5": {
    key: "gpt-5",
    row: gpt,
    price: {
      inputUsdPerMillion: "1.25",
      outputUsdPerMillion: "10",
      cacheReadUsdPerMillion: "0.125",
      toolCallUsd: "0.05",
      contextTokensMax: 272_000,
      outputTokensMax: 128_000,
      serviceTiers: {
        priority: {
          inputUsdPerMillion: "2.5",
          outputUsdPerMillion: "20",
          cacheReadUsdPerMillion: "0.25",
        },
        flex: {
          inputUsdPerMillion: "0.625",
          outputUsdPerMillion: "5",
          cacheReadUsdPerMillion: "0.0625",
        },
      },
    },
  },
  "anthropic/claude-sonnet-4-5": {
    key: "claude-sonnet-4-5",
    row: claude,
    price: {
      inputUsdPerMillion: "3",
      outputUsdPerMillion: "15",
      cacheReadUsdPerMillion: "0.3",
      cacheWrite5mUsdPerMillion: "3.75",
      cacheWrite1hUsdPerMillion: "6",
      contextTokensMax: 200_000,
      outputTokensMax: 64_000,
      longContext: [
        {
          thresholdTokens: 200_000,
          inputUsdPerMillion: "6",
          outputUsdPerMillion: "22.5",
          cacheReadUsdPerMillion: "0.6",
          cacheWrite5mUsdPerMillion: "7.5",
        },
      ],
    },
  },
  "openai/gpt-long": {
    key: "gpt-long",
    row: {
      input_cost_per_token: 2.5e-6,
      input_cost_per_token_above_272k_tokens: 5e-6,
      input_cost_per_token_above_272k_tokens_priority: 1e-5,
      input_cost_per_token_flex: 1.25e-6,
      input_cost_per_token_priority: 5e-6,
      litellm_provider: "openai",
      max_input_tokens: 1_050_000,
      max_output_tokens: 128_000,
      mode: "chat",
      output_cost_per_token: 1.5e-5,
      output_cost_per_token_above_272k_tokens: 2.25e-5,
      output_cost_per_token_above_272k_tokens_batches: 1.125e-5,
      output_cost_per_token_priority: 3e-5,
    },
    price: {
      inputUsdPerMillion: "2.5",
      outputUsdPerMillion: "15",
      contextTokensMax: 1_050_000,
      outputTokensMax: 128_000,
      longContext: [
        { thresholdTokens: 272_000, inputUsdPerMillion: "5", outputUsdPerMillion: "22.5" },
      ],
      serviceTiers: {
        priority: {
          inputUsdPerMillion: "5",
          outputUsdPerMillion: "30",
          longContext: [{ thresholdTokens: 272_000, inputUsdPerMillion: "10" }],
        },
        flex: { inputUsdPerMillion: "1.25" },
        batch: { longContext: [{ thresholdTokens: 272_000, outputUsdPerMillion: "11.25" }] },
      },
    },
  },
  "bedrock/amazon.nova-2-lite-v1:0": {
    key: "amazon.nova-2-lite-v1:0",
    row: {
      cache_read_input_token_cost: 7.5e-8,
      input_cost_per_token: 3e-7,
      litellm_provider: "bedrock_converse",
      max_input_tokens: 1_000_000,
      max_output_tokens: 64_000,
      mode: "chat",
      output_cost_per_token: 2.5e-6,
    },
    price: {
      inputUsdPerMillion: "0.3",
      outputUsdPerMillion: "2.5",
      cacheReadUsdPerMillion: "0.075",
      contextTokensMax: 1_000_000,
      outputTokensMax: 64_000,
    },
  },
  "vertex/gemini-2.5-pro": {
    key: "vertex_ai/gemini-2.5-pro",
    row: {
      input_cost_per_token: 1.25e-6,
      output_cost_per_token: 1e-5,
      litellm_provider: "vertex_ai-language-models",
      max_tokens: 65_535,
    },
    price: {
      inputUsdPerMillion: "1.25",
      outputUsdPerMillion: "10",
      contextTokensMax: 65_535,
      outputTokensMax: 65_535,
    },
  },
  "openrouter/qwen/qwen-plus": {
    key: "openrouter/qwen/qwen-plus",
    row: {
      input_cost_per_token: 8.333333333333334e-8,
      output_cost_per_token: 1e-7,
      input_cost_per_request: 0.005,
      litellm_provider: "openrouter",
      max_input_tokens: 1000,
      max_output_tokens: 1000,
    },
    price: {
      inputUsdPerMillion: "0.08333333333333334",
      outputUsdPerMillion: "0.1",
      requestUsd: "0.005",
      contextTokensMax: 1_000,
      outputTokensMax: 1_000,
    },
  },
};

describe("rows of LiteLLM's file", () => {
  test.each(Object.entries(imported))("%s", (name, { key, row, price }) => {
    const read = importLitellm({ sample_spec: { mode: "chat" }, [key]: row });
    expect(read).toEqual({ prices: { [name]: price }, lint: [] });
    expect(Check(ConfigurationFile, { pricing: { models: read.prices } })).toBe(true);
  });

  test.each(["embedding", "image_generation", "audio_speech"])("of mode %s are no chat", (mode) => {
    expect(importLitellm({ x: { ...gpt, mode } })).toEqual({ prices: {}, lint: [] });
  });

  test.each([null, 5, "text", [], { x: 1 }])("a file of %j has none", (json) => {
    expect(importLitellm(json)).toEqual({ prices: {}, lint: [] });
  });
});

const row = {
  input_cost_per_token: 1e-6,
  output_cost_per_token: 2e-6,
  litellm_provider: "p",
  max_input_tokens: 1000,
  max_output_tokens: 100,
};

describe("the lint", () => {
  test.each<[string, object, readonly string[]]>([
    ["m", {}, []],
    ["m", { input_cost_per_token: "1e-6" }, ["not_a_number"]],
    ["m", { output_cost_per_token: -1e-6 }, ["negative"]],
    ["m", { input_cost_per_token_flex: NaN }, ["not_a_number"]],
    ["m", { output_cost_per_token: 1.5 }, ["too_large"]],
    ["m", { cache_read_input_token_cost: 1.2345678901234567e-20 }, ["too_fine"]],
    ["m", { output_cost_per_token: undefined }, ["missing_rate"]],
    ["with space", {}, ["bad_name"]],
    ["m", { output_cost_per_token: 5e-7 }, ["output_cheaper_than_input"]],
    ["m", { input_cost_per_token: 0, output_cost_per_token: 0 }, ["zero_price"]],
    ["m:free", { input_cost_per_token: 0, output_cost_per_token: 0 }, []],
    ["m", { cache_read_input_token_cost: 1.1e-6 }, ["cache_read_dearer_than_input"]],
    [
      "m",
      { cache_read_input_token_cost: 1e-6, cache_creation_input_token_cost: 1e-7 },
      ["cache_write_cheaper_than_read"],
    ],
    ["m", { input_cost_per_token_above_128k_tokens: 1e-7 }, ["cheaper_for_long_input"]],
    ["m", { output_cost_per_token: 2e-3 }, ["out_of_range"]],
    ["m", { input_cost_per_token: 1e-10 }, ["out_of_range"]],
    ["m", { max_input_tokens: undefined }, ["missing_context_ceiling"]],
    ["m", { max_output_tokens: "8k" }, ["missing_output_ceiling"]],
  ])("%s with %j: %j", (name, change, findings) => {
    const { lint, prices } = importLitellm({ [name]: { ...row, ...change } });
    expect(lint).toEqual(findings.map((finding) => ({ model: `p/${name}`, finding })));
    const isLeftOut = findings.some((finding) =>
      /^(not_a_number|negative|too_|missing_rate|bad_name)/.test(finding),
    );
    expect(Object.keys(prices)).toEqual(isLeftOut ? [] : [`p/${name}`]);
  });

  test("names what is a thousand times off its family", () => {
    const slipped = { ...row, input_cost_per_token: 1e-9, output_cost_per_token: 2e-9 };
    const { lint } = importLitellm({
      "llama-3-8b": row,
      "llama-3-70b": { ...row, input_cost_per_token: 2e-6 },
      "llama-3-405b": { ...row, input_cost_per_token: 1.9e-6 },
      "llama-4": slipped,
      other: slipped,
    });
    expect(lint).toEqual([{ model: "p/llama-4", finding: "off_by_thousand" }]);
  });
});

describe("decimalOf", () => {
  test.each([
    [1.25e-6, 6, "1.25"],
    [0, 6, "0"],
    [3e-7, 6, "0.3"],
    [1e-5, 6, "10"],
    [1.5e-5, 6, "15"],
    [0.002, 6, "2000"],
    [0.035, 0, "0.035"],
    [5, 0, "5"],
    [8.333333333333334e-8, 6, "0.08333333333333334"],
  ])("%s × 10^%s is %s", (value, power, text) => {
    expect(decimalOf(value, power)).toEqual({ text });
  });

  test("means the number", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e9 }), (nano) => {
        const decimal = decimalOf(nano / 1e15, 6);
        expect("text" in decimal && Number(decimal.text)).toBeCloseTo(nano / 1e9, 12);
      }),
    );
  });
});

describe("npm run prices:import", () => {
  const script = fileURLToPath(new URL("../../scripts/import-prices.ts", import.meta.url));
  test("writes a configuration of what is asked for", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "weir-prices-"));
    try {
      const file = path.join(folder, "litellm.json");
      writeFileSync(
        file,
        JSON.stringify({
          "gpt-5": gpt,
          "claude-sonnet-4-5": claude,
          free: { ...row, output_cost_per_token: 0 },
        }),
      );
      const run = (...args: string[]) => {
        const output = execFileSync(process.execPath, [script, file, ...args], { stdio: "pipe" });
        return JSON.parse(output.toString()) as { pricing: { models: object } };
      };
      expect(Object.keys(run().pricing.models)).toHaveLength(3);
      expect(Object.keys(run("--strict").pricing.models)).toHaveLength(2);
      const one = run("--provider", "openai");
      expect(Object.keys(one.pricing.models)).toEqual(["openai/gpt-5"]);
      expect(Check(ConfigurationFile, one)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("says in a line what it can't read", () => {
    const run = spawnSync(process.execPath, [script, "no-such-list.json"], { encoding: "utf8" });
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^no-such-list\.json: ENOENT: .*\n$/);
  });
});
