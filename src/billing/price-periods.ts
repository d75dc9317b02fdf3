import type { ConfiguredPrice } from "../contract/pricing-configuration.ts";
import {
  rateNames,
  type LongContextRates,
  type PricePeriod,
  type Rate,
  type RateCard,
  type RateName,
  type Rates,
} from "../contract/pricing.ts";
import {
  rateOfFileName,
  type PriceFileModel,
  type PriceFilePeriod,
  type PriceFileRateName,
  type PriceFileRates,
} from "./price-file.ts";
import { parseRate, parseUnitRate } from "./rate.ts";

/** A price is present but invalid: negative, NaN, not a decimal. Its entry can't be used. */
class NotAPrice extends Error {}

/** Periods in the form of the price file. undefined: a period has a missing or invalid rate. */
export function periodsOfFile(model: PriceFileModel): readonly PricePeriod[] | undefined {
  return unlessNotAPrice(() => model.prices.map(periodOfFile));
}

/** The period of a configured price. undefined: a rate is missing or invalid. */
export function periodsOfConfigured(price: ConfiguredPrice): readonly PricePeriod[] | undefined {
  return unlessNotAPrice(() => {
    const standard = cardOfConfigured(price, undefined);
    const tiers = Object.entries(price.serviceTiers ?? {});
    return [
      {
        from: timeOf(price.validFrom),
        until: timeOf(price.validUntil),
        daily: null,
        standard,
        serviceTiers: new Map(
          tiers.map(([name, tier]) => [
            name,
            cardOfConfigured({ longContext: price.longContext, ...tier }, standard.rates),
          ]),
        ),
      },
    ];
  });
}

function unlessNotAPrice<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotAPrice) return undefined;
    throw error;
  }
}

function periodOfFile({ from, daily, rates }: PriceFilePeriod): PricePeriod {
  return {
    from: timeOf(from),
    until: null,
    daily: daily === undefined ? null : { fromMinute: daily[0], untilMinute: daily[1] },
    standard: cardOfFile(rates),
    serviceTiers: new Map(),
  };
}

function cardOfFile(file: PriceFileRates): RateCard {
  // The names of the file are those of its type.
  const entries = Object.entries(file) as [PriceFileRateName, string | [string, number, string]][];
  const rates = ratesOver(
    undefined,
    new Map(
      entries.map(([name, price]) => [
        rateOfFileName[name],
        parseRate(typeof price === "string" ? price : price[0]),
      ]),
    ),
  );
  const byThreshold = new Map<number, Map<RateName, Rate | undefined>>();
  for (const [name, price] of entries) {
    if (typeof price === "string") continue;
    const [, threshold, long] = price;
    const changed = byThreshold.get(threshold) ?? new Map<RateName, Rate | undefined>();
    byThreshold.set(threshold, changed.set(rateOfFileName[name], parseRate(long)));
  }
  const longContext = [...byThreshold].map(([thresholdTokens, changed]): LongContextRates => ({
    thresholdTokens,
    operator: "above",
    scope: "request",
    rates: ratesOver(rates, changed),
  }));
  return { rates, longContext: inOrder(longContext) };
}

type ConfiguredRates = {
  readonly longContext?: ConfiguredPrice["longContext"] | undefined;
} & {
  readonly [Name in keyof typeof rateOfConfiguredName]?: string;
};

const rateOfConfiguredName = {
  inputUsdPerMillion: "input",
  outputUsdPerMillion: "output",
  cacheReadUsdPerMillion: "cacheRead",
  cacheWrite5mUsdPerMillion: "cacheWrite5m",
  cacheWrite1hUsdPerMillion: "cacheWrite1h",
  reasoningUsdPerMillion: "reasoning",
  audioInputUsdPerMillion: "audioInput",
  audioOutputUsdPerMillion: "audioOutput",
  imageInputUsdPerMillion: "imageInput",
  imageOutputUsdPerMillion: "imageOutput",
  requestUsd: "request",
  toolCallUsd: "toolCall",
} as const;

function cardOfConfigured(configured: ConfiguredRates, base: Rates | undefined): RateCard {
  const rates = ratesOver(base, configuredRates(configured));
  const longContext = (configured.longContext ?? []).map((tier): LongContextRates => ({
    thresholdTokens: tier.thresholdTokens,
    operator: tier.operator ?? "above",
    scope: tier.scope ?? "request",
    rates: ratesOver(rates, configuredRates(tier)),
  }));
  return { rates, longContext: inOrder(longContext) };
}

function configuredRates(configured: ConfiguredRates): Map<RateName, Rate | undefined> {
  const read = new Map<RateName, Rate | undefined>();
  for (const [name, rateName] of Object.entries(rateOfConfiguredName)) {
    const text = configured[name as keyof typeof rateOfConfiguredName];
    if (text === undefined) continue;
    read.set(rateName, name.endsWith("UsdPerMillion") ? parseRate(text) : parseUnitRate(text));
  }
  return read;
}

function ratesOver(
  base: Rates | undefined,
  changed: ReadonlyMap<RateName, Rate | undefined>,
): Rates {
  const rateOf = (name: RateName): Rate | null => {
    if (!changed.has(name)) return base?.[name] ?? null;
    const rate = changed.get(name);
    if (rate === undefined) throw new NotAPrice(name);
    return rate;
  };
  const needed = (name: RateName): Rate => {
    const rate = rateOf(name);
    if (rate === null) throw new NotAPrice(name);
    return rate;
  };
  const all = Object.fromEntries(rateNames.map((name) => [name, rateOf(name)]));
  return {
    ...(all as Record<RateName, Rate | null>),
    input: needed("input"),
    output: needed("output"),
  };
}

function inOrder(tiers: readonly LongContextRates[]): readonly LongContextRates[] {
  return tiers.toSorted((one, other) => one.thresholdTokens - other.thresholdTokens);
}

/** A day is its first moment, UTC. */
function timeOf(date: string | undefined): number | null {
  if (date === undefined) return null;
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new NotAPrice("date");
  return time;
}
