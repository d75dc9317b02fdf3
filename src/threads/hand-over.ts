import type { Exchange, RequestHead } from "../exchange/exchange.ts";
import type { Handler, PathParameters, RouteTable } from "../pipeline/routes.ts";
import type { ExchangeStep, FromThread, HandedOverRoutes } from "./messages.ts";

interface Open {
  readonly exchange: Exchange;
  readonly over: () => void;
}

/**
 * Hands requests to the main thread, where what their routes need is at hand, and brings its answers to
 * their clients. For routes that are asked for rarely: a hop there and back costs more than most of
 * what the main thread then does.
 */
export class HandOver {
  readonly #post: (message: FromThread) => void;
  readonly #isCaller: (head: RequestHead) => boolean;
  readonly #open = new Map<number, Open>();
  #last = 0;

  /** `isCaller`: whether a request brings a valid key, so that its body is worth reading. */
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
        // The next piece is sent once this one has gone.
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
    // A request without a valid key is refused by the main thread, so its body is not read.
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
