import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { UpstreamCall } from "../../src/exchange/exchange.ts";
import type {
  ConnectionOptions,
  ProviderConnection,
  ResponseControl,
  ResponseReader,
} from "../../src/proxy/upstream/provider-connection.ts";
import { Sweep } from "../../src/proxy/upstream/sweep.ts";

/** A provider that sends given bytes. */
export class RawProvider {
  readonly origin: string;
  readonly #server: Server;
  /** Called with each connection. */
  answer: (socket: Socket) => void = (socket) => void socket.resume();
  connections = 0;
  readonly sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("connection", (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("end", () => socket.end());
      socket.on("close", () => this.sockets.delete(socket));
      this.answer(socket);
    });
  }

  static async start(): Promise<RawProvider> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new RawProvider(server);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Keeps the calls of a connection for one response. */
export class KeptResponse implements ResponseReader {
  readonly calls: string[] = [];
  status = 0;
  headers: readonly string[] = [];
  body = "";
  error: Error | null = null;
  isWhole = false;
  control: ResponseControl | null = null;
  /** Resolves with the last call. */
  readonly over: Promise<this>;
  #over: () => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => (this.#over = () => resolve(this)));
  }

  connected(response: ResponseControl): void {
    this.calls.push("connected");
    this.control = response;
  }
  head(status: number, headers: readonly string[]): void {
    this.calls.push("head");
    [this.status, this.headers] = [status, headers];
  }
  data(bytes: Buffer): void {
    this.body += bytes.toString("latin1");
  }
  readOver(): void {}
  end(): void {
    this.calls.push("end");
    this.isWhole = true;
    this.#over();
  }
  failed(error: Error): void {
    this.calls.push("failed");
    this.error = error;
    this.#over();
  }
}

export function callTo(origin: string, named: Partial<UpstreamCall> = {}): UpstreamCall {
  return {
    origin,
    guarded: false,
    method: "GET",
    target: "/",
    headers: [],
    body: [],
    timeoutsMs: { connect: 5_000, headers: 5_000, idle: 5_000 },
    responseBytesMax: 1_000,
    ...named,
  };
}

/** Options of a connection that stands alone. */
export function optionsFor(
  origin: string,
  released: (connection: ProviderConnection) => void = () => undefined,
): ConnectionOptions {
  return {
    origin,
    connectMsMax: 5_000,
    lookup: null,
    sessions: { latest: null },
    sweep: new Sweep(),
    released,
  };
}
