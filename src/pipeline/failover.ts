import { attemptsMax } from "../contract/limits.ts";
import type { Candidate } from "./accounts.ts";
import type { Attempt } from "./exchange.ts";
import type { RequestRecord } from "./record.ts";

/**
 * Tries accounts in turn: another one only after a connection that failed, or a 429 or 5xx that was
 * received before the answer's first byte; never after a reset or a timeout, for the provider may
 * have done the work (design: Forward).
 */
export async function tryInTurn<C extends Candidate>(
  candidates: readonly C[],
  record: RequestRecord,
  call: (candidate: C) => Promise<Attempt>,
): Promise<Attempt> {
  let last: Attempt | null = null;
  for (const candidate of candidates.slice(0, attemptsMax)) {
    record.attempts += 1;
    record.provider = candidate.account.provider;
    record.account = candidate.account.name;
    candidate.circuit.begin();
    const attempt = await call(candidate);
    const failed = isFailure(attempt);
    candidate.circuit.end(failed);
    if (!isWorthAnother(attempt)) return attempt;
    // A provider's own answer says more than a failed connection to the next account.
    if (last === null || attempt.kind === "held") last = attempt;
  }
  if (last === null) throw new Error("a route without candidates");
  return last;
}

/**
 * A failure of the provider, as its circuit counts them; a client that leaves is none, nor an answer
 * that a policy stops.
 */
function isFailure(attempt: Attempt): boolean {
  switch (attempt.kind) {
    case "unsent":
    case "failed":
      return attempt.refusal.code !== "security_blocked";
    case "held":
      return attempt.status >= 500;
    case "relayed":
      return attempt.end === "cut";
    case "abandoned":
      return false;
  }
}

function isWorthAnother(attempt: Attempt): boolean {
  if (attempt.kind === "unsent") return true;
  return attempt.kind === "held" && (attempt.status === 429 || attempt.status >= 500);
}
