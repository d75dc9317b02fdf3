import type { Refusal } from "../contract/errors.ts";
import type { AnswerGate, FlatHeaders } from "../pipeline/exchange.ts";
import type { EventObservation } from "./event-observation.ts";
import type { HeldBytes } from "./held-bytes.ts";
import type { SseTap } from "./sse.ts";
import { streamCut } from "./upstream-failure.ts";

/**
 * - `connecting`: no byte has left, another account may be tried;
 * - `sent`: the request is on its way, no answer yet;
 * - `holding`: the answer is kept until it is whole;
 * - `streaming`: the answer goes to the client as it comes;
 * - `settled`: over.
 */
export type RelayState =
  | { readonly name: "connecting" }
  | { readonly name: "sent" }
  | HoldingState
  | StreamingState
  | { readonly name: "settled" };

export interface HoldingState {
  readonly name: "holding";
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly held: HeldBytes;
  readonly bytesMax: number;
}

/** How the bytes of a streamed answer ended, and what a client is told of one that is not whole. */
export type StreamEnd =
  | { readonly end: "complete" | "provider_error" }
  | { readonly end: "cut"; readonly refusal: Refusal };

export interface StreamingState {
  readonly name: "streaming";
  readonly status: number;
  readonly headers: FlatHeaders;
  /** null: it has no events that could be told apart. */
  tap: SseTap | null;
  observation: EventObservation | null;
  /** What a policy's rules see; null: there are none. */
  gate: AnswerGate | null;
  /** The gate alone writes. */
  isGated: boolean;
  /** What came in one read of the provider's socket and has not gone on yet. */
  readonly pending: Buffer[];
  /** How the provider's bytes ended; null: they have not. */
  over: StreamEnd | null;
  /** A rule has stopped the answer. */
  blocked: Refusal | null;
}

const noBytes = Buffer.alloc(0);

/** Of an answer that goes on as it comes, and that nobody looks at. */
export function streamingState(status: number, headers: FlatHeaders): StreamingState {
  const seen = { tap: null, observation: null, gate: null, over: null, blocked: null };
  return { name: "streaming", status, headers, isGated: false, pending: [], ...seen };
}

/** What waits to go on, all in one. */
export function takePending({ pending }: StreamingState): Buffer {
  const [only = noBytes] = pending;
  const bytes = pending.length > 1 ? Buffer.concat(pending) : only;
  pending.length = 0;
  return bytes;
}

/** A plain body says by nothing but its framing that it is whole, an SSE answer by its last event. */
export function endOf({ tap }: StreamingState, failure: Refusal | null): StreamEnd {
  if (tap === null)
    return failure === null ? { end: "complete" } : { end: "cut", refusal: failure };
  const progress = tap.finish();
  if (progress !== "running") return { end: progress };
  return { end: "cut", refusal: failure?.code === "upstream_timeout" ? failure : streamCut };
}
