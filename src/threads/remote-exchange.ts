import { refuse } from "../contract/errors.ts";
import type { Outcome } from "../contract/outcome.ts";
import type {
  Answer,
  BodyObserver,
  Exchange,
  ExchangeState,
  FlatHeaders,
  RequestHead,
} from "../exchange/exchange.ts";
import type { ExchangeStep, HandedOverRequest } from "./messages.ts";

/** The exchange of a request that another thread has handed over. That thread writes to the socket. */
export class RemoteExchange implements Exchange {
  readonly requestId: string;
  readonly head: RequestHead;
  readonly remoteAddress: string;
  readonly arrivedAtMs: number;
  readonly #body: Outcome<Uint8Array> | null;
  readonly #step: (step: ExchangeStep) => void;
  #state: ExchangeState = "open";
  #status = 0;
  #bytesSent = 0;
  #kept: FlatHeaders = [];
  #drained: (() => void) | null = null;
  #gone: (() => void) | null = null;

  constructor(request: HandedOverRequest, step: (step: ExchangeStep) => void) {
    this.requestId = request.requestId;
    this.head = request.head;
    this.remoteAddress = request.remoteAddress;
    this.arrivedAtMs = performance.now() - request.ageMs;
    this.#body = request.body;
    this.#step = step;
    if (request.isGone) this.#state = "gone";
  }

  get state(): ExchangeState {
    return this.#state;
  }

  get status(): number {
    return this.#status;
  }

  get bytesSent(): number {
    return this.#bytesSent;
  }

  readBody(observer: BodyObserver | null): Promise<Outcome<Uint8Array>> {
    const body = this.#body ?? refuse("invalid_request", "The request's body was not taken.");
    if (!body.ok) return Promise.resolve(body);
    const { value } = body;
    const refusal = observer?.grown(value, value.length);
    return Promise.resolve(refusal === undefined ? body : { ok: false, refusal });
  }

  /** The body has come already. */
  holdBody<T>(wait: Promise<T>): Promise<T> {
    return wait;
  }

  /** Handed-over requests call no provider. */
  reserve(): boolean {
    throw new Error("a request that was handed over holds no provider's answer");
  }

  keepHeaders(headers: FlatHeaders): void {
    this.#kept = headers;
  }

  /** Handed-over requests are no model requests, so nothing of their answers is kept. */
  observe(): void {
    throw new Error("the answer to a handed-over request can't be observed");
  }

  respond({ status, headers, body }: Answer): void {
    if (this.#state !== "open") return;
    this.#status = status;
    this.#bytesSent = this.head.method === "HEAD" ? 0 : Buffer.byteLength(body);
    this.#state = "done";
    const own = typeof body === "string" ? body : Uint8Array.from(body);
    this.#step({ kind: "respond", kept: this.#kept, answer: { status, headers, body: own } });
  }

  begin(status: number, headers: FlatHeaders): void {
    if (this.#state !== "open") return;
    this.#state = "streaming";
    this.#status = status;
    this.#step({ kind: "begin", kept: this.#kept, status, headers });
  }

  /** Always false after a piece: the next one must wait until the other thread has written this one. */
  write(chunk: Uint8Array): boolean {
    if (this.#state !== "streaming" || chunk.length === 0) return true;
    this.#bytesSent += chunk.length;
    // A clone of a view copies its whole buffer.
    this.#step({ kind: "write", chunk: Uint8Array.from(chunk) });
    return false;
  }

  end(last?: Uint8Array): void {
    if (this.#state !== "streaming") return;
    if (last !== undefined) this.write(last);
    this.#state = "done";
    this.#step({ kind: "end" });
  }

  cut(): void {
    if (this.#state !== "open" && this.#state !== "streaming") return;
    this.#state = "done";
    this.#step({ kind: "cut" });
  }

  onDrained(listener: () => void): void {
    this.#drained = listener;
  }

  onGone(listener: () => void): void {
    this.#gone = listener;
    if (this.#state === "gone") listener();
  }

  /** The other thread has written what it was sent. */
  drained(): void {
    this.#drained?.();
  }

  /** The client has left. */
  left(): void {
    if (this.#state === "done" || this.#state === "gone") return;
    this.#state = "gone";
    this.#gone?.();
  }
}
