import {
  upstreamConnectionsMax,
  upstreamIdleConnectionsMax,
  upstreamOriginsMax,
} from "../../contract/limits.ts";
import type { Attempt, Exchange, RelayPlan, UpstreamCall } from "../../exchange/exchange.ts";
import { Relay } from "../relay/relay.ts";
import { HttpConnection } from "./http-connection.ts";
import type { ConnectionOptions, ProviderConnection } from "./provider-connection.ts";
import { sendable } from "./sendable.ts";
import { Sweep } from "./sweep.ts";
import type { UpstreamGuard } from "./upstream-guard.ts";

/** Opens a connection with its first call. */
export type Connect = (options: ConnectionOptions) => ProviderConnection;
const overHttp: Connect = (options) => new HttpConnection(options);

type Origins = Map<string, Origin>;

interface Origin {
  readonly key: string;
  /** The origins that share one maximum number. */
  readonly among: Origins;
  /** Free connections, the most recently used last: a warm connection is taken first. */
  readonly idle: ProviderConnection[];
  readonly sessions: ConnectionOptions["sessions"];
  open: number;
  /** The number of the last call, counted over all origins. */
  lastCall: number;
}

/**
 * Connections to the providers. One is taken from its origin's free list, and put back when its answer is
 * over. The number of connections per origin is bounded, and so is the number of origins that the operator
 * names, and of those that callers name.
 */
export class Upstream {
  readonly #guard: UpstreamGuard;
  readonly #originsMax: number;
  readonly #connect: Connect;
  /** The operator's origins. Callers' origins take no place from them. */
  readonly #trusted: Origins = new Map();
  readonly #guarded: Origins = new Map();
  /** All connections that are not closed, in use or free. */
  readonly #connections = new Set<ProviderConnection>();
  readonly #sweep = new Sweep();
  #calls = 0;
  #closed = false;

  constructor(guard: UpstreamGuard, originsMax = upstreamOriginsMax, connect: Connect = overHttp) {
    this.#guard = guard;
    this.#connect = connect;
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
      const connection = origin === null ? null : this.#take(origin, call);
      if (connection === null) {
        settle({ kind: "unsent", refusal: saturated, untried: true });
        return;
      }
      connection.send(call, new Relay(call, plan, exchange, settle));
    });
  };

  /** Aborts all running calls and closes every connection. Nothing is sent afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    const connections = [...this.#connections];
    this.#connections.clear();
    this.#trusted.clear();
    this.#guarded.clear();
    await Promise.all(connections.map((connection) => connection.destroy()));
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
    const origin: Origin = {
      key,
      among,
      idle: [],
      sessions: { latest: null },
      open: 0,
      lastCall: this.#calls,
    };
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
    for (const connection of oldest.idle) {
      this.#connections.delete(connection);
      void connection.destroy();
    }
    return true;
  }

  #take(origin: Origin, call: UpstreamCall): ProviderConnection | null {
    const idle = origin.idle.pop();
    if (idle !== undefined) return idle;
    if (origin.open >= upstreamConnectionsMax) return null;
    origin.open += 1;
    const connection = this.#connect({
      origin: call.origin,
      connectMsMax: call.timeoutsMs.connect,
      lookup: call.guarded ? this.#guard.lookupFor(call.origin) : null,
      sessions: origin.sessions,
      sweep: this.#sweep,
      released: (released) => this.#putBack(origin, released),
    });
    this.#connections.add(connection);
    return connection;
  }

  #putBack(origin: Origin, connection: ProviderConnection): void {
    if (this.#closed) return;
    if (
      origin.among.get(origin.key) === origin &&
      origin.idle.length < upstreamIdleConnectionsMax
    ) {
      origin.idle.push(connection);
      return;
    }
    origin.open -= 1;
    this.#connections.delete(connection);
    void connection.destroy();
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
