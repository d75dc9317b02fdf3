declare const rateBrand: unique symbol;

/**
 * A price: atto-dollars (10⁻¹⁸ US dollars) for a million units, a unit being a token, a request or a
 * tool call. The finest published price has 17 decimal places in dollars per million tokens
 * ($0.08333333333333334), so all of them are whole in this unit. Never negative.
 */
export type Rate = bigint & { readonly [rateBrand]: true };

/** What has a price of its own. */
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
 * and a request costs nothing beside its tokens. Any other usage without a rate is a `pricing_gap`.
 */
export type Rates = Readonly<Record<RateName, Rate | null>> & {
  readonly input: Rate;
  readonly output: Rate;
};

/** Rates of requests whose input, cached or not, is longer than a threshold. */
export interface LongContextRates {
  readonly thresholdTokens: number;
  /** Whether input of exactly `thresholdTokens` is long already. */
  readonly operator: "above" | "at_or_above";
  /** What is billed at these rates: the whole request, or the input beyond the threshold. */
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
  /** Milliseconds since 1970, inclusive; null: since ever. */
  readonly from: number | null;
  /** Exclusive; null: for ever. */
  readonly until: number | null;
  /** Only at these times of the day, minutes UTC, the end exclusive; it may pass midnight. */
  readonly daily: { readonly fromMinute: number; readonly untilMinute: number } | null;
  readonly standard: RateCard;
  /** By the name that requests and answers have for them, such as `flex` or `priority`. */
  readonly serviceTiers: ReadonlyMap<string, RateCard>;
}

/** All that is known of what a model costs. */
export interface Price {
  /** The entry that was found, `provider/model`; a request's model id may be another one. */
  readonly entry: string;
  /**
   * The list has no model of that name; `entry` is one that its rules take it for, such as by how the
   * name begins. What it costs in truth may be something else.
   */
  readonly isAssumed: boolean;
  readonly source: "configuration" | "catalog";
  readonly catalogVersion: string;
  /** The most tokens that a request may hold, input and output; null: unknown. */
  readonly contextTokensMax: number | null;
  /** The most tokens that an answer may hold; null: unknown. */
  readonly outputTokensMax: number | null;
  /** The last one that holds at a time has the prices of that time. */
  readonly periods: readonly PricePeriod[];
}

/** The entry whose price stands for a model that the list doesn't name; null: it is the model's own. */
export function assumedEntry(price: Price | undefined): string | null {
  return price?.isAssumed === true ? price.entry : null;
}

/** Prices of the scan (spec: Billing of scans and requests 2, 3). null: no valid price. */
export interface ScanRates {
  /** A hash of them, the same on every machine; stands on the debits of scans. */
  readonly version: string;
  readonly injection: Rate | null;
  readonly entity: Rate | null;
  readonly minimumBillableTokens: number;
}
