import { parentPort } from "node:worker_threads";

/**
 * How a thread of a test stands still in the middle of its first update: it tells its parent, and goes
 * on when the parent opens the gate. To be given to a table as `between`.
 */
export class StandStill {
  readonly #gate: Int32Array;
  #stood = false;

  /** `gate`: four bytes, 0. */
  constructor(gate: SharedArrayBuffer) {
    this.#gate = new Int32Array(gate);
  }

  once(): void {
    if (this.#stood) return;
    this.#stood = true;
    parentPort?.postMessage("stands still");
    Atomics.wait(this.#gate, 0, 0);
  }
}

export function openGate(buffer: SharedArrayBuffer): void {
  const gate = new Int32Array(buffer);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}
