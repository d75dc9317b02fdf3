import type { Attempt, Exchange, FlatHeaders, RelayPlan } from "../../exchange/exchange.ts";
import type { Backpressure } from "./backpressure.ts";
import type { BufferedBytes } from "./buffered-bytes.ts";
import type { StreamedAnswer } from "./streamed-answer.ts";

/**
 * - `connecting`: no byte has left, another account may be tried;
 * - `sent`: the request is on its way, no answer yet;
 * - `buffering`: the answer is kept until it is whole;
 * - `streaming`: the answer goes to the client as it comes;
 * - `settled`: over.
 */
export type RelayState =
  | { readonly name: "connecting" }
  | { readonly name: "sent" }
  | BufferingState
  | { readonly name: "streaming"; readonly answer: StreamedAnswer }
  | { readonly name: "settled" };

export interface BufferingState {
  readonly name: "buffering";
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly buffered: BufferedBytes;
  readonly bytesMax: number;
}

/** The call that an answer comes from, and the exchange that it goes to. */
export interface StreamLink {
  readonly plan: RelayPlan;
  readonly exchange: Exchange;
  readonly pressure: Backpressure;
  /** True if the attempt is over, whoever ended it. */
  readonly isSettled: () => boolean;
  readonly settle: (attempt: Attempt) => void;
  /** Breaks off the provider's response. */
  readonly abort: (reason: Error) => void;
  /** The provider has sent everything. Its response is closed unless it ends by itself soon. */
  readonly closeSoon: () => void;
}
