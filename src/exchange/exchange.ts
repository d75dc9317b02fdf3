import type { ErrorCode, Refusal } from "../contract/errors.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { UpstreamTimeouts } from "../contract/account.ts";
import type { Wire } from "../contract/wire.ts";

/** Headers in their order: name, value, name, value, …. The names of request headers are lower case. */
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
  /** As sent, without `?`; empty if there is none. */
  readonly query: string;
  readonly headers: FlatHeaders;
}

/** Sees a request body grow: `bytes.subarray(0, length)` is what has arrived so far. */
export interface BodyObserver {
  /** Called after each chunk with all bytes so far. A refusal stops the intake. */
  grown(bytes: Uint8Array, length: number): Refusal | undefined;
}

/** An answer that is written all at once. */
export interface Answer {
  readonly status: number;
  /**
   * Without Content-Length, Transfer-Encoding and Connection, which the responder owns. But an answer to a
   * HEAD may have the length of a GET's answer.
   */
  readonly headers: FlatHeaders;
  readonly body: string | Uint8Array;
}

/** Sees what is sent to a client, while it is sent. */
export interface AnswerObserver {
  begun(status: number, headers: FlatHeaders): void;
  sent(chunk: Uint8Array): void;
}

/**
 * `open`: nothing is written; `streaming`: the answer has begun; `done`: the gateway ended it; `gone`: the
 * client left first.
 */
export type ExchangeState = "open" | "streaming" | "done" | "gone";

/**
 * One request and its one answer. The pipeline's steps return values; everything that reaches the client goes
 * through here. Every call is safe in any state: after `done` or `gone` it does nothing.
 */
export interface Exchange {
  readonly requestId: string;
  readonly head: RequestHead;
  /** The socket's address as text; "" once the exchange is over. Never the address of the PROXY protocol. */
  readonly remoteAddress: string;
  /** `performance.now()` at arrival. */
  readonly arrivedAtMs: number;
  readonly state: ExchangeState;
  /** Body bytes handed to the client so far. */
  readonly bytesSent: number;
  /** HTTP status of the answer; 0 before it began. */
  readonly status: number;

  /**
   * Takes the request body: decoded, whole, at most the configured cap. Must be called once, before the first
   * `await` of a pipeline, or as `holdBody` says. Errors: `request_too_large`, `invalid_request` (framing, encoding, a client that
   * leaves early), `detector_unavailable` if the byte budget stays full, and the observer's refusals.
   */
  readBody(observer: BodyObserver | null): Promise<Outcome<Uint8Array>>;

  /**
   * Keeps the body back while `wait` is pending, for a pipeline that must wait before it reads it. It resolves as `wait`
   * does; then `readBody` must be called before anything else is waited for. Must be called before the first `await`.
   */
  holdBody<T>(wait: Promise<T>): Promise<T>;

  /**
   * Reserves memory for an answer that is buffered until its handler is over. False means that all exchanges
   * together leave no room now. Then `later` is called once there is room, or with false if there is none in
   * time.
   */
  reserve(bytes: number, later: (granted: boolean) => void): boolean;

  /**
   * Keeps headers of the gateway for the answer, whatever it is and whoever writes it. They replace the
   * answer's own headers of the same names, and headers that were kept before.
   */
  keepHeaders(headers: FlatHeaders): void;
  /** Sets the one observer of the answer. Must be called before the answer begins. */
  observe(observer: AnswerObserver): void;
  /** Writes a whole answer. */
  respond(answer: Answer): void;
  /** Starts a streamed answer. The headers are sent together with the first bytes. */
  begin(status: number, headers: FlatHeaders): void;
  /** Sends bytes at once. False means that the client is slow: stop until `onDrained`. */
  write(chunk: Uint8Array): boolean;
  /** Ends a streamed answer properly, with its last bytes if they are given. */
  end(last?: Uint8Array): void;
  /** Cuts the connection, so that the client sees an incomplete answer. */
  cut(): void;
  /** Sets the one listener that is called when a slow client's socket has room again. */
  onDrained(listener: () => void): void;
  /** Sets the one listener that is called when the client leaves before the answer has ended. */
  onGone(listener: () => void): void;
}

/** The facts about an exchange that go into its request's records. */
export type ServedExchange = Pick<
  Exchange,
  "requestId" | "head" | "arrivedAtMs" | "status" | "bytesSent"
>;

/** An upstream that a caller named and that passed the network policy. */
export interface NamedUpstream {
  /** Scheme, host and port in canonical form. */
  readonly origin: string;
  /** The prefix of the request's path, without a trailing slash. */
  readonly basePath: string;
}

/** A request in the form in which it goes to a provider. */
export interface UpstreamCall {
  /** Scheme, host, port. */
  readonly origin: string;
  /** True if a caller named the origin. Then the SSRF guard checks it, and its address is pinned. */
  readonly guarded: boolean;
  readonly method: string;
  /** Path and query, exactly as they go on the wire. */
  readonly target: string;
  /** Without Host, Content-Length and hop-by-hop headers. */
  readonly headers: string[];
  /** The body's pieces in order; empty for none. */
  readonly body: readonly Uint8Array[];
  readonly timeoutsMs: UpstreamTimeouts;
  /** The maximum length of an answer that is buffered whole, in bytes. */
  readonly responseBytesMax: number;
}

/** Reads a payload piece by piece. */
export interface LongPayload {
  push(bytes: Buffer): void;
  /** After the last piece; null if nothing is to be shown. */
  readonly kept: Buffer | null;
}

/** Sees events of a streamed answer while they pass. */
export interface StreamObserver {
  /**
   * `payload` is the bytes after one `data:`. Unless `seesAll` is set, only payloads that may hold a usage are
   * shown. If `mayDrop` is set, false keeps the event from the client.
   */
  event(payload: Buffer): boolean;
  readonly seesAll: boolean;
  /** Begins to read a payload that is too long to be held. What is kept of it is shown in its place. */
  beginLong(): LongPayload;
  /** If true, events may be dropped, so an event waits until its end has come. */
  readonly mayDrop: boolean;
}

/** Takes the bytes that a gate lets pass. */
export interface GateSink {
  write(bytes: Buffer): void;
  /** There is room for more, after a `push` that returned false. */
  roomAgain(): void;
  /** A rule stops the answer. This is the last call. */
  blocked(refusal: Refusal): void;
  /** Everything that may pass has passed. This is the last call. */
  finished(): void;
}

/** Lets a stream's events pass once a policy's rules have seen them. */
export interface AnswerGate {
  /** Never throws. False means that enough bytes wait: stop until `roomAgain`. */
  push(bytes: Buffer): boolean;
  /** The stream has no more bytes. */
  finish(): void;
}

/** What a policy's rules for answers do with a streamed answer. */
export interface StreamRules {
  /** If true, the bytes pass as they come. The gate sees them and writes nothing. */
  readonly watches: boolean;
  /**
   * The refusal for a stream that can't be read because it is encoded or on no known wire; null if it passes.
   */
  readonly unreadable: Refusal | null;
  open(wire: Wire, sink: GateSink): AnswerGate;
}

/** How an answer is brought to the client. */
export interface RelayPlan {
  /** The wire whose terminal events end an SSE answer; null if an SSE answer is not watched. */
  readonly wire: Wire | null;
  /** If `wire` is null: the shape whose terminal events show that an SSE answer is whole. All bytes pass. */
  readonly passedShape?: "responses";
  /** If true, JSON answers are buffered whole and come back as `buffered`. Else they pass through. */
  readonly bufferJson: boolean;
  /**
   * True if the request asks for a stream. Then an answer without a content type, or with plain text, counts
   * as an SSE answer unless it begins as JSON. Some providers send SSE like that.
   */
  readonly asksForStream?: boolean;
  /**
   * From this length on, a JSON answer is passed on instead of buffered. If absent, it is refused beyond the
   * call's bound.
   */
  readonly bufferedBytesMax?: number;
  /** If the client leaves: true reads the answer to its end, false aborts it. */
  readonly drainWithoutClient: boolean;
  readonly observer: StreamObserver | null;
  /** If absent or null, a stream's bytes pass as they come. */
  readonly streamRules?: StreamRules | null;
  /** Called when the head of the provider's response has come. */
  readonly headCame?: () => void;
  /** The headers that the client gets. */
  answerHeaders(upstream: FlatHeaders): FlatHeaders;
}

/** How a relayed answer ended. */
export type RelayEnd =
  /** With its terminal event. If the answer is not SSE, or is not watched, with its last byte. */
  | "complete"
  /** The provider's own error event ended it. */
  | "provider_error"
  /** It stopped without a terminal event. */
  | "cut"
  /** A rule for answers stopped it. */
  | "blocked"
  /** The client left and the upstream was aborted. */
  | "abandoned";

/** The result of one call to one upstream. */
export type Attempt =
  /** Never sent: the connection failed, or no provider could be sent this request. */
  | {
      readonly kind: "unsent";
      readonly refusal: Refusal;
      /** No connection was tried, because a bound of the gateway was reached. */
      readonly untried?: true;
    }
  /** It failed after it was sent and before a byte reached the client. */
  | { readonly kind: "failed"; readonly refusal: Refusal }
  /**
   * The client left before a byte reached it, and the call was given up. `connectFailed` is absent if the
   * request was sent. Else it says whether the connection had failed.
   */
  | { readonly kind: "abandoned"; readonly connectFailed?: boolean }
  /** A whole answer that the client has not seen yet: any answer with status ≥ 400, and buffered JSON. */
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
      /**
       * If the answer was cut: the code of the error that broke the connection; absent if the provider ended
       * it.
       */
      readonly upstreamError?: string;
      /** The client had left before the end. */
      readonly clientGone: boolean;
    };

/** An answer that is buffered here and that the client has not seen. */
export type BufferedAnswer = Extract<Attempt, { kind: "buffered" }>;

/** Calls an upstream and brings its answer to the exchange as the plan says. Never rejects. */
export type Forward = (call: UpstreamCall, plan: RelayPlan, exchange: Exchange) => Promise<Attempt>;
