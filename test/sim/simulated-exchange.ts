import { refuse } from "../../src/contract/errors.ts";
import { accept, type Outcome } from "../../src/contract/outcome.ts";
import type {
  Answer,
  AnswerObserver,
  BodyObserver,
  Exchange,
  ExchangeState,
  FlatHeaders,
  RequestHead,
} from "../../src/exchange/exchange.ts";
import type { Random } from "./random.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** What a client sends. */
export interface SimulatedRequest {
  readonly requestId: string;
  readonly secret: string;
  readonly path: string;
  readonly body: string;
}

/** One request of a client that may leave at any time and is slow at times. */
export class SimulatedExchange implements Exchange {
  readonly requestId: string;
  readonly head: RequestHead;
  readonly remoteAddress = "192.0.2.1";
  readonly arrivedAtMs: number;
  state: ExchangeState = "open";
  bytesSent = 0;
  status = 0;
  readonly #body: Uint8Array;
  readonly #random: Random;
  readonly #time: VirtualTime;
  readonly #answered: (headers: FlatHeaders) => void;
  #observer: AnswerObserver | null = null;
  #onDrained: (() => void) | null = null;
  #onGone: (() => void) | null = null;

  /** `answered` is told of the headers that reached the client. */
  constructor(
    { requestId, secret, path, body }: SimulatedRequest,
    random: Random,
    time: VirtualTime,
    answered: (headers: FlatHeaders) => void,
  ) {
    this.requestId = requestId;
    const headers = ["authorization", `Bearer ${secret}`, "content-type", "application/json"];
    this.head = { method: "POST", path, query: "", headers };
    this.#body = Buffer.from(body);
    this.#random = random;
    this.#time = time;
    this.arrivedAtMs = time.monotonicMs();
    this.#answered = answered;
  }

  async readBody(observer: BodyObserver | null): Promise<Outcome<Uint8Array>> {
    await this.#time.sleep(this.#random.between(0, 3), "process");
    if (this.state === "gone") return refuse("invalid_request", "The client left.");
    const refusal = observer?.grown(this.#body, this.#body.length);
    return refusal === undefined ? accept(this.#body) : { ok: false, refusal };
  }

  holdBody<T>(wait: Promise<T>): Promise<T> {
    return wait;
  }

  reserve(): boolean {
    return true;
  }

  keepHeaders(): void {
    // Rate limits are not what is simulated.
  }

  observe(observer: AnswerObserver): void {
    this.#observer = observer;
  }

  respond({ status, headers, body }: Answer): void {
    if (this.state !== "open") return;
    this.#observer?.begun(status, headers);
    this.#observer?.sent(Buffer.from(body));
    this.status = status;
    this.state = "done";
    this.#answered(headers);
  }

  begin(status: number, headers: FlatHeaders): void {
    if (this.state !== "open") return;
    this.status = status;
    this.state = "streaming";
    this.#observer?.begun(status, headers);
    this.#answered(headers);
  }

  write(chunk: Uint8Array): boolean {
    if (this.state !== "streaming") return true;
    this.#observer?.sent(chunk);
    this.bytesSent += chunk.length;
    if (!this.#random.chance(0.1)) return true;
    this.#time.after(this.#random.between(0, 200), "process", () => this.#onDrained?.());
    return false;
  }

  end(): void {
    if (this.state === "streaming") this.state = "done";
  }

  cut(): void {
    this.end();
  }

  onDrained(listener: () => void): void {
    this.#onDrained = listener;
  }

  onGone(listener: () => void): void {
    this.#onGone = listener;
    if (this.state === "gone") listener();
  }

  /** The client closes its connection. */
  leave(): void {
    if (this.state !== "open" && this.state !== "streaming") return;
    this.state = "gone";
    this.#onGone?.();
  }
}
