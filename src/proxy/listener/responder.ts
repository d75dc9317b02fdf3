import type { Outcome } from "../../contract/outcome.ts";
import {
  hasNoBody,
  type Answer,
  type AnswerObserver,
  type BodyObserver,
  type Exchange,
  type ExchangeState,
  type FlatHeaders,
  type RequestHead,
} from "../../exchange/exchange.ts";
import type { BodyFlow, BodyIntake } from "./body.ts";
import { ClientStall } from "./client-stall.ts";
import type { ResponseSocket } from "./last-response.ts";
import { RequestReader } from "./request-reader.ts";
import { withLength, writeHead, writeOpenAnswer } from "./response-head.ts";

export interface ResponderOptions {
  readonly requestId: string;
  readonly head: RequestHead;
  /** True if a body follows the head, or may follow. */
  readonly hasBody: boolean;
  /** True if the connection is closed after the answer. */
  readonly closes: boolean;
  /** True while the server drains. Every answer then closes its connection. */
  readonly draining: () => boolean;
  /** Called once, when the exchange is over for any reason, including a lingering close. */
  readonly closed: () => void;
}

/**
 * The most bytes of a write, so that they fit into uWS' cork buffer of 16 KiB with the frame of their chunk: uWS 20.51.4
 * sends what does not fit after the frame, and loses it if the socket takes no more of the frame. With headers, and at
 * the end, half of it. Test: small-send-buffer.test.ts.
 */
const [pieceBytesMax, lastBytesMax] = [15 * 1024, 8 * 1024];

const noBytes = new Uint8Array(0);

/**
 * The only owner of a uWS `HttpResponse`. It has one state, and each call checks it first: uWS throws if a
 * response is used after its end or its abort, and in a timer such an exception would end the process.
 */
export class Responder implements Exchange {
  readonly requestId: string;
  readonly head: RequestHead;
  readonly arrivedAtMs = performance.now();
  /** The index among the open exchanges, which set it. */
  place = 0;
  readonly #res: ResponseSocket;
  readonly #options: ResponderOptions;
  readonly #request: RequestReader;
  #state: ExchangeState = "open";
  #status = 0;
  #bytesSent = 0;
  /** The headers from `begin`, until they are sent with the first bytes. */
  #pendingHeaders: FlatHeaders | null = null;
  #keptHeaders: FlatHeaders = [];
  #observer: AnswerObserver | null = null;
  /** The chunk for `#writeChunk`, and its result. */
  #chunk: Uint8Array = noBytes;
  #roomLeft = true;
  /**
   * Made once, because a stream has thousands of chunks. uWS 20.51.4 loses the second write of a cork if the
   * first meets backpressure, so a cork holds one write.
   */
  readonly #writeChunk = (): void => {
    this.#writePendingHead();
    this.#roomLeft = this.#res.write(this.#chunk);
  };
  #stall: ClientStall | null = null;
  /** True if uWS has the answer's last bytes, and its end waits until a slow client has read them. */
  #isEnding = false;
  #drained: (() => void) | null = null;
  #gone: (() => void) | null = null;

  constructor(res: ResponseSocket, options: ResponderOptions) {
    this.#res = res;
    this.#options = options;
    this.requestId = options.requestId;
    this.head = options.head;
    this.#request = new RequestReader(res, options.hasBody);
    // uWS 20.51.4 reports a client's half-close as an abort.
    res.onAborted(() => this.#left());
  }

  get state(): ExchangeState {
    return this.#state;
  }

  get remoteAddress(): string {
    return this.#isOpen() ? Buffer.from(this.#res.getRemoteAddressAsText()).toString("latin1") : "";
  }

  get status(): number {
    return this.#status;
  }

  get bytesSent(): number {
    return this.#bytesSent;
  }

  /** The read side of this exchange's socket, safe in any state. */
  get flow(): BodyFlow {
    return this.#request;
  }

  attach(intake: BodyIntake): void {
    this.#request.attach(intake);
  }

  readBody(observer: BodyObserver | null): Promise<Outcome<Uint8Array>> {
    return this.#request.body(observer);
  }

  holdBody<T>(wait: Promise<T>): Promise<T> {
    return this.#request.hold(wait);
  }

  reserve(bytes: number, later: (granted: boolean) => void): boolean {
    return this.#request.reserve(bytes, later);
  }

  keepHeaders(headers: FlatHeaders): void {
    this.#keptHeaders = headers;
  }

  observe(observer: AnswerObserver): void {
    this.#observer = observer;
  }

  respond(answer: Answer): void {
    if (this.#state !== "open") return;
    this.#observeWhole(answer);
    if (!this.#request.isOver && (this.#options.closes || this.#options.draining())) {
      this.#respondEarly(answer);
      return;
    }
    const { status, headers, body } = answer;
    const length = Buffer.byteLength(body);
    const { method } = this.head;
    const isBodiless = hasNoBody(method, status);
    this.#bytesSent = isBodiless ? 0 : length;
    this.#res.cork(() => {
      this.#writeHead(status, method === "HEAD" ? withLength(headers, length) : headers);
      // A drain closes the connections that are still open.
      if (isBodiless) this.#res.endWithoutBody();
      else this.#res.end(body, this.#options.draining());
    });
    this.#close("done");
  }

  #observeWhole({ status, headers, body }: Answer): void {
    if (this.#observer === null) return;
    this.#observer.begun(status, headers);
    this.#observer.sent(typeof body === "string" ? Buffer.from(body) : body);
  }

  /**
   * Answers a request whose extent can't be trusted, and closes its connection. The answer waits until the
   * handler has returned: uWS 20.51.4 runs a request that is pipelined after an answered one, even after
   * `end(body, true)`, but cuts the connection if a request arrives while an answer is pending.
   */
  respondAndCut(answer: Answer): void {
    this.#request.readRest();
    setImmediate(() => {
      if (this.#state !== "open") return;
      if (!this.#request.isOver) {
        this.#respondEarly(answer);
        return;
      }
      this.#res.cork(() => {
        this.#writeHead(answer.status, answer.headers);
        this.#res.end(answer.body, true);
      });
      this.#close("done");
    });
  }

  /** For a connection that must be closed while the body still comes. */
  #respondEarly(answer: Answer): void {
    this.#request.readRest();
    this.#res.cork(() => {
      this.#status = answer.status;
      const { requestId, head } = this;
      this.#bytesSent = writeOpenAnswer(
        this.#res,
        requestId,
        head.method,
        this.#keptHeaders,
        answer,
      );
    });
    this.#request.linger();
    this.#close("done");
  }

  begin(status: number, headers: FlatHeaders): void {
    if (this.#state !== "open") return;
    this.#state = "streaming";
    this.#status = status;
    this.#observer?.begun(status, headers);
    this.#pendingHeaders = headers;
    this.#res.onWritable(() => this.#writable());
  }

  write(chunk: Uint8Array): boolean {
    if (this.#state !== "streaming" || this.#isEnding || chunk.length === 0) return true;
    this.#observer?.sent(chunk);
    this.#bytesSent += chunk.length;
    for (let at = 0; at < chunk.length && this.#isOpen();) {
      const bytesMax = this.#pendingHeaders === null ? pieceBytesMax : lastBytesMax;
      const isWhole = at === 0 && chunk.length <= bytesMax;
      // Most chunks are small, and need no view of their own.
      this.#chunk = isWhole ? chunk : chunk.subarray(at, at + bytesMax);
      at += bytesMax;
      this.#res.cork(this.#writeChunk);
    }
    this.#chunk = noBytes;
    if (!this.#roomLeft) this.#stalled();
    return this.#roomLeft;
  }

  end(last?: Uint8Array): void {
    if (this.#state !== "streaming" || this.#isEnding) return;
    if (last !== undefined && last.length > 0) {
      this.#endWith(last);
      return;
    }
    // uWS 20.51.4 cuts a client 10 s after an end that met backpressure, and can't be told to wait.
    if (this.#stall !== null) this.#isEnding = true;
    else this.#endNow();
  }

  #endNow(): void {
    this.#res.cork(() => {
      const isBodiless = this.#pendingHeaders !== null && hasNoBody(this.head.method, this.#status);
      this.#writePendingHead();
      if (isBodiless) {
        // `end` would send Content-Length: 0, which is not the length of a GET's answer.
        this.#res.endWithoutBody();
        return;
      }
      // Without the flag that closes the connection: uWS 20.51.4 would write a header line into the body of
      // an answer that has begun. A drain closes the connection when all exchanges are over.
      this.#res.end();
    });
    this.#close("done");
  }

  /**
   * Writes the last bytes and the end of an answer at once if uWS can send them immediately. Bytes that do
   * not fit into its cork buffer, or meet backpressure, are written before the end as usual.
   */
  #endWith(last: Uint8Array): void {
    if (this.#stall !== null || last.length > lastBytesMax) {
      this.write(last);
      this.end();
      return;
    }
    this.#observer?.sent(last);
    this.#bytesSent += last.length;
    this.#res.cork(() => {
      this.#writePendingHead();
      this.#res.end(last);
    });
    this.#close("done");
  }

  cut(): void {
    // `close` calls the abort handler before it returns.
    if (this.#request.isLingering) this.#res.close();
    if (!this.#isOpen()) return;
    this.#close("done");
    this.#res.close();
    // From now on writes go nowhere, so nothing has to wait for room.
    this.#drained?.();
  }

  onDrained(listener: () => void): void {
    this.#drained = listener;
  }

  onGone(listener: () => void): void {
    this.#gone = listener;
    if (this.#state === "gone") listener();
  }

  #isOpen(): boolean {
    return this.#state === "open" || this.#state === "streaming";
  }

  #writePendingHead(): void {
    const headers = this.#pendingHeaders;
    if (headers === null) return;
    this.#pendingHeaders = null;
    this.#writeHead(this.#status, headers);
  }

  #writeHead(status: number, headers: FlatHeaders): void {
    this.#status = status;
    writeHead(this.#res, this.requestId, status, this.#keptHeaders, headers);
  }

  #writable(): boolean {
    if (this.#state !== "streaming") return true;
    // With a listener set, uWS 20.51.4 sends buffered bytes only with the next write; an empty cork sends
    // them too. Without it, the end of a chunk waits while the provider is silent.
    this.#res.cork(() => undefined);
    this.#unstall();
    if (this.#isEnding) this.#endNow();
    else this.#drained?.();
    return true;
  }

  #stalled(): void {
    this.#stall ??= new ClientStall(this.#res, () => {
      this.#gone?.();
      this.cut();
    });
  }

  #unstall(): void {
    this.#stall?.end();
    this.#stall = null;
  }

  #left(): void {
    if (this.#request.disconnected()) {
      this.#options.closed();
      return;
    }
    if (!this.#isOpen()) return;
    this.#close("gone");
    this.#gone?.();
  }

  #close(state: "done" | "gone"): void {
    this.#state = state;
    this.#unstall();
    this.#request.answered();
    if (!this.#request.isLingering) this.#options.closed();
  }
}
