import { microUsd, microUsdPerUsd, type MicroUsd } from "../contract/money.ts";
import type { Rate } from "../contract/pricing.ts";
import { divideRounded, type Rounding } from "./round.ts";

/** Places of a price in US dollars for a million units; see `Rate`. */
const ratePlacesMax = 18;
const attoPerUsd = 10n ** 18n;
/** A rate times a number of units is atto-dollars for a million of them. */
const rateUnitsPerMicroUsd = (attoPerUsd * 1_000_000n) / microUsdPerUsd;

const decimal = new RegExp(`^([0-9]{1,9})(?:\\.([0-9]{1,${ratePlacesMax}}))?$`);

/**
 * A price in US dollars for a million tokens, as a plain decimal string. undefined: negative, not a
 * number, or finer than a `Rate`.
 */
export function parseRate(usdPerMillion: string): Rate | undefined {
  const parts = decimal.exec(usdPerMillion);
  if (parts === null) return undefined;
  const [, whole = "0", places = ""] = parts;
  return rate(BigInt(whole) * attoPerUsd + BigInt(places.padEnd(ratePlacesMax, "0")));
}

/** A price in US dollars for one request or one tool call. undefined: as `parseRate`. */
export function parseUnitRate(usdPerUnit: string): Rate | undefined {
  const perUnit = parseRate(usdPerUnit);
  return perUnit === undefined ? undefined : rate(perUnit * 1_000_000n);
}

export const zeroRate: Rate = rate(0n);

export function addRates(one: Rate, other: Rate): Rate {
  return rate(one + other);
}

/** A sum of `units × rate` as an amount; the only way from rates to money. */
export function amountOf(unitsTimesRates: bigint, rounding: Rounding): MicroUsd {
  return microUsd(divideRounded(unitsTimesRates, rateUnitsPerMicroUsd, rounding));
}

function rate(attoUsdPerMillion: bigint): Rate {
  return attoUsdPerMillion as Rate;
}
