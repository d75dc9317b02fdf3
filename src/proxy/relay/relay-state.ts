import type { FlatHeaders } from "../../exchange/exchange.ts";
import type { HeldBytes } from "./held-bytes.ts";
import type { StreamedAnswer } from "./streamed-answer.ts";

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
  | { readonly name: "streaming"; readonly answer: StreamedAnswer }
  | { readonly name: "settled" };

export interface HoldingState {
  readonly name: "holding";
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly held: HeldBytes;
  readonly bytesMax: number;
}
