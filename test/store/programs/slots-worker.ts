import { parentPort, workerData } from "node:worker_threads";
import { SharedSlots } from "../../../src/store/shared-slots.ts";

export interface SlotsWork {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly bytesPerSlot: number;
  readonly task: "count" | "count-many" | "die";
  readonly rounds: number;
  readonly first: number;
}

const { task, rounds, first, ...shape } = workerData as SlotsWork;
const table = new SharedSlots(shape);

/** Two words that only stay equal where nobody else is between their writes. */
function countAt(index: number): void {
  const at = index * (shape.bytesPerSlot / 4);
  const before = table.int32[at] ?? 0;
  table.int32[at] = before + 1;
  if (table.int32[at + 1] !== before) throw new Error("two threads held one lock");
  table.int32[at + 1] = before + 1;
}

switch (task) {
  case "count":
    for (let i = 0; i < rounds; i++) table.withLock("one", countAt);
    break;
  case "count-many":
    // Every id is counted in its own slot and in the common one, under both locks.
    for (let i = 0; i < rounds; i++) {
      const id = `id ${(first + i) % 40}`;
      table.withLocks(i % 2 === 0 ? [id, "all"] : ["all", id], (slots) => {
        for (const { index } of slots) countAt(index);
      });
    }
    break;
  case "die":
    table.withLock("one", () => {
      parentPort?.postMessage("locked");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });
    break;
}
