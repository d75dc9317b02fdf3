import { connect, type Socket } from "node:net";
import { ResponseReader, type ResponseSink } from "./response-reader.ts";

/** Follows one exchange on a connection. */
export interface Exchange extends ResponseSink {
  /** The connection broke, or the received bytes were not HTTP. */
  failed(error: Error): void;
  /** A read of the socket begins. Its bytes come before the next call. */
  arrived?(): void;
}

/** A keep-alive connection that carries one request at a time. */
export class Connection {
  readonly #socket: Socket;
  #exchange: Exchange | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new ResponseReader({
      head: (status, head) => this.#exchange?.head(status, head),
      body: (bytes) => this.#exchange?.body(bytes),
      end: () => {
        const ended = this.#exchange;
        this.#exchange = null;
        ended?.end();
      },
    });
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => {
      this.#exchange?.arrived?.();
      try {
        reader.read(bytes);
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the connection was closed before the answer")));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new Connection(socket));
      });
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  send(request: Buffer, exchange: Exchange): void {
    if (this.#exchange !== null) throw new Error("a request is under way on this connection");
    this.#exchange = exchange;
    this.#socket.write(request);
  }

  /** Sends more bytes of the request that `send` began. */
  more(request: Buffer): void {
    this.#socket.write(request);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#exchange = null;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    const failed = this.#exchange;
    this.#exchange = null;
    this.#socket.destroy();
    failed?.failed(error);
  }
}
