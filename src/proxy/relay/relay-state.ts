import type { Refusal } from "../../contract/errors.ts";
import type { AnswerGate, FlatHeaders } from "../../exchange/exchange.ts";
import type { AnswerWriter } from "./answer-writer.ts";
import type { BufferedBytes } from "./buffered-bytes.ts";
import type { StreamEnd, StreamEvents } from "./stream-events.ts";

/**
 * - `connecting`: no byte has left, another account may be tried;
 * - `sent`: the request is on its way, no answer yet;
 * - `buffering`: the answer is kept until it is whole;
 * - `streaming`: the answer goes to the client as it comes;
 * - `over`: the result is known. The rest of the response, if there is one, is read and dropped.
 */
export type RelayState =
  | { readonly name: "connecting" }
  | { readonly name: "sent" }
  | BufferingState
  | StreamingState
  | { readonly name: "over" };

export interface BufferingState {
  readonly name: "buffering";
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly buffered: BufferedBytes;
  readonly bytesMax: number;
}

export interface StreamingState {
  readonly name: "streaming";
  readonly status: number;
  readonly writer: AnswerWriter;
  /** null if the answer's events can't be read. */
  readonly events: StreamEvents | null;
  /** The gate that applies a policy's rules; null if there are no rules. */
  gate: AnswerGate | null;
  /** True if only the gate writes. */
  readonly isGated: boolean;
  /** How the provider's bytes ended; null if they have not. The gate may still have some of them. */
  end: StreamEnd | null;
  /** True if the answer was cut within an event of which the client has seen nothing. */
  isCutEventKept: boolean;
  /** Set if a rule has stopped the answer. */
  blocked: Refusal | null;
}

/** The state of an answer without any bytes so far. */
export function streaming(
  status: number,
  events: StreamEvents | null,
  writer: AnswerWriter,
  isGated: boolean,
): StreamingState {
  return {
    name: "streaming",
    status,
    events,
    writer,
    gate: null,
    isGated,
    end: null,
    isCutEventKept: false,
    blocked: null,
  };
}
