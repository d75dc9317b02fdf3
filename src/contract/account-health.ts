import type { ErrorCode } from "./errors.ts";

export const callOutcomes = [
  "answered",
  "rate_limited",
  "refused",
  "failed",
  "unsent",
  "abandoned",
] as const;

/**
 * What a provider did with a call, for metrics. `answered`: a status below 400, and the answer came to its
 * end or the gateway stopped it; `rate_limited`: 429; `refused`: another 4xx; `failed`: a 5xx, a timeout, a
 * reset, or a stream that broke off or reported an error; `unsent`: no connection; `abandoned`: the client
 * left first.
 */
export type CallOutcome = (typeof callOutcomes)[number];

/** `closed`: calls go through; `half_open`: one probe is under way; `open`: no call does. */
export type CircuitName = "closed" | "half_open" | "open";

/** An account's circuit at one moment. */
export interface CircuitView {
  readonly name: CircuitName;
  /** Whole seconds until a call may be tried, at least 1; null if calls go through. */
  readonly retryAfterSeconds: number | null;
  /** Calls of the last `circuitWindowMs` that told something about the provider. */
  readonly calls: number;
  /** Those of them that failed. */
  readonly failures: number;
}

/** The last call that did not come to a good end. */
export interface AccountError {
  readonly outcome: CallOutcome;
  /** HTTP status of the provider's answer; null if none came. */
  readonly status: number | null;
  /** The code that a client gets for it; null if the client gets the provider's own answer. */
  readonly code: ErrorCode | null;
  readonly atMs: number;
}

/** How an account does, as one thread sees it. */
export interface AccountHealth {
  readonly circuit: CircuitView;
  /** Calls that have ended since the start, by outcome. */
  readonly outcomes: Readonly<Record<CallOutcome, number>>;
  /** null: none since the start. */
  readonly lastError: AccountError | null;
}
