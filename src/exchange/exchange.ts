import type { ErrorCode, Refusal } from "../contract/errors.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { UpstreamTimeouts } from "../contract/account.ts";
import type { Wire } from "../contract/wire.ts";

/** Headers as they came or go: name, value, name, value, …; names of requests are lower case. */
export type FlatHeaders = readonly string[];

/** The first value of a header, or undefined. `name` in lower case. */
export function header(headers: FlatHeaders, name: string): string | undefined {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] === name) return headers[i + 1];
  }
  return undefined;
}

/** RFC 9110: an answer to HEAD, 204 and 304 have no body, whatever their headers say. */
export function hasNoBody(method: string, status: number): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}

export interface RequestHead {
  /** Upper case. */
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without `?`; empty where there is none. */
  readonly query: string;
  readonly headers: FlatHeaders;
}

/** Sees a request body grow: `bytes.subarray(0, length)` is what has arrived so far. */
export interface BodyObserver {
  /** Called after each chunk with all that is there; a refusal stops the intake. */
  grown(bytes: Uint8Array, length: number): Refusal | undefined;
}

/** An answer that is written at once. */
export interface Answer {
  readonly status: number;
  /**
   * Without Content-Length, Transfer-Encoding and Connection, which the responder owns; but an answer to
   * a HEAD may have the length of a GET's.
   */
  readonly headers: FlatHeaders;
  readonly body: string | Uint8Array;
}

/** Sees what a client is sent, as it is sent. */
export interface AnswerObserver {
  begun(status: number, headers: FlatHeaders): void;
  sent(chunk: Uint8Array): void;
}

/** `open`: nothing written; `streaming`: begun; `done`: ended by us; `gone`: the client left first. */
export type ExchangeState = "open" | "streaming" | "done" | "gone";

/**
 * One request and its one answer. The pipeline's steps return values; what reaches the client goes
 * through here, and every call is safe in any state: after `done` or `gone` it does nothing.
 */
export interface Exchange {
  readonly requestId: string;
  readonly head: RequestHead;
  /** Of the socket, as text; "" once the exchange is over. The PROXY protocol's is never told. */
  readonly remoteAddress: string;
  /** `performance.now()` at arrival. */
  readonly arrivedAtMs: number;
  readonly state: ExchangeState;
  /** Body bytes handed to the client so far. */
  readonly bytesSent: number;
  /** HTTP status of the answer; 0 before it began. */
  readonly status: number;

  /**
   * Takes the request body: decoded, whole, at most the configured cap. Must be called before the
   * first `await` of a pipeline, once. Errors: `request_too_large`, `invalid_request` (framing,
   * encoding, a client that leaves meanwhile), `detector_unavailable` where the byte budget stays
   * full, and what the observer refuses.
   */
  readBody(observer: BodyObserver | null): Promise<Outcome<Uint8Array>>;

  /**
   * Counts memory for an answer that is buffered until its handler is over. False: all exchanges together
   * have no room for it now; `later` is called once there is, or with false where it stays so.
   */
  reserve(bytes: number, later: (granted: boolean) => void): boolean;

  /**
   * Headers of our own that go with the answer, whatever it is and whoever writes it; the answer's
   * own of the same names are left out. Replaces what was kept before.
   */
  keepHeaders(headers: FlatHeaders): void;
  /** The one observer of the answer; to be named before the answer begins. */
  observe(observer: AnswerObserver): void;
  /** Writes a whole answer. */
  respond(answer: Answer): void;
  /** Starts a streamed answer; the headers leave together with the first bytes. */
  begin(status: number, headers: FlatHeaders): void;
  /** Sends bytes at once. False: the client is slow, stop until `onDrained`. */
  write(chunk: Uint8Array): boolean;
  /** Ends a streamed answer properly, with its last bytes if they are given. */
  end(last?: Uint8Array): void;
  /** Cuts the connection, so that the client sees an incomplete answer. */
  cut(): void;
  /** The one listener for a slow client's socket having room again. */
  onDrained(listener: () => void): void;
  /** The one listener for the client leaving before the answer ended. */
  onGone(listener: () => void): void;
}

/** What is told of an exchange in the records of its request. */
export type ServedExchange = Pick<
  Exchange,
  "requestId" | "head" | "arrivedAtMs" | "status" | "bytesSent"
>;

/** A request as it goes to a provider. */
export interface UpstreamCall {
  /** Scheme, host, port. */
  readonly origin: string;
  /** True where a caller named the origin: it is checked by the SSRF guard, its address pinned. */
  readonly guarded: boolean;
  readonly method: string;
  /** Path and query, exactly as they go on the wire. */
  readonly target: string;
  /** Without Host, Content-Length and hop-by-hop headers. */
  readonly headers: string[];
  /** The body's pieces in order; empty for none. */
  readonly body: readonly Uint8Array[];
  readonly timeoutsMs: UpstreamTimeouts;
  /** The longest answer that is buffered whole, bytes. */
  readonly responseBytesMax: number;
}

/** Sees the events of a streamed answer that may tell of its usage, as they pass by. */
export interface StreamObserver {
  /**
   * `payload`: the bytes behind one `data:`. Only those that may hold a usage are shown. False keeps
   * the event from the client, where `mayDrop`.
   */
  event(payload: Buffer): boolean;
  /** Events may be kept back; so an event whose end has not come waits for it. */
  readonly mayDrop: boolean;
}

/** Takes what a gate lets go on. */
export interface GateSink {
  write(bytes: Buffer): void;
  /** There is room for more, after a `push` that said there is none. */
  roomAgain(): void;
  /** A rule stops the answer; the last call. */
  blocked(refusal: Refusal): void;
  /** All that may go on has gone on; the last call. */
  finished(): void;
}

/** Lets a stream's events go on once a policy's rules have seen them. */
export interface AnswerGate {
  /** Never throws. False: enough waits, stop until `roomAgain`. */
  push(bytes: Buffer): boolean;
  /** The stream's bytes are over. */
  finish(): void;
}

/** What a policy's rules for answers do with a streamed one. */
export interface StreamRules {
  /** The bytes pass as they come; the gate sees them and writes nothing. */
  readonly watches: boolean;
  /** For a stream that can't be read: encoded, or on no known wire; null: it passes. */
  readonly unreadable: Refusal | null;
  open(wire: Wire, sink: GateSink): AnswerGate;
}

/** How an answer is brought to the client. */
export interface RelayPlan {
  /** Whose terminal events end an SSE answer; null: an SSE answer is not watched. */
  readonly wire: Wire | null;
  /** With a `wire` that is null: whose terminal events tell that an SSE answer is whole. All of it passes. */
  readonly passedShape?: "responses";
  /** JSON answers are buffered whole and come back as `buffered`; else they pass through. */
  readonly bufferJson: boolean;
  /**
   * The request asks for a stream: an answer of no type, or of plain text, that does not begin as JSON
   * is an SSE answer, as some providers send it.
   */
  readonly asksForStream?: boolean;
  /** A JSON answer that is longer passes on from there; absent: it is refused beyond the call's bound. */
  readonly bufferedBytesMax?: number;
  /** The client left: true reads the answer to its end, false aborts it. */
  readonly drainWithoutClient: boolean;
  readonly observer: StreamObserver | null;
  /** Absent or null: a stream's bytes pass as they come. */
  readonly streamRules?: StreamRules | null;
  /** Told when the head of the provider's response has come. */
  readonly headCame?: () => void;
  /** What the client sees of the answer's headers. */
  answerHeaders(upstream: FlatHeaders): FlatHeaders;
}

/** How a relayed answer ended. */
export type RelayEnd =
  /** With its terminal event, or (not SSE, not watched) with its last byte. */
  | "complete"
  /** The provider's own error event ended it. */
  | "provider_error"
  /** It stopped without a terminal event. */
  | "cut"
  /** A rule for answers stopped it. */
  | "blocked"
  /** The client left and the upstream was aborted. */
  | "abandoned";

/** What came of one call to one upstream. */
export type Attempt =
  /** Never sent: the connection failed, or the request can't be sent to anybody. */
  | {
      readonly kind: "unsent";
      readonly refusal: Refusal;
      /** No connection was tried, for a bound of ours. */
      readonly untried?: true;
    }
  /** Failed after it was sent and before a byte reached the client. */
  | { readonly kind: "failed"; readonly refusal: Refusal }
  /**
   * The client left before a byte reached it, and the call was given up. `connectFailed` says of one that
   * was not sent yet whether it could not have been; absent: it was sent.
   */
  | { readonly kind: "abandoned"; readonly connectFailed?: boolean }
  /** A whole answer that the client has not seen yet: any with status ≥ 400, and buffered JSON. */
  | {
      readonly kind: "buffered";
      readonly status: number;
      readonly headers: FlatHeaders;
      readonly body: Uint8Array;
    }
  /** The relay has begun the client's answer and ended it. */
  | {
      readonly kind: "relayed";
      readonly status: number;
      readonly end: RelayEnd;
      /** The code told to the client in an error event, or null. */
      readonly errorCode: ErrorCode | null;
      /** Of one that was cut: the code of what broke the connection; absent: the provider ended it. */
      readonly upstreamError?: string;
      /** The client had left before the end. */
      readonly clientGone: boolean;
    };

/** An answer that is still in our hands. */
export type BufferedAnswer = Extract<Attempt, { kind: "buffered" }>;

/** Calls an upstream and brings its answer to the exchange as the plan says. Never rejects. */
export type Forward = (call: UpstreamCall, plan: RelayPlan, exchange: Exchange) => Promise<Attempt>;
