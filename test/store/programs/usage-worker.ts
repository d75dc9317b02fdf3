import { parentPort, workerData } from "node:worker_threads";
import type { UsageCap } from "../../../src/store/windows/usage-windows.ts";
import { SharedUsageWindows } from "../../../src/store/windows/shared-usage-windows.ts";
import { StandStill } from "./stand-still.ts";

/** Reserves and ends again and again, and says how often it settled: two times of three it was admitted. */
export interface UsageWork {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly caps: readonly UsageCap[];
  readonly rounds: number;
  /** The thread stands still in the middle of its first update until this is opened. */
  readonly gate?: SharedArrayBuffer;
}

const { caps, rounds, gate, ...shape } = workerData as UsageWork;
const standStill = gate === undefined ? undefined : new StandStill(gate);
const windows = new SharedUsageWindows({
  ...shape,
  ...(standStill === undefined ? {} : { between: () => standStill.once() }),
});
const one = { costMicroUsd: 0n, tokens: 3n, requests: 1n };
let settled = 0;
for (let i = 0; i < rounds; i++) {
  const decision = windows.reserve(caps, one);
  if (!decision.admitted) continue;
  if (i % 3 === 2) {
    windows.release(decision.reservation);
  } else {
    windows.settle(decision.reservation, one);
    settled++;
  }
}
parentPort?.postMessage(settled);
