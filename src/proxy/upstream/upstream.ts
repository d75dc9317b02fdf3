import { Client } from "undici";
import {
  upstreamConnectionsMax,
  upstreamIdleConnectionsMax,
  upstreamOriginsMax,
} from "../../contract/limits.ts";
import type { Attempt, Exchange, RelayPlan, UpstreamCall } from "../../exchange/exchange.ts";
import { Relay } from "../relay/relay.ts";
import { sendable } from "./sendable.ts";
import type { UpstreamGuard } from "./upstream-guard.ts";

/** Bodies up to this size go to the socket in one piece. */
const onePieceBytesMax = 256 * 1024;
/** undici closes a connection after this idle time, or earlier if the provider's hint is shorter. */
const keepAliveMs = 15_000;

type Origins = Map<string, Origin>;

interface Origin {
  readonly key: string;
  /** The origins that share one maximum number. */
  readonly among: Origins;
  /** Free clients, the most recently used last: a warm connection is taken first. */
  readonly idle: Client[];
  open: number;
  /** The number of the last call, counted over all origins. */
  lastCall: number;
}

/**
 * Connections to the providers. One undici `Client` is one connection. It is taken from an origin's free list
 * and put back when its answer is over. No redirects, no pipelining. The number of connections per origin is
 * bounded, and so is the number of origins that the operator names, and of those that callers name.
 */
export class Upstream {
  readonly #guard: UpstreamGuard;
  readonly #originsMax: number;
  /** The operator's origins. Callers' origins take no place from them. */
  readonly #trusted: Origins = new Map();
  readonly #guarded: Origins = new Map();
  /** All clients that are not closed, in use or free. */
  readonly #clients = new Set<Client>();
  #calls = 0;
  #closed = false;

  constructor(guard: UpstreamGuard, originsMax = upstreamOriginsMax) {
    this.#guard = guard;
    this.#originsMax = originsMax;
  }

  /** Calls an upstream and relays its answer (see `Forward`). */
  readonly forward = (
    named: UpstreamCall,
    plan: RelayPlan,
    exchange: Exchange,
  ): Promise<Attempt> => {
    if (this.#closed) return Promise.resolve({ kind: "unsent", refusal: stopping });
    const checked = sendable(named);
    if (!checked.ok) return Promise.resolve({ kind: "unsent", refusal: checked.refusal });
    const call = checked.value;
    return new Promise((settle) => {
      const origin = this.#origin(call);
      const client = origin === null ? null : this.#take(origin, call);
      if (origin === null || client === null) {
        settle({ kind: "unsent", refusal: saturated, untried: true });
        return;
      }
      const relay = new Relay(call, plan, exchange, {
        settled: settle,
        released: () => this.#putBack(origin, client),
      });
      client.dispatch(
        {
          path: call.target,
          method: call.method,
          headers: call.headers,
          body: requestBody(call, (bytes) => call.headers.push("content-length", String(bytes))),
          headersTimeout: call.timeoutsMs.headers,
          bodyTimeout: call.timeoutsMs.idle,
        },
        relay,
      );
    });
  };

  /** Aborts all running calls and closes every connection. Nothing is sent afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    const clients = [...this.#clients];
    this.#clients.clear();
    this.#trusted.clear();
    this.#guarded.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #origin(call: UpstreamCall): Origin | null {
    const among = call.guarded ? this.#guarded : this.#trusted;
    const key = `${call.timeoutsMs.connect} ${call.origin}`;
    const known = among.get(key);
    this.#calls += 1;
    if (known !== undefined) {
      known.lastCall = this.#calls;
      return known;
    }
    if (among.size >= this.#originsMax && !this.#forgetOne(among)) return null;
    const origin: Origin = { key, among, idle: [], open: 0, lastCall: this.#calls };
    among.set(key, origin);
    return origin;
  }

  /** Forgets the least recently called origin without a running call. */
  #forgetOne(among: Origins): boolean {
    let oldest: Origin | null = null;
    for (const origin of among.values()) {
      if (origin.open > origin.idle.length) continue;
      if (oldest === null || origin.lastCall < oldest.lastCall) oldest = origin;
    }
    if (oldest === null) return false;
    among.delete(oldest.key);
    for (const client of oldest.idle) {
      this.#clients.delete(client);
      void client.destroy();
    }
    return true;
  }

  #take(origin: Origin, call: UpstreamCall): Client | null {
    const idle = origin.idle.pop();
    if (idle !== undefined) return idle;
    if (origin.open >= upstreamConnectionsMax) return null;
    origin.open += 1;
    const client = new Client(call.origin, {
      pipelining: 1,
      allowH2: false,
      strictContentLength: true,
      maxHeaderSize: 64 * 1024,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: 600_000,
      connect: {
        timeout: call.timeoutsMs.connect,
        ...(call.guarded ? { lookup: this.#guard.lookupFor(call.origin) } : {}),
      },
    });
    this.#clients.add(client);
    return client;
  }

  #putBack(origin: Origin, client: Client): void {
    if (this.#closed) return;
    if (
      origin.among.get(origin.key) === origin &&
      origin.idle.length < upstreamIdleConnectionsMax
    ) {
      origin.idle.push(client);
      return;
    }
    origin.open -= 1;
    this.#clients.delete(client);
    void client.close();
  }
}

const saturated = {
  code: "upstream_error",
  message: "Every connection that may be opened to the provider is in use.",
  retryAfterSeconds: 1,
} as const;

const stopping = {
  code: "upstream_error",
  message: "The gateway is stopping.",
  retryAfterSeconds: 1,
} as const;

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
