/**
 * One span of open-loop load. Requests are due at a steady rate, independent of the earlier ones.
 */
export interface Phase {
  readonly requestsPerSecond: number;
  readonly seconds: number;
  /** The first part, whose requests are sent but not counted. */
  readonly warmUpSeconds: number;
}

/** Milliseconds from when a request was due. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface PhaseResult {
  /** The number of due requests, without the warm-up. */
  readonly due: number;
  readonly served: Latencies;
  /** Answered 429 or 503. */
  readonly refused: Latencies;
  /** The refused requests with a `Retry-After`. */
  readonly withRetryAfter: number;
  /** Any other status, or a connection that broke. */
  readonly failed: number;
  /**
   * Counts for each span of `windowMs`, including the warm-up: how many requests were served soon.
   */
  readonly windows: readonly WindowCount[];
  /** The delay of the generator itself, 99th percentile. The latencies include it. */
  readonly lateP99: number;
  /** CPU time of the generator and its provider, as a share of one core. */
  readonly cpuShare: number;
}

export interface WindowCount {
  readonly served: number;
  readonly slow: number;
  readonly refused: number;
}

export const windowMs = 100;

/** In this bench, a request that takes longer is slow. */
export const slowMs = 50;

/** The commands to the generator's process, … */
export type Command =
  | { readonly name: "target"; readonly url: string; readonly headers: readonly string[] }
  | { readonly name: "run"; readonly phase: Phase };

/** … and its replies. */
export type Reply =
  | { readonly name: "provider"; readonly origin: string }
  | { readonly name: "result"; readonly result: PhaseResult };
