import { address } from "../config/address.ts";
import type { Configuration } from "../contract/configuration.ts";
import { billingPathDefault } from "../contract/limits.ts";

/**
 * The port of the gateway's socket, as every thread of the process reads it: where `GATEWAY_PORT` is 0 the
 * system chooses one, when all that serves is up already.
 */
export class BoundPort {
  readonly buffer: SharedArrayBuffer;
  readonly #port: Int32Array;

  /** `buffer`: that of another thread. */
  constructor(buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#port = new Int32Array(buffer);
  }

  /** 0: nothing is bound yet, so that no request is there to ask. */
  get port(): number {
    return Atomics.load(this.#port, 0);
  }

  set port(port: number) {
    Atomics.store(this.#port, 0, port);
  }
}

/** Where a balance refusal sends people; to be asked once the gateway listens. */
export function billingUrlOf({ billing, gateway }: Configuration, bound: BoundPort): () => string {
  return () => billing.url ?? address(gateway.host, bound.port) + billingPathDefault;
}
