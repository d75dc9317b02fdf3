import type { CallOutcome } from "../../contract/account-health.ts";
import { errorRules, type ErrorCode, type Refusal } from "../../contract/errors.ts";
import type { RecordedAttempt } from "../../contract/request-event.ts";
import type { Attempt } from "../../exchange/exchange.ts";

/** One call to a provider. */
export class ProviderCall implements RecordedAttempt {
  /** null if the caller named the upstream. */
  readonly account: string | null;
  /** null if the call is under way, or could not be made. */
  outcome: CallOutcome | null = null;
  /** From the call's beginning to the head of the provider's response; null if none came. */
  headMs: number | null = null;
  /** HTTP status of the provider's answer; null if none came. */
  status: number | null = null;
  /** The code of its refusal; null if there is none. */
  code: ErrorCode | null = null;
  /** From the call's beginning to its end; null if it is under way. */
  ms: number | null = null;
  readonly #beganAtMs = performance.now();

  constructor(account: string | null) {
    this.account = account;
  }

  readonly headCame = (): void => {
    this.headMs = performance.now() - this.#beganAtMs;
  };

  ended(attempt: Attempt): void {
    this.outcome = outcomeOf(attempt);
    this.status = statusOf(attempt);
    if (attempt.kind === "unsent" || attempt.kind === "failed") this.code = attempt.refusal.code;
    this.ms = performance.now() - this.#beganAtMs;
  }
}

function statusOf(attempt: Attempt): number | null {
  switch (attempt.kind) {
    case "unsent":
    case "abandoned":
      return null;
    case "failed":
      return attempt.refusal.upstreamStatus ?? null;
    case "buffered":
    case "relayed":
      return attempt.status;
  }
}

function outcomeOf(attempt: Attempt): CallOutcome | null {
  switch (attempt.kind) {
    case "unsent":
      return isProvidersFault(attempt.refusal) ? "unsent" : null;
    case "failed":
      if (isProvidersFault(attempt.refusal)) return "failed";
      return outcomeOfStatus(attempt.refusal.upstreamStatus ?? 200);
    case "buffered":
      return outcomeOfStatus(attempt.status);
    case "relayed":
      if (attempt.end === "abandoned") return "abandoned";
      return attempt.end === "cut" || attempt.end === "provider_error" ? "failed" : "answered";
    case "abandoned":
      return attempt.connectFailed === true ? "unsent" : "abandoned";
  }
}

function outcomeOfStatus(status: number): CallOutcome {
  if (status < 400) return "answered";
  if (status >= 500) return "failed";
  return status === 429 ? "rate_limited" : "refused";
}

export function isProvidersFault({ code, upstreamStatus }: Refusal): boolean {
  const { source } = errorRules[code];
  if (source !== "provider" && source !== "vendor") return false;
  if (code === "upstream_response_too_large") return false;
  return upstreamStatus === undefined || upstreamStatus < 400 || upstreamStatus >= 500;
}
