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
  /** The provider's bytes are over; why the answer is not whole, if it is not. */
  cut: Refusal | null;
  /** A rule has stopped the answer. */
  blocked: Refusal | null;
}
