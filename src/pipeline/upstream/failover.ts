import { attemptsMax } from "../../contract/limits.ts";
import { modelIdOf, outOfRotation, type Candidate } from "../routing/accounts.ts";
import type { CallResult } from "../routing/circuit-breaker.ts";
import type { Attempt } from "../../exchange/exchange.ts";
import { isProvidersFault } from "../record/provider-call.ts";
import type { RequestRecord } from "../record/record.ts";

/**
 * Tries accounts in turn. The next account is tried only after a failed connection, or after a 429 or 5xx
 * before the first byte of the answer. It is never tried after a reset or a timeout, because the provider may
 * have done the work (design: Forward). An account that was taken out of rotation after it was chosen is
 * skipped; `circuit_open` if all were. `call` reports when the head of the response came. Nearly all first
 * attempts are the last ones, and they cost one promise.
 */
export function tryInTurn<C extends Candidate>(
  candidates: readonly C[],
  record: RequestRecord,
  call: (candidate: C, headCame: () => void) => Promise<Attempt>,
): Attempt | Promise<Attempt> {
  let last: { readonly attempt: Attempt; readonly candidate: C } | null = null;
  const tryFrom = (place: number): Attempt | Promise<Attempt> => {
    const candidate = record.attempts === attemptsMax ? undefined : candidates[place];
    if (candidate === undefined) {
      if (last === null) return { kind: "unsent", refusal: outOfRotation(candidates).refusal };
      noteAccount(record, last.candidate);
      return last.attempt;
    }
    const begun = candidate.circuit.begin();
    if (begun === null) return tryFrom(place + 1);
    record.attempts += 1;
    noteAccount(record, candidate);
    const noted = record.callBegins(candidate.account.name);
    return call(candidate, noted.headCame).then((attempt) => {
      noted.ended(attempt);
      candidate.circuit.end(begun, resultOf(attempt));
      record.failed(attempt);
      if (!isWorthAnother(attempt)) return attempt;
      // A provider's own answer says more than a failed connection to the next account.
      if (last === null || attempt.kind === "buffered") last = { attempt, candidate };
      return tryFrom(place + 1);
    });
  };
  return tryFrom(0);
}

/** Notes the account whose answer the client gets or waits for. */
function noteAccount(record: RequestRecord, candidate: Candidate): void {
  record.provider = candidate.account.provider;
  record.account = candidate.account.name;
  record.servedModel = modelIdOf(candidate);
}

/**
 * What an attempt says about the provider. These say nothing: a client that leaves, a request that can't be
 * sent, and a request for which no connection is free here. An answer that came is a failure only if it is a
 * 5xx, whatever happened to it here.
 */
function resultOf(attempt: Attempt): CallResult {
  switch (attempt.kind) {
    case "unsent":
      if (attempt.untried === true) return "unknown";
      return isProvidersFault(attempt.refusal) ? "failed" : "unknown";
    case "failed":
      return isProvidersFault(attempt.refusal) ? "failed" : "succeeded";
    case "buffered":
      return attempt.status >= 500 ? "failed" : "succeeded";
    case "relayed":
      return attempt.end === "cut" ? "failed" : "succeeded";
    case "abandoned":
      return attempt.connectFailed === true ? "failed" : "unknown";
  }
}

function isWorthAnother(attempt: Attempt): boolean {
  if (attempt.kind === "unsent") return isProvidersFault(attempt.refusal);
  return attempt.kind === "buffered" && (attempt.status === 429 || attempt.status >= 500);
}
