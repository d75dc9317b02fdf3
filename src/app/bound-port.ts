import { address } from "../config/address.ts";
import type { Configuration } from "../contract/configuration.ts";
import { dashboardBillingPath } from "../contract/limits.ts";

/**
 * The port of the keys API's socket, where the dashboard is, for every thread of the process. If
 * `GATEWAY_KEYS_PORT` is 0, the system chooses the port after everything that serves is up.
 */
export class BoundPort {
  readonly buffer: SharedArrayBuffer;
  readonly #port: Int32Array;

  /** `buffer` comes from another thread. */
  constructor(buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#port = new Int32Array(buffer);
  }

  /** 0 if nothing is bound yet. Then there is no request that could ask. */
  get port(): number {
    return Atomics.load(this.#port, 0);
  }

  set port(port: number) {
    Atomics.store(this.#port, 0, port);
  }
}

/** The address to which a balance refusal sends people. Call it only once the keys API listens. */
export function billingUrlOf({ billing, gateway }: Configuration, bound: BoundPort): () => string {
  return () => billing.url ?? address(gateway.host, bound.port) + dashboardBillingPath;
}
