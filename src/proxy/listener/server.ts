import hyperid from "hyperid";
import { requestHeadersBytesMax } from "../../contract/limits.ts";
import { refuse } from "../../contract/errors.ts";
import type { Answer, RequestHead } from "../../exchange/exchange.ts";
import { refusalAnswer, unexpected } from "../../exchange/refusal.ts";
import { isAlwaysServed, type Admission, type Decision } from "../overload/admission.ts";
import { BodyIntake } from "./body.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { sendContinue } from "./send-continue.ts";
import { readFraming, type FramingFault } from "./framing.ts";
import { LastResponse } from "./last-response.ts";
import type { RefusedLoad } from "../overload/refused-load.ts";
import { OpenExchanges } from "./open-exchanges.ts";
import { Responder } from "./responder.ts";
import { findHandler, type Routes } from "../../pipeline/routes.ts";
import { InFlight } from "./in-flight.ts";
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from "uWebSockets.js";

// Read once when the module loads. Without it uWS caps headers at 4 KiB.
process.env["UWS_HTTP_MAX_HEADERS_SIZE"] = String(requestHeadersBytesMax);
const { App, us_listen_socket_close, us_socket_local_port } = await import("uWebSockets.js").then(
  (module) => module.default,
);

/** Identifies a listener to another thread of this process. */
export type ListenerDescriptor = number;

/** Features of uWS 20.51.4 that its types leave out. */
type SharingApp = TemplatedApp & {
  listen(
    host: string,
    port: number,
    options: number,
    listening: (socket: us_listen_socket | false) => void,
  ): TemplatedApp;
  getDescriptor(): ListenerDescriptor;
  addChildAppDescriptor(descriptor: ListenerDescriptor): void;
};

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it uWS sets SO_REUSEPORT. */
const exclusivePort = 1;

export interface ListenerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly routes: Routes;
  /** The maximum length of one request body, in bytes. */
  readonly bodyBytesMax: number;
  readonly budget: ByteBudget;
  /** Another head in place of the one that came, for credentials that stand in other places. */
  readonly headOf?: (head: RequestHead) => RequestHead;
  /** If absent, every request is taken in, within the other bounds. */
  readonly overload?: { readonly admission: Admission; readonly refused: RefusedLoad };
  /** Called for every request that was refused for overload. */
  readonly refused?: (requestId: string, answer: Answer, address: string) => void;
  /** Called if a handler threw. The client gets 500 without details of the error. */
  readonly failed: (error: unknown, requestId: string) => void;
}

const uniqueSuffix = hyperid({ urlSafe: true });

/**
 * The prefix keeps an id from beginning with a `-`, as one in 64 of hyperid's ids would. An audit export
 * neutralizes such cells, and an id copied from it must equal the id that the client got.
 */
const newRequestId = (): string => `req_${uniqueSuffix()}`;

/**
 * One listening socket and its exchanges: `listening`, then `draining`, then closed. In another thread it has
 * no socket of its own. It serves the connections that the listener with the socket gives it.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #app: SharingApp;
  readonly #open = new OpenExchanges<Responder>();
  /** Open exchanges and handlers. A handler outlives its exchange if the client leaves or is cut. */
  readonly #work = new InFlight();
  #socket: us_listen_socket | null = null;
  #draining = false;
  #closed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#app = App() as SharingApp;
    this.#app.any("/*", (res, req) => this.#handle(res, req));
  }

  get openExchanges(): number {
    return this.#open.size;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** For `shareWith` of the listener that binds the socket. This listener then needs no `listen`. */
  get descriptor(): ListenerDescriptor {
    return this.#app.getDescriptor();
  }

  /**
   * Distributes connections in turn to this listener and to those of other threads. The kernel (SO_REUSEPORT)
   * is not used: it goes by a hash of addresses, so a few long-lived connections would not be spread evenly.
   * A descriptor is valid as long as its thread lives.
   */
  shareWith(descriptors: readonly ListenerDescriptor[]): void {
    if (descriptors.length === 0) return;
    for (const descriptor of [this.descriptor, ...descriptors]) {
      this.#app.addChildAppDescriptor(descriptor);
    }
  }

  /** Binds the socket and returns the port. Throws if the address is taken or can't be used. */
  listen(): Promise<number> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      // Two gateways must not share one port unnoticed.
      this.#app.listen(host, port, exclusivePort, (socket) => {
        if (socket === false) {
          const why = "the port may be in use, or the host may be no address of this machine";
          reject(new Error(`cannot listen on ${host}:${port}; ${why}`));
          return;
        }
        this.#socket = socket;
        resolve(us_socket_local_port(socket));
      });
    });
  }

  /**
   * Stops listening and waits until every exchange is over and every handler has returned, at most
   * `waitMsMax`. Exchanges that are still open then are cut. A handler continues if its client leaves,
   * because the provider's answer must be paid for. Idle connections are closed with their next answer.
   */
  async drain(waitMsMax: number): Promise<void> {
    this.#draining = true;
    if (this.#socket !== null) us_listen_socket_close(this.#socket);
    this.#socket = null;
    await this.#work.over(waitMsMax);
    for (const responder of this.#open.all()) responder.cut();
    // One turn of the loop for answers that uWS has not sent yet.
    await new Promise((resolve) => setTimeout(resolve, 50));
    this.close();
  }

  /** Closes its socket and every connection at once. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#app.close();
  }

  /**
   * For exchanges that `drain` has cut. Resolves true when every handler has returned, false if `waitMsMax`
   * passed before. Before the call, end everything that the handlers wait for.
   */
  settled(waitMsMax: number): Promise<boolean> {
    return this.#work.over(waitMsMax);
  }

  #handle(res: HttpResponse, req: HttpRequest): void {
    const { bodyBytesMax, budget, routes, overload, headOf } = this.#options;
    const came = readHead(req);
    const head = headOf === undefined ? came : headOf(came);
    const framing = readFraming(head.method, head.headers);
    const isKnown = "length" in framing;
    const isLast = isKnown && framing.isLast;
    const own = isKnown && framing.awaitsContinue ? sendContinue(res) : res;
    const responder: Responder = new Responder(isLast ? new LastResponse(own) : own, {
      requestId: newRequestId(),
      head,
      hasBody: !isKnown || isLast || framing.length !== 0,
      closes: !isKnown || isLast || framing.closes,
      draining: () => this.#draining,
      closed: () => this.#over(responder),
    });
    this.#open.add(responder);
    this.#work.begun();
    if ("fault" in framing) {
      refuseFraming(responder, framing);
      return;
    }
    const decision = this.#decide(head);
    if (decision !== "now" && decision !== "late") {
      if (overload === undefined) return;
      const answer = overload.refused.answer(decision, head);
      this.#options.refused?.(responder.requestId, answer, responder.remoteAddress);
      responder.respond(answer);
      return;
    }
    const intake = new BodyIntake(framing, bodyBytesMax, budget, responder.flow);
    responder.attach(intake);
    if (decision === "now" || !intake.isKeepable) {
      this.#run(responder, intake, routes);
      return;
    }
    intake.keepAll();
    overload?.admission.startLate(() => this.#run(responder, intake, routes));
  }

  #decide(head: RequestHead): Decision {
    const { overload } = this.#options;
    if (overload === undefined || isAlwaysServed(head)) return "now";
    const decision = overload.admission.decide(this.#open.size);
    if (decision === "now" || decision === "late") overload.refused.admitted();
    return decision;
  }

  #run(responder: Responder, intake: BodyIntake, routes: Routes): void {
    this.#work.begun();
    const over = (): void => {
      // Not when the client leaves: the body may still be on its way to the provider.
      intake.release();
      this.#work.ended();
    };
    const failed = (error: unknown): void => {
      this.#options.failed(error, responder.requestId);
      responder.respond(refusalAnswer(unexpected, responder.head));
      responder.cut();
      over();
    };
    try {
      const handling = findHandler(responder, routes)(responder);
      if (handling === undefined) over();
      else handling.then(over, failed);
    } catch (error) {
      failed(error);
    }
  }

  #over(responder: Responder): void {
    this.#open.delete(responder);
    this.#work.ended();
  }
}

function refuseFraming(responder: Responder, { fault }: FramingFault): void {
  const { refusal } = refuse("invalid_request", `The request is framed wrongly: ${fault}.`);
  responder.respondAndCut(refusalAnswer(refusal, responder.head));
}

function readHead(req: HttpRequest): RequestHead {
  const headers: string[] = [];
  req.forEach((name, value) => {
    headers.push(name, value);
  });
  // uWS's type is wrong: it is undefined if there is no query.
  const query = req.getQuery() as string | undefined;
  return {
    method: req.getCaseSensitiveMethod(),
    path: req.getUrl(),
    query: query ?? "",
    headers,
  };
}
