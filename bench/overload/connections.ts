import { connect, type Socket } from "node:net";
import type { UniqueText } from "../macro/generator/request.ts";

/**
 * The answer to one request: its status, and whether it has a `Retry-After`. Status 0: there was no
 * answer.
 */
export type Answered = (status: number, retryAfter: boolean) => void;

const headEnd = Buffer.from("\r\n\r\n");
const none = Buffer.alloc(0);

/**
 * Kept connections that send a prepared request repeatedly, each time with another number. They read only as
 * much of an answer as they need to find its end, because the generator must be cheaper than its target.
 */
export class Connections {
  readonly #port: number;
  readonly #request: UniqueText;
  readonly #max: number;
  readonly #idle: Connection[] = [];
  readonly #waiting: Answered[] = [];
  #open = 0;

  constructor(port: number, request: UniqueText, max: number) {
    this.#port = port;
    this.#request = request;
    this.#max = max;
  }

  /** Sends the request on an idle connection, a new one, or the first that becomes idle. */
  send(answered: Answered): void {
    const idle = this.#idle.pop();
    if (idle !== undefined) idle.send(this.#request.next(), answered);
    else if (this.#open < this.#max) {
      this.#open += 1;
      new Connection(this.#port, {
        idle: (connection) => this.#next(connection),
        closed: (connection) => this.#closed(connection),
      }).send(this.#request.next(), answered);
    } else this.#waiting.push(answered);
  }

  get open(): number {
    return this.#open;
  }

  #next(connection: Connection): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#idle.push(connection);
    else connection.send(this.#request.next(), waiting);
  }

  #closed(connection: Connection): void {
    this.#open -= 1;
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) this.send(waiting);
  }
}

interface Listener {
  readonly idle: (connection: Connection) => void;
  readonly closed: (connection: Connection) => void;
}

class Connection {
  readonly #socket: Socket;
  #answered: Answered | null = null;
  #received: Buffer = none;

  constructor(port: number, listener: Listener) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      if (!this.#readAnswer()) return;
      listener.idle(this);
    });
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => {
      this.#settle(0, false);
      listener.closed(this);
    });
  }

  send(request: string, answered: Answered): void {
    this.#answered = answered;
    this.#socket.write(request);
  }

  /** False if the answer is incomplete. */
  #readAnswer(): boolean {
    const received = this.#received;
    const head = received.indexOf(headEnd);
    if (head < 0) return false;
    const text = received.toString("latin1", 0, head);
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined) {
      // Chunked: an own-keys answer. Its last chunk is empty.
      if (!received.subarray(-5).equals(lastChunk)) return false;
    } else if (received.length < head + headEnd.length + Number(length)) return false;
    this.#received = none;
    this.#settle(Number(text.slice(9, 12)), /\r\nretry-after: \d/i.test(text));
    return true;
  }

  #settle(status: number, retryAfter: boolean): void {
    const answered = this.#answered;
    this.#answered = null;
    answered?.(status, retryAfter);
  }
}

const lastChunk = Buffer.from("0\r\n\r\n");
