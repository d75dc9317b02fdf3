import type { ConfiguredPrice } from "../contract/pricing-configuration.ts";
import type { DecimalFault } from "./decimal.ts";

/** A fault, whose row is left out, or an unlikely value, whose row is kept. */
export type PriceFault = DecimalFault | "missing_rate" | "bad_name";
export type PriceDoubt =
  | "output_cheaper_than_input"
  | "zero_price"
  | "cache_read_dearer_than_input"
  | "cache_write_cheaper_than_read"
  | "cheaper_for_long_input"
  | "off_by_thousand"
  | "out_of_range"
  | "missing_context_ceiling"
  | "missing_output_ceiling";

export interface PriceFinding {
  /** `provider/model`. */
  readonly model: string;
  readonly finding: PriceFault | PriceDoubt;
}

/** Dollars for a million tokens that no model has ever cost: probably a confusion of units. */
const usdPerMillionMax = 1_000;
const usdPerMillionMin = 0.0005;
/**
 * Within a family, prices differ by less than this factor. A confusion of units is a factor of a
 * thousand.
 */
const familySpreadMax = 200;
/** The least number of prices in a family. */
const familyMembersMin = 3;

/** Names rows that are probably wrong. Floats are exact enough, because nothing is billed from them. */
export function lintPrices(
  prices: Readonly<Record<string, ConfiguredPrice>>,
): readonly PriceFinding[] {
  const medians = familyMedians(prices);
  return Object.entries(prices).flatMap(([model, price]) =>
    doubtsOf(model, price, medians).map((finding) => ({ model, finding })),
  );
}

function doubtsOf(
  model: string,
  price: ConfiguredPrice,
  medians: ReadonlyMap<string, number>,
): readonly PriceDoubt[] {
  const input = Number(price.inputUsdPerMillion);
  const output = Number(price.outputUsdPerMillion);
  const read = numberOf(price.cacheReadUsdPerMillion);
  const write = numberOf(price.cacheWrite5mUsdPerMillion);
  const median = medians.get(familyOf(model));
  const doubts: readonly (readonly [PriceDoubt, boolean])[] = [
    ["zero_price", input === 0 && output === 0 && !/\bfree\b/i.test(model)],
    ["output_cheaper_than_input", output < input],
    ["cache_read_dearer_than_input", read !== undefined && read > input],
    ["cache_write_cheaper_than_read", write !== undefined && write > 0 && write < (read ?? 0)],
    ["cheaper_for_long_input", (price.longContext ?? []).some((tier) => isCheaper(tier, price))],
    ["out_of_range", [input, output].some(isOutOfRange)],
    ["off_by_thousand", median !== undefined && isFarFrom(median, input)],
    ["missing_context_ceiling", price.contextTokensMax === undefined],
    ["missing_output_ceiling", price.outputTokensMax === undefined],
  ];
  return doubts.filter(([, holds]) => holds).map(([doubt]) => doubt);
}

function isCheaper(
  tier: NonNullable<ConfiguredPrice["longContext"]>[number],
  price: ConfiguredPrice,
): boolean {
  return (
    (numberOf(tier.inputUsdPerMillion) ?? Infinity) < Number(price.inputUsdPerMillion) ||
    (numberOf(tier.outputUsdPerMillion) ?? Infinity) < Number(price.outputUsdPerMillion)
  );
}

function isOutOfRange(usdPerMillion: number): boolean {
  return (
    usdPerMillion > usdPerMillionMax || (usdPerMillion > 0 && usdPerMillion < usdPerMillionMin)
  );
}

function isFarFrom(median: number, price: number): boolean {
  if (price === 0 || median === 0) return false;
  return price / median >= familySpreadMax || median / price >= familySpreadMax;
}

/** The median input price of every family with enough members. */
function familyMedians(
  prices: Readonly<Record<string, ConfiguredPrice>>,
): ReadonlyMap<string, number> {
  const families = new Map<string, number[]>();
  for (const [model, price] of Object.entries(prices)) {
    const input = Number(price.inputUsdPerMillion);
    if (input === 0) continue;
    const family = familyOf(model);
    families.set(family, [...(families.get(family) ?? []), input]);
  }
  const medians = new Map<string, number>();
  for (const [family, inputs] of families) {
    const median = inputs.sort((one, other) => one - other)[Math.floor(inputs.length / 2)];
    if (median !== undefined && inputs.length >= familyMembersMin) medians.set(family, median);
  }
  return medians;
}

/** `openai/gpt-4o-mini-2024-07-18` and `azure/eu/gpt-5-mini` are both `gpt-mini`. */
function familyOf(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const words = name.split(/[^a-z]+/).filter((word) => word.length > 1);
  const size = words.find((word) =>
    /^(mini|nano|lite|flash|small|haiku|micro|pro|opus)$/.test(word),
  );
  return size === undefined || size === words[0] ? (words[0] ?? "") : `${words[0] ?? ""}-${size}`;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
