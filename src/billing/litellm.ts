import { isPlainObject, type PlainObject } from "../contract/plain-object.ts";
import type { ConfiguredPrice } from "../contract/pricing-configuration.ts";
import { decimalOf, type DecimalFault } from "./decimal.ts";
import { lintPrices, type PriceFinding } from "./price-lint.ts";

export interface LitellmImport {
  /** For `pricing.models`, by `provider/model`. */
  readonly prices: Readonly<Record<string, ConfiguredPrice>>;
  /** Faults and unlikely values. A row that can't be a price is not in `prices`. */
  readonly lint: readonly PriceFinding[];
}

/** Names of rates in the file (US dollars for a token), and our names. */
const rateMembers = {
  input_cost_per_token: "inputUsdPerMillion",
  output_cost_per_token: "outputUsdPerMillion",
  cache_read_input_token_cost: "cacheReadUsdPerMillion",
  cache_creation_input_token_cost: "cacheWrite5mUsdPerMillion",
  cache_creation_input_token_cost_above_1hr: "cacheWrite1hUsdPerMillion",
  output_cost_per_reasoning_token: "reasoningUsdPerMillion",
  input_cost_per_audio_token: "audioInputUsdPerMillion",
  output_cost_per_audio_token: "audioOutputUsdPerMillion",
  input_cost_per_image_token: "imageInputUsdPerMillion",
  output_cost_per_image_token: "imageOutputUsdPerMillion",
} as const;
type RateMember = (typeof rateMembers)[keyof typeof rateMembers];
type ReadRates = Partial<Record<RateMember, string>>;

/** Suffixes of a rate for another service tier. */
const tiers = { priority: "priority", flex: "flex", batches: "batch" } as const;

const longRate = /^(?:input|output)_cost_per_token_above_(\d+)k_tokens(.*)$/;

const chatModes: ReadonlySet<unknown> = new Set(["chat", "responses", undefined]);
const modelName = /^[a-z0-9_-]{1,64}\/[!-~]{1,256}$/;

/**
 * Reads LiteLLM's `model_prices_and_context_window.json`, parsed. Rows of other modes than chat are
 * skipped. Numbers are taken as their shortest decimals, exactly.
 */
export function importLitellm(json: unknown): LitellmImport {
  const prices: Record<string, ConfiguredPrice> = {};
  const lint: PriceFinding[] = [];
  for (const [key, value] of Object.entries(isPlainObject(json) ? json : {})) {
    if (key === "sample_spec" || !isPlainObject(value) || !chatModes.has(value["mode"])) continue;
    const name = nameOf(key, value);
    const read = readRow(value);
    if (typeof read === "string") lint.push({ model: name, finding: read });
    else if (modelName.test(name)) prices[name] = read;
    else lint.push({ model: name, finding: "bad_name" });
  }
  return { prices, lint: [...lint, ...lintPrices(prices)] };
}

/** LiteLLM's names of providers that differ from those of accounts. */
function nameOf(key: string, row: PlainObject): string {
  const named = row["litellm_provider"];
  const listed = typeof named === "string" ? named : (key.split("/")[0] ?? "");
  const provider = listed
    .replace(/^bedrock_converse$/, "bedrock")
    .replace(/^vertex_ai.*$/, "vertex");
  const model = [listed, provider, "vertex_ai"].reduce(
    (rest, prefix) => (rest.startsWith(`${prefix}/`) ? rest.slice(prefix.length + 1) : rest),
    key,
  );
  return `${provider}/${model}`;
}

function readRow(row: PlainObject): ConfiguredPrice | DecimalFault | "missing_rate" {
  const standard = readRates(row, "");
  if (typeof standard === "string") return standard;
  const { inputUsdPerMillion, outputUsdPerMillion } = standard;
  if (inputUsdPerMillion === undefined || outputUsdPerMillion === undefined) return "missing_rate";
  const longContext = readLongContext(row, "");
  if (typeof longContext === "string") return longContext;
  const serviceTiers = readTiers(row);
  if (typeof serviceTiers === "string") return serviceTiers;
  const request = optionalDecimal(row["input_cost_per_request"], 0);
  if (typeof request === "string") return request;
  const search = optionalDecimal(dearestSearch(row["search_context_cost_per_query"]), 0);
  if (typeof search === "string") return search;
  return {
    ...standard,
    inputUsdPerMillion,
    outputUsdPerMillion,
    ...(request === undefined ? {} : { requestUsd: request.text }),
    ...(search === undefined ? {} : { toolCallUsd: search.text }),
    ...ceiling("contextTokensMax", row["max_input_tokens"] ?? row["max_tokens"]),
    ...ceiling("outputTokensMax", row["max_output_tokens"] ?? row["max_tokens"]),
    ...(longContext.length === 0 ? {} : { longContext }),
    ...(Object.keys(serviceTiers).length === 0 ? {} : { serviceTiers }),
  };
}

function readRates(row: PlainObject, suffix: string): ReadRates | DecimalFault {
  const rates: ReadRates = {};
  for (const [member, name] of Object.entries(rateMembers)) {
    const read = optionalDecimal(row[member + suffix], 6);
    if (typeof read === "string") return read;
    if (read !== undefined) rates[name] = read.text;
  }
  return rates;
}

/**
 * `input_cost_per_token_above_200k_tokens` and similar names: the rate for the whole request above the
 * threshold. The suffix of a tier may follow: `…_above_200k_tokens_priority`.
 */
function readLongContext(
  row: PlainObject,
  suffix: string,
): NonNullable<ConfiguredPrice["longContext"]> | DecimalFault {
  const thresholds = new Set<string>();
  for (const key of Object.keys(row)) {
    const [, threshold, behind] = longRate.exec(key) ?? [];
    if (threshold !== undefined && behind === suffix) thresholds.add(threshold);
  }
  const long = [];
  for (const threshold of thresholds) {
    const rates = readRates(row, `_above_${threshold}k_tokens${suffix}`);
    if (typeof rates === "string") return rates;
    long.push({ thresholdTokens: Number(threshold) * 1_000, ...rates });
  }
  return long;
}

function readTiers(row: PlainObject): NonNullable<ConfiguredPrice["serviceTiers"]> | DecimalFault {
  const read: NonNullable<ConfiguredPrice["serviceTiers"]> = {};
  for (const [suffix, name] of Object.entries(tiers)) {
    const rates = readRates(row, `_${suffix}`);
    if (typeof rates === "string") return rates;
    const longContext = readLongContext(row, `_${suffix}`);
    if (typeof longContext === "string") return longContext;
    const tier = { ...rates, ...(longContext.length === 0 ? {} : { longContext }) };
    if (Object.keys(tier).length > 0) read[name] = tier;
  }
  return read;
}

/** A search's price depends on the size of its result, which a request need not state. */
function dearestSearch(value: unknown): unknown {
  if (!isPlainObject(value)) return undefined;
  const prices = Object.values(value).filter((price) => typeof price === "number");
  return prices.length === 0 ? undefined : Math.max(...prices);
}

/** undefined: absent. A string: the fault of the value. */
function optionalDecimal(
  value: unknown,
  places: number,
): { readonly text: string } | DecimalFault | undefined {
  if (value === undefined || value === null) return undefined;
  const decimal = decimalOf(value, places);
  return "fault" in decimal ? decimal.fault : decimal;
}

function ceiling<Name extends string>(
  name: Name,
  value: unknown,
): { readonly [N in Name]?: number } {
  const known = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1e9;
  // The type of a computed member is lost.
  return (known ? { [name]: value } : {}) as { readonly [N in Name]?: number };
}
