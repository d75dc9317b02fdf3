import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Attempt, HeldAnswer } from "../../exchange/exchange.ts";
import type { RequestRecord } from "./record.ts";

/** Notes why a call failed below HTTP, or its answer broke off there, which no client is told. */
export function noteFailure(attempt: Attempt, record: RequestRecord): void {
  record.upstreamError = causeOf(attempt) ?? record.upstreamError;
}

function causeOf(attempt: Attempt): string | undefined {
  switch (attempt.kind) {
    case "unsent":
    case "failed":
      return attempt.refusal.upstreamError;
    case "relayed":
      return attempt.upstreamError;
    case "held":
    case "abandoned":
      return undefined;
  }
}

/**
 * Notes what came of a call. Its outcome where there is nothing more to bring to the client: the relay
 * has done it, the client has left, or the call failed. Else the answer, which is still to be sent.
 */
export function noteAttempt(
  attempt: Attempt,
  record: RequestRecord,
): { readonly over: Outcome<null> } | { readonly held: HeldAnswer } {
  noteFailure(attempt, record);
  switch (attempt.kind) {
    case "unsent":
    case "failed":
      return { over: { ok: false, refusal: attempt.refusal } };
    case "abandoned":
      record.end = "abandoned";
      return { over: accept(null) };
    case "relayed":
      record.upstreamStatus = attempt.status;
      record.end = attempt.end;
      record.errorCode = attempt.errorCode;
      // The client was told by the provider itself.
      if (attempt.end === "provider_error") record.errorCode = "upstream_error_in_2xx";
      return { over: accept(null) };
    case "held":
      record.upstreamStatus = attempt.status;
      return { held: attempt };
  }
}
