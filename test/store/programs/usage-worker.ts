import { parentPort, workerData } from "node:worker_threads";
import { SharedUsageWindows, type UsageCap } from "../../../src/store/usage-windows.ts";

const { buffer, slots, caps, rounds } = workerData as {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly caps: readonly UsageCap[];
  readonly rounds: number;
};
const windows = new SharedUsageWindows({ slots, buffer });
const one = { costMicroUsd: 0n, tokens: 3n, requests: 1n };
let admitted = 0;
for (let i = 0; i < rounds; i++) {
  const decision = windows.reserve(caps, one);
  if (!decision.admitted) continue;
  if (i % 3 === 0) {
    windows.release(decision.reservation);
  } else {
    windows.settle(decision.reservation, one);
    admitted++;
  }
}
parentPort?.postMessage(admitted);
