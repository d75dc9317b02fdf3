import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls } from "node:tls";
import {
  upstreamEndMsMax,
  upstreamKeepAliveMs,
  upstreamReadBytesMax,
  upstreamSweepMs,
} from "../../contract/limits.ts";
import type { UpstreamCall } from "../../exchange/exchange.ts";
import { HttpResponse, type ResponseSource } from "./http-response.ts";
import type {
  ConnectionOptions,
  ProviderConnection,
  ResponseReader,
} from "./provider-connection.ts";
import { writeRequest, type BodyRest } from "./request-writer.ts";
import { ResponseParser } from "./response-parser.ts";
import type { Swept } from "./sweep.ts";
import { UpstreamFault } from "./upstream-failure.ts";

/**
 * Every read of every socket of this thread goes here, because a read is over before the next one begins. So
 * an open connection has no memory for reading.
 */
const readBuffer = Buffer.allocUnsafeSlow(upstreamReadBytesMax);
let isReading = false;

type Phase = "closed" | "connecting" | "idle" | "sending" | "receiving";

/**
 * A connection over TCP or TLS that speaks HTTP/1.1, with one call at a time. It connects when it is called and
 * has no open socket: at first, and after the provider, a failure or its idle time has closed the last one. So
 * no call is ever written twice, and a kept socket that is known to be closed is not used.
 */
export class HttpConnection implements ProviderConnection, ResponseSource, Swept {
  readonly #options: ConnectionOptions;
  readonly #url: URL;
  #socket: Socket | null = null;
  #parser = new ResponseParser();
  /** The call that has the connection. */
  #response: HttpResponse | null = null;
  /** The rest of its body that is still to be sent. */
  #rest: BodyRest | null = null;
  #phase: Phase = "closed";
  /** When the phase began or last made progress, by the sweep's time. */
  #sinceMs = 0;
  /** How long the phase may last without progress. */
  #limitMs = 0;
  #isPaused = false;
  /** When the reader had everything that it needs, by the sweep's time; null if it has not. */
  #endSinceMs: number | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#url = new URL(options.origin);
  }

  send(call: UpstreamCall, reader: ResponseReader): void {
    if (this.#response !== null) throw new Error("the connection is in use");
    const response = new HttpResponse(this, call, reader);
    this.#response = response;
    if (this.#socket === null) this.#open();
    else this.#begin(this.#socket, response);
  }

  destroy(): Promise<void> {
    const socket = this.#socket;
    if (socket === null) return Promise.resolve();
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    this.#fail(new UpstreamFault("ERR_UPSTREAM_CLOSED", "the gateway closes its connections"));
    return closed;
  }

  #open(): void {
    const { connectMsMax, sweep } = this.#options;
    const socket = this.#connect((length) => this.#read(socket, length));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    socket.on("drain", () => this.#sendOn(socket));
    socket.on("end", () => this.#ended(socket));
    socket.on("error", (error) => this.#broken(socket, error));
    socket.on("close", () => this.#broken(socket, closedByProvider()));
    this.#socket = socket;
    this.#parser = new ResponseParser();
    this.#enter("connecting", connectMsMax);
    sweep.add(this);
  }

  #connect(read: (length: number) => void): Socket {
    const { lookup, sessions } = this.#options;
    const { hostname, port, protocol } = this.#url;
    const host = hostname.replace(/^\[|\]$/g, "");
    const onread: TcpNetConnectOpts["onread"] = {
      buffer: readBuffer,
      callback: (length) => {
        read(length);
        return true;
      },
    };
    const to = { host, onread, ...(lookup === null ? {} : { lookup }) };
    if (protocol !== "https:") {
      const socket = connectTcp({ ...to, port: port === "" ? 80 : Number(port) });
      return socket.once("connect", () => this.#connected(socket));
    }
    const socket = connectTls({
      ...to,
      port: port === "" ? 443 : Number(port),
      ALPNProtocols: ["http/1.1"],
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(sessions.latest === null ? {} : { session: sessions.latest }),
    });
    socket.on("session", (session) => (sessions.latest = session));
    return socket.once("secureConnect", () => this.#connected(socket));
  }

  #connected(socket: Socket): void {
    if (this.#socket !== socket || this.#response === null) return;
    // A paused socket does not report its end.
    socket.resume();
    this.#begin(socket, this.#response);
  }

  /** Sends the request, unless its reader has aborted. */
  #begin(socket: Socket, response: HttpResponse): void {
    this.#enter("idle", upstreamKeepAliveMs);
    response.reader.connected(response);
    if (response.isOver) return;
    const { call } = response;
    this.#parser.begin(call.method, response);
    this.#enter("sending", call.timeoutsMs.headers);
    this.#rest = writeRequest(socket, this.#url.host, call);
  }

  #sendOn(socket: Socket): void {
    if (this.#socket !== socket) return;
    this.#sinceMs = this.#options.sweep.nowMs;
    if (this.#rest?.writeTo(socket) === true) this.#rest = null;
  }

  #read(socket: Socket, length: number): void {
    if (this.#socket !== socket) return;
    if (isReading) throw new Error("a read began before the last one was over");
    isReading = true;
    const response = this.#response;
    if (this.#phase === "receiving") this.#sinceMs = this.#options.sweep.nowMs;
    try {
      this.#parser.push(readBuffer.subarray(0, length));
      if (response?.isOver === false) response.reader.readOver();
      else if (response !== null && this.#socket === socket) this.#free(response);
    } catch (error) {
      if (this.#socket !== socket) throw error;
      this.#fail(asError(error));
    } finally {
      isReading = false;
    }
  }

  /** The provider has closed its side. */
  #ended(socket: Socket): void {
    if (this.#socket !== socket) return;
    const response = this.#response;
    if (response !== null && this.#parser.closed()) this.#free(response);
    else this.#fail(closedByProvider());
  }

  #broken(socket: Socket, error: Error): void {
    if (this.#socket === socket) this.#fail(error);
  }

  /** A response is complete, and no bytes came after it. */
  #free(response: HttpResponse): void {
    const { keepAliveMs } = response;
    const isSent = this.#rest === null && this.#socket?.writableLength === 0;
    if (!isSent || keepAliveMs <= 0) this.#drop();
    else {
      if (this.#isPaused) this.resume();
      this.#enter("idle", keepAliveMs);
    }
    this.#release();
  }

  /** Breaks the connection. A call that has not ended fails. */
  #fail(error: Error): void {
    const response = this.#response;
    this.#drop();
    response?.fail(error);
    if (this.#response === response && response !== null) this.#release();
  }

  #release(): void {
    this.#response = null;
    this.#endSinceMs = null;
    this.#options.released(this);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#rest = null;
    this.#isPaused = false;
    this.#phase = "closed";
    this.#options.sweep.delete(this);
    socket?.destroy();
  }

  #enter(phase: Phase, limitMs: number): void {
    this.#phase = phase;
    this.#limitMs = limitMs;
    this.#sinceMs = this.#options.sweep.nowMs;
  }

  // Requests of a response.

  headCame({ call }: HttpResponse): void {
    this.#enter("receiving", call.timeoutsMs.idle);
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#sinceMs = this.#options.sweep.nowMs;
    this.#socket?.resume();
  }

  /** A connection on which nothing was sent yet is kept. */
  abort(): void {
    if (this.#phase !== "idle") this.#drop();
    this.#release();
  }

  endSoon(): void {
    this.#endSinceMs ??= this.#options.sweep.nowMs;
  }

  sweep(nowMs: number): void {
    const response = this.#response;
    if (this.#endSinceMs !== null && isLate(nowMs, this.#endSinceMs, upstreamEndMsMax)) {
      this.#drop();
      response?.end();
      this.#release();
      return;
    }
    const waits = this.#phase === "receiving" && this.#isPaused;
    if (!waits && isLate(nowMs, this.#sinceMs, this.#limitMs)) this.#fail(lateIn(this.#phase));
  }
}

/** Adds one period, because the noted time is the beginning of a period. */
function isLate(nowMs: number, sinceMs: number, limitMs: number): boolean {
  return nowMs - sinceMs > limitMs + upstreamSweepMs;
}

function lateIn(phase: Phase): UpstreamFault {
  switch (phase) {
    case "connecting":
      return new UpstreamFault("ERR_UPSTREAM_CONNECT_TIMEOUT", "no connection in time");
    case "sending":
      return new UpstreamFault("ERR_UPSTREAM_HEADERS_TIMEOUT", "no answer in time");
    case "receiving":
      return new UpstreamFault("ERR_UPSTREAM_BODY_TIMEOUT", "the answer stood still");
    default:
      return new UpstreamFault("ERR_UPSTREAM_CLOSED", "the connection was idle");
  }
}

function closedByProvider(): UpstreamFault {
  return new UpstreamFault("ERR_UPSTREAM_CLOSED", "the provider closed the connection");
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
