import type { Exchange, FlatHeaders, RelayPlan } from "../../exchange/exchange.ts";

const noBytes = Buffer.alloc(0);

/** Writes a streamed answer to its client. All waiting bytes are sent in one write. */
export class AnswerWriter {
  readonly #exchange: Exchange;
  readonly #plan: RelayPlan;
  readonly #status: number;
  readonly #headers: FlatHeaders;
  readonly #waiting: Buffer[] = [];

  /** `headers` are the provider's. */
  constructor(exchange: Exchange, plan: RelayPlan, status: number, headers: FlatHeaders) {
    this.#exchange = exchange;
    this.#plan = plan;
    this.#status = status;
    this.#headers = headers;
  }

  /** Lets bytes wait for the next `take` or `end`. They must be valid until then. */
  add(bytes: Buffer): void {
    this.#waiting.push(bytes);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** All waiting bytes in one buffer. They don't wait any more. */
  take(): Buffer {
    const [only = noBytes] = this.#waiting;
    const bytes = this.#waiting.length > 1 ? Buffer.concat(this.#waiting) : only;
    this.#waiting.length = 0;
    return bytes;
  }

  /** Begins the answer, unless it has begun or the client has left. */
  begin(): void {
    if (this.#exchange.state !== "open") return;
    this.#exchange.begin(this.#status, this.#plan.answerHeaders(this.#headers));
  }

  /** Sends bytes at once. False means that the client is slow. */
  write(bytes: Buffer): boolean {
    this.begin();
    return this.#exchange.write(bytes);
  }

  /**
   * Sends the waiting bytes and the end in one write. If the answer has not begun, this write also
   * contains its head.
   */
  end(): void {
    const last = this.take();
    if (this.#exchange.state !== "open") {
      this.#exchange.end(last);
    } else if (last.length > 0) {
      const headers = this.#plan.answerHeaders(this.#headers);
      this.#exchange.respond({ status: this.#status, headers, body: last });
    } else {
      this.begin();
      this.#exchange.end();
    }
  }

  /**
   * Ends an answer that has begun. `notice` is an event with the reason; null: the connection is broken
   * instead.
   */
  endWith(notice: Buffer | null): void {
    if (notice === null) {
      this.#exchange.cut();
      return;
    }
    this.#exchange.write(notice);
    this.#exchange.end();
  }
}
