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
import { LingeringClose } from "./lingering-close.ts";
import { withLength, writeHead, writeOpenAnswer } from "./response-head.ts";

export interface ResponderOptions {
  readonly requestId: string;
  readonly head: RequestHead;
  /** A body follows the head, or something may. */
  readonly hasBody: boolean;
  /** The connection is closed behind the answer. */
  readonly closes: boolean;
  /** True while the server drains: every answer then closes its connection. */
  readonly draining: () => boolean;
  /** Called once, when the exchange is over in whatever way, and what lingers behind it. */
  readonly closed: () => void;
}

/** The last bytes of an answer that go with its end: half of uWS' cork buffer of 16 KiB. */
const lastBytesMax = 8 * 1024;

const noBytes = new Uint8Array(0);

/**
 * The only owner of a uWS `HttpResponse`. It has one state, and each call checks it first: uWS
 * throws when a response is used after its end or its abort, and from a timer that throw would end
 * the process.
 */
export class Responder implements Exchange {
  readonly requestId: string;
  readonly head: RequestHead;
  readonly arrivedAtMs = performance.now();
  /** Among the open exchanges; theirs to set. */
  place = 0;
  readonly #res: ResponseSocket;
  readonly #options: ResponderOptions;
  #intake: BodyIntake | null = null;
  /** The last byte of the request has come. */
  #isRequestOver: boolean;
  /** The answer has gone out before the request was over, and the connection is to be closed. */
  #lingering: LingeringClose | null = null;
  #state: ExchangeState = "open";
  #status = 0;
  #bytesSent = 0;
  /** What `begin` was given, until the first bytes take it along. */
  #pendingHeaders: FlatHeaders | null = null;
  #keptHeaders: FlatHeaders = [];
  #observer: AnswerObserver | null = null;
  /** What `#writeChunk` writes, and what came of it. */
  #chunk: Uint8Array = noBytes;
  #roomLeft = true;
  /**
   * Made once, for a stream has thousands. uWS 20.51.4 loses the second write of a cork when the first
   * meets backpressure, so a cork holds one write.
   */
  readonly #writeChunk = (): void => {
    this.#writePendingHead();
    this.#roomLeft = this.#res.write(this.#chunk);
  };
  #stall: ClientStall | null = null;
  /** The answer's last bytes are with uWS; its end waits for a slow client to take them. */
  #isEnding = false;
  #drained: (() => void) | null = null;
  #gone: (() => void) | null = null;

  constructor(res: ResponseSocket, options: ResponderOptions) {
    this.#res = res;
    this.#options = options;
    this.requestId = options.requestId;
    this.head = options.head;
    this.#isRequestOver = !options.hasBody;
    // A client's half-close counts as an abort in uWS 20.51.4.
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
    return {
      pause: () => {
        if (this.#isOpen()) this.#res.pause();
      },
      resume: () => {
        if (this.#isOpen()) this.#res.resume();
      },
    };
  }

  attach(intake: BodyIntake): void {
    this.#intake = intake;
    this.#readOn();
  }

  readBody(observer: BodyObserver | null): Promise<Outcome<Uint8Array>> {
    if (this.#intake === null) throw new Error("a body was asked for before its intake stood");
    return this.#intake.take(observer);
  }

  reserve(bytes: number, later: (granted: boolean) => void): boolean {
    if (this.#intake === null) throw new Error("room was asked for before the intake stood");
    return this.#intake.reserve(bytes, later);
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
    if (!this.#isRequestOver && (this.#options.closes || this.#options.draining())) {
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
      // A drain closes what stays open.
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
   * Answers a request whose extent can't be trusted and closes its connection. The answer waits for
   * the handler to return: uWS 20.51.4 runs a request that is pipelined behind an answered one even
   * after `end(body, true)`, but cuts the connection when one arrives behind a pending one.
   */
  respondAndCut(answer: Answer): void {
    this.#readOn();
    setImmediate(() => {
      if (this.#state !== "open") return;
      if (!this.#isRequestOver) {
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

  /** On a connection that is to be closed, while the body still comes. */
  #respondEarly(answer: Answer): void {
    if (this.#intake === null) this.#readOn();
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
    this.#lingering = new LingeringClose(() => this.#res.close());
    this.#close("done");
  }

  /** uWS delivers what comes of the body after an early answer too; the intake drops it. */
  #readOn(): void {
    this.#res.onData((chunk, last) => {
      if (last) this.#isRequestOver = true;
      this.#intake?.chunk(chunk, last);
      this.#lingering?.took(chunk.byteLength, last);
    });
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
    this.#chunk = chunk;
    this.#res.cork(this.#writeChunk);
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
        // `end` would say Content-Length: 0, which is not what a GET would have got.
        this.#res.endWithoutBody();
        return;
      }
      // Without the flag that closes the connection: uWS 20.51.4 then writes a header line into the
      // body of an answer that has begun. A drain closes the connection when all are done.
      this.#res.end();
    });
    this.#close("done");
  }

  /**
   * One write for the last bytes and the end of an answer, where uWS can send it at once: what does
   * not fit into its cork buffer, or meets backpressure, is written before the end as ever.
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
    if (this.#lingering !== null) this.#res.close();
    if (!this.#isOpen()) return;
    this.#close("done");
    this.#res.close();
    // What is written from now on goes nowhere, so nobody has to wait for room.
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
    // With a listener set, uWS 20.51.4 does not send what it keeps back until the next write; an
    // empty cork does. Without it the end of a chunk stays behind while the provider is silent.
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
    if (this.#lingering !== null) {
      this.#lingering.stop();
      this.#lingering = null;
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
    this.#intake?.abandon();
    if (this.#lingering === null) this.#options.closed();
  }
}
