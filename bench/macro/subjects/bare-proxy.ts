// A proxy out of Weir's two libraries and nothing else, run by `bare.ts`: port and provider's port are
// its arguments. It holds a request's body, sends it on over kept connections, and relays the answer.
import { Pool, type Dispatcher } from "undici";
import uWS, { type HttpRequest, type HttpResponse } from "uWebSockets.js";

const [port, providerPort] = process.argv.slice(2).map(Number);
if (port === undefined || providerPort === undefined) throw new Error("two ports are wanted");

const pool = new Pool(`http://127.0.0.1:${providerPort}`, { connections: 2_048 });

/** Headers of one hop, and those that uWS or undici writes itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "host",
  "keep-alive",
  "transfer-encoding",
]);

/** Relays one answer: in one write where its length is known and its first bytes are all. */
class Relay implements Dispatcher.DispatchHandler {
  readonly #res: HttpResponse;
  #controller: Dispatcher.DispatchController | null = null;
  #head: (() => void) | null = null;
  #length = -1;
  #isOver = false;
  #roomLeft = true;

  constructor(res: HttpResponse) {
    this.#res = res;
  }

  gone(): void {
    this.#isOver = true;
    this.#controller?.abort(new Error("the client left"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#length = Number(headers["content-length"] ?? -1);
    this.#head = () => {
      this.#res.writeStatus(String(status));
      for (const [name, value] of Object.entries(headers)) {
        if (!ownHeaders.has(name)) this.#res.writeHeader(name, String(value));
      }
    };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#res.cork(() => this.#write(chunk));
    if (this.#roomLeft) return;
    controller.pause();
    this.#res.onWritable(() => {
      controller.resume();
      return true;
    });
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(): void {
    this.#end();
  }

  #write(chunk: Buffer): void {
    this.#writeHead();
    this.#isOver = chunk.length === this.#length;
    if (this.#isOver) this.#res.end(chunk);
    else this.#roomLeft = this.#res.write(chunk);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#res.cork(() => {
      this.#writeHead();
      this.#res.end();
    });
  }

  #writeHead(): void {
    this.#head?.();
    this.#head = null;
  }
}

function serve(res: HttpResponse, req: HttpRequest): void {
  const relay = new Relay(res);
  res.onAborted(() => relay.gone());
  const path = req.getUrl();
  const method = req.getCaseSensitiveMethod();
  const headers: string[] = [];
  req.forEach((name, value) => {
    if (!ownHeaders.has(name)) headers.push(name, value);
  });
  const chunks: Buffer[] = [];
  res.onData((chunk, isLast) => {
    chunks.push(Buffer.from(chunk.slice(0)));
    if (!isLast) return;
    const body = chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks);
    pool.dispatch({ path, method, headers, body }, relay);
  });
}

uWS
  .App()
  .any("/*", serve)
  .listen("127.0.0.1", port, (socket) => {
    if (socket === false) throw new Error(`port ${port} is taken`);
  });
