import { workerData } from "node:worker_threads";
import { SharedSlots } from "../../../src/store/slots/shared-slots.ts";
import { StandStill } from "./stand-still.ts";

export interface SlotsWork {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly bytesPerSlot: number;
  readonly task: "count" | "count-many" | "claim";
  readonly rounds: number;
  readonly first: number;
  /** The thread stands still in the middle of its first update until this is opened. */
  readonly gate: SharedArrayBuffer | null;
}

const { task, rounds, first, gate, ...shape } = workerData as SlotsWork;
const standStill = gate === null ? null : new StandStill(gate);
const between = standStill === null ? {} : { between: () => standStill.once() };
const table = new SharedSlots({ ...shape, ...between });

/** All words of a slot, which only stay equal where every change begins with what the last one has left. */
function countAt(cell: number): boolean {
  const at = (cell * table.bytesPerCell) / 4;
  const end = at + table.bytesPerSlot / 4;
  const before = table.int32[at] ?? 0;
  for (let word = at; word < end; word++) {
    if (table.int32[word] !== before) throw new Error("a copy is of two moments");
    table.int32[word] = before + 1;
  }
  return true;
}

function count(id: string): void {
  for (;;) {
    const update = table.changeOf(id, countAt);
    if (update === "changed") return;
    // Another thread is in the table's lock.
    if (update !== "busy") throw new Error(update);
  }
}

switch (task) {
  case "count":
    for (let i = 0; i < rounds; i++) count("one");
    break;
  case "count-many":
    // Every id is counted in its own slot and in the common one.
    for (let i = 0; i < rounds; i++) {
      count(`id ${(first + i) % 40}`);
      count("all");
    }
    break;
  case "claim":
    table.claim("new");
    break;
}
