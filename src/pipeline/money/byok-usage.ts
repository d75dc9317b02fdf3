import type { UsageReport } from "../../contract/usage.ts";
import type { Wire } from "../../contract/wire.ts";
import type { StreamObserver, UpstreamCall } from "../../exchange/exchange.ts";
import { usageObserver } from "./usage-observer.ts";
import { readJsonAnswerUsage } from "./usage-reader.ts";
import { UsageTap } from "./usage-tap.ts";

/**
 * Reads the tokens of an own-keys answer, for a caller whose tokens are limited. JSON answers are
 * held whole for it and come without an encoding; a stream passes as it comes and says nothing where
 * the caller did not ask the provider for its usage.
 */
export class ByokUsage {
  readonly observer: StreamObserver;
  readonly #wire: Wire;
  readonly #tap: UsageTap;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.#tap = new UsageTap(wire);
    this.observer = usageObserver(this.#tap, false);
  }

  ofStream(): UsageReport {
    return this.#tap.finish();
  }

  ofBody(bytes: Uint8Array): UsageReport {
    return readJsonAnswerUsage(this.#wire, bytes);
  }
}

/** The call with an answer that can be read. */
export function withoutEncoding(call: UpstreamCall): UpstreamCall {
  const headers: string[] = [];
  for (let i = 0; i < call.headers.length; i += 2) {
    const name = call.headers[i] ?? "";
    if (name !== "accept-encoding") headers.push(name, call.headers[i + 1] ?? "");
  }
  headers.push("accept-encoding", "identity");
  return { ...call, headers };
}
