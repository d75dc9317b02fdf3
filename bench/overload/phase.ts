/** One span of open-loop load: requests are due at a steady rate, whatever became of those before. */
export interface Phase {
  readonly requestsPerSecond: number;
  readonly seconds: number;
  /** Of its beginning, what is sent and not counted. */
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
  /** How many were due, without the warm-up. */
  readonly due: number;
  readonly served: Latencies;
  /** Answered 429 or 503. */
  readonly refused: Latencies;
  /** Of those, with a `Retry-After`. */
  readonly withRetryAfter: number;
  /** Any other status, or a connection that broke. */
  readonly failed: number;
  /** Of each span of `windowMs`, the warm-up's too: whether all in it were served soon. */
  readonly windows: readonly WindowCount[];
  /** How late the generator itself was, at the worst percent; it is in the latencies. */
  readonly lateP99: number;
  /** CPU of the generator and its provider, of one core. */
  readonly cpuShare: number;
}

export interface WindowCount {
  readonly served: number;
  readonly slow: number;
  readonly refused: number;
}

export const windowMs = 100;

/** A request that takes longer is slow, wherever the word is used here. */
export const slowMs = 50;

/** What the generator's process is told, … */
export type Command =
  | { readonly name: "target"; readonly url: string; readonly headers: readonly string[] }
  | { readonly name: "run"; readonly phase: Phase };

/** … and what it says. */
export type Reply =
  | { readonly name: "provider"; readonly origin: string }
  | { readonly name: "result"; readonly result: PhaseResult };
