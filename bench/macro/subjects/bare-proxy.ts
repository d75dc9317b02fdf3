// A proxy made only of Weir's libraries, run by `bare.ts`. Its arguments are its port, the provider's port
// and the HTTP client: "undici", or "net" for Weir's own. It reads a request's whole body, sends it on over
// kept connections, and relays the answer.
import { Pool, type Dispatcher } from "undici";
import uWS, { type HttpRequest, type HttpResponse } from "uWebSockets.js";
import { HttpConnection } from "../../../src/proxy/upstream/http-connection.ts";
import type {
  ResponseControl,
  ResponseReader,
} from "../../../src/proxy/upstream/provider-connection.ts";
import { Sweep } from "../../../src/proxy/upstream/sweep.ts";

const [port, providerPort] = process.argv.slice(2, 4).map(Number);
const [client] = process.argv.slice(4);
if (port === undefined || providerPort === undefined) throw new Error("two ports are wanted");
const origin = `http://127.0.0.1:${providerPort}`;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: string[];
  readonly body: Buffer | null;
}

/** The operations of the relay on the response that it reads. */
interface Reading {
  pause(): void;
  resume(): void;
  abort(): void;
}

/** Hop-by-hop headers, and headers that uWS or the client writes itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "host",
  "keep-alive",
  "transfer-encoding",
]);

/**
 * Relays one answer. It uses one write if the length is known and the first bytes are the whole
 * answer.
 */
class Relay {
  readonly #res: HttpResponse;
  reading: Reading | null = null;
  #head: (() => void) | null = null;
  #length = -1;
  #isOver = false;
  #roomLeft = true;

  constructor(res: HttpResponse) {
    this.#res = res;
  }

  gone(): void {
    this.#isOver = true;
    this.reading?.abort();
  }

  begin(status: number, length: number, headers: readonly string[]): void {
    this.#length = length;
    this.#head = () => {
      this.#res.writeStatus(String(status));
      for (let i = 0; i + 1 < headers.length; i += 2) {
        const name = headers[i] ?? "";
        if (!ownHeaders.has(name)) this.#res.writeHeader(name, headers[i + 1] ?? "");
      }
    };
  }

  data(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#res.cork(() => this.#write(chunk));
    if (this.#roomLeft) return;
    this.reading?.pause();
    this.#res.onWritable(() => {
      this.reading?.resume();
      return true;
    });
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#res.cork(() => {
      this.#writeHead();
      this.#res.end();
    });
  }

  #write(chunk: Buffer): void {
    this.#writeHead();
    this.#isOver = chunk.length === this.#length;
    if (this.#isOver) this.#res.end(chunk);
    else this.#roomLeft = this.#res.write(chunk);
  }

  #writeHead(): void {
    this.#head?.();
    this.#head = null;
  }
}

function overUndici(): (sent: Sent, relay: Relay) => void {
  const pool = new Pool(origin, { connections: 2_048 });
  return (sent, relay) => {
    pool.dispatch(sent, new UndiciHandler(relay));
  };
}

class UndiciHandler implements Dispatcher.DispatchHandler, Reading {
  readonly #relay: Relay;
  #controller: Dispatcher.DispatchController | null = null;

  constructor(relay: Relay) {
    this.#relay = relay;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#relay.reading = this;
  }
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const flat: string[] = [];
    for (const [name, value] of Object.entries(headers)) flat.push(name, String(value));
    this.#relay.begin(status, Number(headers["content-length"] ?? -1), flat);
  }
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#relay.data(chunk);
  }
  onResponseEnd(): void {
    this.#relay.end();
  }
  onResponseError(): void {
    this.#relay.end();
  }

  pause(): void {
    this.#controller?.pause();
  }
  resume(): void {
    this.#controller?.resume();
  }
  abort(): void {
    this.#controller?.abort(new Error("the client left"));
  }
}

function overNet(): (sent: Sent, relay: Relay) => void {
  const sweep = new Sweep();
  const idle: HttpConnection[] = [];
  const timeoutsMs = { connect: 5_000, headers: 300_000, idle: 300_000 };
  const open = (): HttpConnection => {
    const connection: HttpConnection = new HttpConnection({
      origin,
      connectMsMax: timeoutsMs.connect,
      lookup: null,
      sessions: { latest: null },
      sweep,
      released: () => idle.push(connection),
    });
    return connection;
  };
  return ({ method, path, headers, body }, relay) => {
    const call = {
      origin,
      guarded: false,
      method,
      target: path,
      headers,
      body: body === null ? [] : [body],
      timeoutsMs,
      responseBytesMax: 0,
    };
    (idle.pop() ?? open()).send(call, new NetReader(relay));
  };
}

class NetReader implements ResponseReader {
  readonly #relay: Relay;

  constructor(relay: Relay) {
    this.#relay = relay;
  }

  connected(response: ResponseControl): void {
    this.#relay.reading = response;
  }
  head(status: number, headers: readonly string[]): void {
    const at = headers.indexOf("content-length");
    this.#relay.begin(status, at < 0 ? -1 : Number(headers[at + 1]), headers);
  }
  data(bytes: Buffer): void {
    this.#relay.data(bytes);
  }
  readOver(): void {}
  end(): void {
    this.#relay.end();
  }
  failed(): void {
    this.#relay.end();
  }
}

const send = client === "net" ? overNet() : overUndici();

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
    send({ path, method, headers, body }, relay);
  });
}

uWS
  .App()
  .any("/*", serve)
  .listen("127.0.0.1", port, (socket) => {
    if (socket === false) throw new Error(`port ${port} is taken`);
  });
