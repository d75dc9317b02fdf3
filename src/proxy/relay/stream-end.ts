import type { Refusal } from "../../contract/errors.ts";
import { streamErrorEvent } from "../../contract/stream-error.ts";
import type { Attempt } from "../../exchange/exchange.ts";
import { streamCut } from "../upstream/upstream-failure.ts";
import type { StreamingState } from "./relay-state.ts";
import type { StreamEnd, StreamEvents } from "./stream-events.ts";

/**
 * How a streamed answer ended: for an SSE answer its last event decides, for any other its framing. `failure`
 * is the reason if the bytes were broken off; null if they are complete.
 */
export function streamEnd(events: StreamEvents | null, failure: Refusal | null): StreamEnd {
  const progress = events?.progress ?? "running";
  if (progress !== "running") return { end: progress };
  if (events?.isKnown !== true) {
    return failure === null ? { end: "complete" } : { end: "cut", refusal: failure };
  }
  if (failure?.code === "upstream_timeout") return { end: "cut", refusal: failure };
  return { end: "cut", refusal: { ...streamCut, ...causeOf(failure) } };
}

/**
 * The result of a streamed answer. If it was cut before its first byte was sent (`begun` is false), the
 * client can still get a refusal.
 */
export function endedAttempt(
  over: StreamEnd,
  status: number,
  begun: boolean,
  clientGone: boolean,
): Attempt {
  if (over.end !== "cut") {
    return { kind: "relayed", status, end: over.end, errorCode: null, clientGone };
  }
  const { refusal } = over;
  if (!begun) return { kind: "failed", refusal: { ...refusal, upstreamStatus: status } };
  const { code: errorCode } = refusal;
  return {
    kind: "relayed",
    status,
    end: "cut",
    errorCode,
    ...causeOf(refusal),
    clientGone,
  };
}

/**
 * The result if the client has left and nobody pays for the rest. An answer is complete if its last
 * event was sent.
 */
export function abandonedStream({ status, events }: StreamingState): Attempt {
  const progress = events?.hasEnded === true ? events.progress : "running";
  const end = progress === "running" ? "abandoned" : progress;
  return { kind: "relayed", status, end, errorCode: null, clientGone: true };
}

/**
 * The event that tells a client why its answer is incomplete. null if the answer is not a known stream,
 * because only a broken connection shows that a plain body is incomplete.
 */
export function cutNotice(
  { events, isCutEventKept }: StreamingState,
  refusal: Refusal,
): Buffer | null {
  if (events?.isKnown !== true) return null;
  const separator = events.betweenEvents || isCutEventKept ? "" : "\n\n";
  return Buffer.from(separator + streamErrorEvent(events.shape, refusal));
}

/** The event that tells a client that a rule has stopped its answer. */
export function stopNotice({ events }: StreamingState, refusal: Refusal): Buffer | null {
  return events === null ? null : Buffer.from(streamErrorEvent(events.shape, refusal));
}

/** Why the bytes broke off, if the reason is not the provider's own message. */
function causeOf(failure: Refusal | null): Pick<Refusal, "upstreamError"> {
  const cause = failure?.upstreamError;
  return cause === undefined ? {} : { upstreamError: cause };
}
