/**
 * The form of `prices.json`, short because it is read at every start. `scripts/generate-prices.ts`
 * writes it.
 */
export interface PriceFile {
  /** Package and version that the prices were taken from. */
  readonly source: string;
  readonly providers: Readonly<Record<string, PriceFileProvider>>;
}

export interface PriceFileProvider {
  /** Providers with models that this one serves at their prices, if it has no price of its own. */
  readonly fallbacks?: readonly string[];
  /** The first model that matches is used, in this order. */
  readonly models: readonly PriceFileModel[];
}

export interface PriceFileModel {
  readonly id: string;
  /** Absent if only the id matches. */
  readonly match?: readonly MatchClause[];
  /** The most tokens in a request, input and output. */
  readonly context?: number;
  /** The most tokens in an answer. */
  readonly output?: number;
  /** The last period that is valid at a time is used. */
  readonly prices: readonly PriceFilePeriod[];
}

/**
 * One of a model's clauses has to match. A string is an operator and its operand, in lower case: `=`
 * equals, `^` starts with, `$` ends with, `*` contains, `~` a regular expression. A list matches if
 * each of its members does.
 */
export type MatchClause = string | readonly MatchClause[];

export interface PriceFilePeriod {
  /** The first day, UTC. */
  readonly from?: string;
  /** Times of the day in minutes UTC, from and until. */
  readonly daily?: readonly [number, number];
  readonly rates: PriceFileRates;
}

/** Decimal strings, US dollars for a million; an omitted kind has no rate of its own. */
export type PriceFileRates = Readonly<Partial<Record<PriceFileRateName, PriceFileRate>>>;
/**
 * The rate alone, or with a threshold and another rate. If a request's input is above the threshold,
 * the other rate is for the whole request.
 */
export type PriceFileRate = string | readonly [string, threshold: number, string];
export type PriceFileRateName = keyof typeof rateOfFileName;

/** Names in the file → names of rates. */
export const rateOfFileName = {
  in: "input",
  out: "output",
  read: "cacheRead",
  write: "cacheWrite5m",
  write1h: "cacheWrite1h",
  reason: "reasoning",
  audioIn: "audioInput",
  audioOut: "audioOutput",
  imageIn: "imageInput",
  imageOut: "imageOutput",
  request: "request",
  tool: "toolCall",
} as const;
