import type { Exchange, RequestHead } from "../exchange/exchange.ts";
import type { Handler, PathParameters, RouteTable } from "../pipeline/routes.ts";
import type { ExchangeStep, FromThread, HandedOverRoutes } from "./messages.ts";

interface Open {
  readonly exchange: Exchange;
  readonly over: () => void;
}

/**
 * Hands requests to the main thread, which has everything that their routes need, and passes its answers to
 * their clients. This is for routes that are called rarely, because the messages in both directions cost more
 * than most of the work of the main thread for such a request.
 */
export class HandOver {
  readonly #post: (message: FromThread) => void;
  readonly #isCaller: (head: RequestHead) => boolean;
  readonly #open = new Map<number, Open>();
  #last = 0;

  /** `isCaller` says whether a request has a valid key. Only then is its body read. */
  constructor(post: (message: FromThread) => void, isCaller: (head: RequestHead) => boolean) {
    this.#post = post;
    this.#isCaller = isCaller;
  }

  routes(handedOver: HandedOverRoutes): RouteTable {
    return Object.fromEntries(
      Object.entries(handedOver).map(([pattern, methods]) => [
        pattern,
        Object.fromEntries(methods.map((method) => [method, this.#handler(pattern, method)])),
      ]),
    );
  }

  /** Brings a step of the main thread to the client. */
  step(id: number, step: ExchangeStep): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    const { exchange } = open;
    switch (step.kind) {
      case "respond":
        exchange.keepHeaders(step.kept);
        exchange.respond(step.answer);
        break;
      case "begin":
        exchange.keepHeaders(step.kept);
        exchange.begin(step.status, step.headers);
        return;
      case "write":
        // The main thread sends the next piece once this one was written.
        if (exchange.write(step.chunk)) this.#post({ kind: "drained", id });
        else exchange.onDrained(() => this.#post({ kind: "drained", id }));
        return;
      case "end":
        exchange.end();
        break;
      case "cut":
        exchange.cut();
        break;
    }
    this.#over(id);
  }

  #handler(pattern: string, method: string): Handler {
    return (exchange, parameters) => this.#serve(exchange, pattern, method, parameters);
  }

  async #serve(
    exchange: Exchange,
    pattern: string,
    method: string,
    parameters: PathParameters,
  ): Promise<void> {
    const { requestId, head, remoteAddress } = exchange;
    // The main thread refuses a request without a valid key, so its body is not read.
    const takesBody = method === "POST" && this.#isCaller(head);
    const body = takesBody ? await exchange.readBody(null) : null;
    const id = ++this.#last;
    const over = new Promise<void>((resolve) => {
      this.#open.set(id, { exchange, over: resolve });
    });
    const ageMs = performance.now() - exchange.arrivedAtMs;
    const request = {
      id,
      pattern,
      method,
      parameters,
      requestId,
      head,
      remoteAddress,
      ageMs,
      body,
      isGone: exchange.state === "gone",
    };
    this.#post({ kind: "request", request });
    exchange.onGone(() => {
      this.#post({ kind: "gone", id });
      this.#over(id);
    });
    await over;
  }

  #over(id: number): void {
    this.#open.get(id)?.over();
    this.#open.delete(id);
  }
}
