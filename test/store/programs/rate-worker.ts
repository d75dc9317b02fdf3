import { parentPort, workerData } from "node:worker_threads";
import { SharedRateWindows } from "../../../src/store/rate-windows.ts";

const { buffer, slots, limit, rounds } = workerData as {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly limit: number;
  readonly rounds: number;
};
const windows = new SharedRateWindows({ slots, buffer });
let admitted = 0;
for (let i = 0; i < rounds; i++) {
  const decision = windows.consume([
    { id: "org", limit },
    { id: "key", limit: limit * 2 },
  ]);
  if (decision.admitted) admitted++;
}
parentPort?.postMessage(admitted);
