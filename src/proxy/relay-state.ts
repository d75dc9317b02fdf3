import type { Refusal } from "../contract/errors.ts";
import type { AnswerGate, FlatHeaders } from "../pipeline/exchange.ts";
import type { EventObservation } from "./event-observation.ts";
import type { SseTap } from "./sse.ts";

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
  | {
      readonly name: "holding";
      readonly status: number;
      readonly headers: FlatHeaders;
      readonly chunks: Buffer[];
      readonly bytesMax: number;
      bytes: number;
    }
  | StreamingState
  | { readonly name: "settled" };

/** How the bytes of a streamed answer ended, and what a client is told of one that is not whole. */
export type StreamEnd =
  | { readonly end: "complete" | "provider_error" }
  | { readonly end: "cut"; readonly refusal: Refusal };

export interface StreamingState {
  readonly name: "streaming";
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly tap: SseTap | null;
  readonly observation: EventObservation | null;
  /** What a policy's rules see; null: there are none. */
  gate: AnswerGate | null;
  /** The gate alone writes. */
  readonly isGated: boolean;
  /** What came in one read of the provider's socket and has not gone on yet. */
  readonly pending: Buffer[];
  /** How the provider's bytes ended; null: they have not. */
  over: StreamEnd | null;
  /** A rule has stopped the answer. */
  blocked: Refusal | null;
}
