declare const rateBrand: unique symbol;

/**
 * A price: atto-dollars (10⁻¹⁸ US dollars) for a million units, a unit being a token, a request or a
 * tool call. The finest published price has 17 decimal places in dollars per million tokens
 * ($0.08333333333333334), so all of them are whole in this unit. Never negative.
 */
export type Rate = bigint & { readonly [rateBrand]: true };

/** The units that have their own price. */
export const rateNames = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite5m",
  "cacheWrite1h",
  "reasoning",
  "audioInput",
  "audioOutput",
  "imageInput",
  "imageOutput",
  "request",
  "toolCall",
] as const;
export type RateName = (typeof rateNames)[number];

/**
 * Without a rate of their own, reasoning is billed as output, cache reads and images read as input,
 * and a request has no cost besides its tokens. Any other usage without a rate is a `pricing_gap`.
 */
export type Rates = Readonly<Record<RateName, Rate | null>> & {
  readonly input: Rate;
  readonly output: Rate;
};

/** Rates of requests whose input, cached or not, is longer than a threshold. */
export interface LongContextRates {
  readonly thresholdTokens: number;
  /** True if input of exactly `thresholdTokens` counts as long. */
  readonly operator: "above" | "at_or_above";
  /** The part that is billed at these rates: the whole request, or the input beyond the threshold. */
  readonly scope: "request" | "excess";
  readonly rates: Rates;
}

/** The rates of one service tier. */
export interface RateCard {
  readonly rates: Rates;
  /** By threshold, the lowest first. */
  readonly longContext: readonly LongContextRates[];
}

/** Prices that hold for a time. */
export interface PricePeriod {
  /** Milliseconds since 1970, inclusive; null: no beginning. */
  readonly from: number | null;
  /** Milliseconds since 1970, exclusive; null: no end. */
  readonly until: number | null;
  /** The part of the day, in minutes UTC, the end exclusive. It may pass midnight. */
  readonly daily: { readonly fromMinute: number; readonly untilMinute: number } | null;
  readonly standard: RateCard;
  /** By the names in requests and answers, such as `flex` or `priority`. */
  readonly serviceTiers: ReadonlyMap<string, RateCard>;
}

/** The price of a model. */
export interface Price {
  /** The entry that was found, `provider/model`. It may differ from the request's model id. */
  readonly entry: string;
  /**
   * True if the list has no model of that name. Then a rule chose `entry`, for example by the beginning of the
   * name, and the model's true price may differ.
   */
  readonly isAssumed: boolean;
  readonly source: "configuration" | "catalog";
  readonly catalogVersion: string;
  /** The most tokens that a request may hold, input and output; null: unknown. */
  readonly contextTokensMax: number | null;
  /** The most tokens that an answer may hold; null: unknown. */
  readonly outputTokensMax: number | null;
  /** If several hold at a time, the last one counts. */
  readonly periods: readonly PricePeriod[];
}

/** The entry whose price is used for a model that the list doesn't name; null: the list names it. */
export function assumedEntry(price: Price | undefined): string | null {
  return price?.isAssumed === true ? price.entry : null;
}

/** Prices of the scan (spec: Billing of scans and requests 2, 3). null: no valid price. */
export interface ScanRates {
  /** A hash of the prices, the same on every machine. Debits of scans carry it. */
  readonly version: string;
  readonly injection: Rate | null;
  readonly entity: Rate | null;
  readonly minimumBillableTokens: number;
}
