import type { FlatHeaders } from "../../exchange/exchange.ts";
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
