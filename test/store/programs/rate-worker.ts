import { parentPort, workerData } from "node:worker_threads";
import type { RateCheck } from "../../../src/store/windows/rate-windows.ts";
import { SharedRateWindows } from "../../../src/store/windows/shared-rate-windows.ts";
import { StandStill } from "./stand-still.ts";

/** Consumes the checks again and again, and says how often it was admitted. */
export interface RateWork {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly checks: readonly RateCheck[];
  readonly rounds: number;
  /** The thread stands still in the middle of its first update until this is opened. */
  readonly gate?: SharedArrayBuffer;
}

const { checks, rounds, gate, ...shape } = workerData as RateWork;
const standStill = gate === undefined ? undefined : new StandStill(gate);
const windows = new SharedRateWindows({
  ...shape,
  ...(standStill === undefined ? {} : { between: () => standStill.once() }),
});
let admitted = 0;
for (let i = 0; i < rounds; i++) {
  if (windows.consume(checks).admitted) admitted++;
}
parentPort?.postMessage(admitted);
