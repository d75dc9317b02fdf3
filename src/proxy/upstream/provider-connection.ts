import type { LookupFunction } from "node:net";
import type { Sweep } from "./sweep.ts";
import type { FlatHeaders, UpstreamCall } from "../../exchange/exchange.ts";

/** The operations of a reader on the response that it reads. */
export interface ResponseControl {
  /** Stops reading the socket. Bytes that were read before may still come. */
  pause(): void;
  resume(): void;
  /** Breaks the response off. The reader gets no further call. */
  abort(): void;
  /**
   * The reader has everything that it needs. If the provider does not end its response within
   * `upstreamEndMsMax`, the connection is broken, and the response counts as ended. More calls change nothing.
   */
  endSoon(): void;
}

/**
 * Takes one response. `connected` comes first, then `head`, then any number of `data` and `readOver`. The last
 * call is `end` or `failed`, unless the reader has aborted. `failed` may come at any time before.
 */
export interface ResponseReader {
  /** The connection is open. The request is sent when this returns, unless the reader aborts. */
  connected(response: ResponseControl): void;
  /** The head of the answer. Interim responses (1xx) are left out. Names are lower case, values latin1. */
  head(status: number, headers: FlatHeaders): void;
  /** Bytes of the body, without their framing. They are valid only until `readOver` or `end` returns. */
  data(bytes: Buffer): void;
  /** All bytes of one read of the socket have come. */
  readOver(): void;
  /** The response is whole, as its framing says. */
  end(): void;
  /** The connection could not be made, or it broke, or the response is no valid HTTP. */
  failed(error: Error): void;
}

/** One connection to one provider. It carries one call at a time. */
export interface ProviderConnection {
  /** Sends one call. The connection must be free. */
  send(call: UpstreamCall, reader: ResponseReader): void;
  /** Breaks the connection. A call that is on its way fails. */
  destroy(): Promise<void>;
}

export interface ConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connectMsMax: number;
  /** Resolves the origin's name; null for the system's resolver. */
  readonly lookup: LookupFunction | null;
  /** The TLS session to resume. Connections to one origin share it; it is never used for another name. */
  readonly sessions: { latest: Buffer | null };
  /** Checks the deadlines. */
  readonly sweep: Sweep;
  /** Called after each call, when the connection is broken or free for another call. */
  readonly released: (connection: ProviderConnection) => void;
}
