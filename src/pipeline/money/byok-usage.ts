import type { UsageReport } from "../../contract/usage.ts";
import type { Wire } from "../../contract/wire.ts";
import type { StreamObserver, UpstreamCall } from "../../exchange/exchange.ts";
import { readJsonAnswerUsage } from "./usage-reader.ts";
import { usageObserver, UsageTap } from "./usage-tap.ts";

/**
 * Reads the token usage of an own-keys answer if the caller's tokens are limited. JSON answers are then
 * buffered whole and requested without a content encoding. A stream passes as it comes. It reports no usage
 * unless the caller asked the provider for it.
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

/** The call, changed so that its answer comes without a content encoding. */
export function withoutEncoding(call: UpstreamCall): UpstreamCall {
  const headers: string[] = [];
  for (let i = 0; i < call.headers.length; i += 2) {
    const name = call.headers[i] ?? "";
    if (name !== "accept-encoding") headers.push(name, call.headers[i + 1] ?? "");
  }
  headers.push("accept-encoding", "identity");
  return { ...call, headers };
}
