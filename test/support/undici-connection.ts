import { Client, errors, type Dispatcher } from "undici";
import { upstreamEndMsMax } from "../../src/contract/limits.ts";
import type { FlatHeaders, UpstreamCall } from "../../src/exchange/exchange.ts";
import type {
  ConnectionOptions,
  ProviderConnection,
  ResponseControl,
  ResponseReader,
} from "../../src/proxy/upstream/provider-connection.ts";
import {
  InvalidResponse,
  UpstreamFault,
  type FaultCode,
} from "../../src/proxy/upstream/upstream-failure.ts";

/** Bodies up to this size go to the socket in one piece. */
const onePieceBytesMax = 256 * 1024;
/** undici closes a connection after this idle time, or earlier if the provider's hint is shorter. */
const keepAliveMs = 15_000;

/** A connection made by undici: one `Client` without pipelining and redirects. */
export class UndiciConnection implements ProviderConnection {
  readonly #client: Client;
  readonly #released: () => void;

  constructor({ origin, connectMsMax, lookup, released }: ConnectionOptions) {
    this.#released = () => released(this);
    this.#client = new Client(origin, {
      pipelining: 1,
      allowH2: false,
      strictContentLength: true,
      maxHeaderSize: 64 * 1024,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: 600_000,
      connect: { timeout: connectMsMax, ...(lookup === null ? {} : { lookup }) },
    });
  }

  send(call: UpstreamCall, reader: ResponseReader): void {
    const { target, method, headers, timeoutsMs } = call;
    this.#client.dispatch(
      {
        path: target,
        method,
        headers,
        body: requestBody(call, (bytes) => headers.push("content-length", String(bytes))),
        headersTimeout: timeoutsMs.headers,
        bodyTimeout: timeoutsMs.idle,
      },
      new UndiciResponse(reader, this.#released),
    );
  }

  async destroy(): Promise<void> {
    await this.#client.destroy();
  }
}

/** Translates undici's calls for one response. */
class UndiciResponse implements Dispatcher.DispatchHandler, ResponseControl {
  readonly #reader: ResponseReader;
  readonly #released: () => void;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #readIsOpen = false;
  #closing: NodeJS.Timeout | undefined;

  constructor(reader: ResponseReader, released: () => void) {
    this.#reader = reader;
    this.#released = released;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#reader.connected(this);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status >= 200 && !this.#isOver)
      this.#reader.head(status, flatHeaders(controller.rawHeaders));
  }

  /** One read of the socket may bring many chunks, each in its own call. The microtask runs after all of them. */
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#reader.data(chunk);
    if (this.#readIsOpen) return;
    this.#readIsOpen = true;
    queueMicrotask(() => {
      this.#readIsOpen = false;
      if (!this.#isOver) this.#reader.readOver();
    });
  }

  onResponseEnd(): void {
    if (this.#end()) this.#reader.end();
    this.#released();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#end()) this.#reader.failed(faultOf(error));
    this.#released();
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(): void {
    if (this.#end()) this.#controller?.abort(new Error("the answer is not read on"));
  }

  endSoon(): void {
    this.#closing ??= setTimeout(() => {
      if (this.#end()) this.#reader.end();
      this.#controller?.abort(
        new Error("the provider kept its response open after its last event"),
      );
    }, upstreamEndMsMax);
  }

  #end(): boolean {
    if (this.#isOver) return false;
    clearTimeout(this.#closing);
    this.#isOver = true;
    return true;
  }
}

const codes = new Map<string, FaultCode>([
  ["UND_ERR_CONNECT_TIMEOUT", "ERR_UPSTREAM_CONNECT_TIMEOUT"],
  ["UND_ERR_HEADERS_TIMEOUT", "ERR_UPSTREAM_HEADERS_TIMEOUT"],
  ["UND_ERR_BODY_TIMEOUT", "ERR_UPSTREAM_BODY_TIMEOUT"],
  ["UND_ERR_SOCKET", "ERR_UPSTREAM_CLOSED"],
]);

/** undici's error in the terms of Weir's own client. */
function faultOf(error: Error): Error {
  if (error instanceof errors.HTTPParserError) return new InvalidResponse(error.message);
  const code =
    "code" in error && typeof error.code === "string" ? codes.get(error.code) : undefined;
  return code === undefined ? error : new UpstreamFault(code, error.message);
}

/** undici's raw headers (alternating buffers) as lower-case names and latin1 values. */
function flatHeaders(raw: Dispatcher.DispatchController["rawHeaders"]): FlatHeaders {
  if (!Array.isArray(raw)) throw new Error("undici passed no raw headers");
  return raw.map((part: Buffer | string, i) => {
    const text = typeof part === "string" ? part : part.toString("latin1");
    return i % 2 === 0 ? text.toLowerCase() : text;
  });
}

/**
 * The body in a form that undici accepts: none, one piece, or an iterable of slices with backpressure, so a
 * large body is never copied whole. A body in several pieces needs its length as a header.
 */
function requestBody(call: UpstreamCall, setLength: (bytes: number) => void): Buffer | null {
  const [only, ...others] = call.body;
  if (only === undefined) return null;
  const bytes = call.body.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes <= onePieceBytesMax) {
    return others.length === 0 ? asBuffer(only) : Buffer.concat(call.body);
  }
  setLength(bytes);
  // undici accepts any iterable of buffers, but its type does not say so.
  return slices(call.body) as Iterable<Buffer> as Buffer;
}

function* slices(pieces: readonly Uint8Array[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += onePieceBytesMax) {
      yield asBuffer(piece.subarray(at, at + onePieceBytesMax));
    }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
