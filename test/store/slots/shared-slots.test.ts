import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slotTableThreadsMax } from "../../../src/contract/limits.ts";
import { SharedSlots, type Slot } from "../../../src/store/slots/shared-slots.ts";
import { SlotChanges } from "../../../src/store/slots/slot-changes.ts";
import type { SlotsWork } from "../programs/slots-worker.ts";
import { openGate } from "../programs/stand-still.ts";

const shape = { slots: 64, bytesPerSlot: 16 };

function startWorker(
  table: SharedSlots,
  work: Pick<SlotsWork, "task"> & Partial<SlotsWork>,
): Worker {
  const { buffer, slots, bytesPerSlot } = table;
  const standard = { buffer, slots, bytesPerSlot, rounds: 0, first: 0, gate: null };
  const workerData: SlotsWork = { ...standard, ...work };
  return new Worker(new URL("../programs/slots-worker.ts", import.meta.url), { workerData });
}

async function ended(worker: Worker): Promise<number> {
  const [code] = (await once(worker, "exit")) as [number];
  return code;
}

function claimed(table: SharedSlots, id: string): Slot {
  const slot = table.claim(id);
  if (typeof slot === "string") throw new Error(slot);
  return slot;
}

/** Adds to every word of an id's slot. */
function add(table: SharedSlots, id: string, count = 1): string {
  return table.changeOf(id, (cell) => {
    const words = wordsOf(table, cell);
    words.fill((words[0] ?? 0) + count);
    return true;
  });
}

/** What every word of an id's slot has; undefined where it has none, NaN where they differ. */
function countOf(table: SharedSlots, id: string): number | undefined {
  const slot = table.find(id);
  let count: number | undefined;
  if (slot === undefined) return undefined;
  table.look(slot.index, (cell) => {
    const [first = NaN, ...others] = wordsOf(table, cell);
    count = others.every((other) => other === first) ? first : NaN;
  });
  return count;
}

function wordsOf(table: SharedSlots, cell: number): Int32Array {
  const at = (cell * table.bytesPerCell) / 4;
  return table.int32.subarray(at, at + table.bytesPerSlot / 4);
}

describe("ids and slots", () => {
  test("an id keeps its slot, a new slot is empty, a full table says so", () => {
    const table = new SharedSlots({ slots: 2, bytesPerSlot: 8 });
    const first = table.claim("a");
    expect(add(table, "a", 7)).toBe("changed");
    expect(table.claim("a")).toEqual(first);
    expect(table.find("b")).toBeUndefined();
    expect(claimed(table, "b").index).not.toBe(claimed(table, "a").index);
    expect(table.claim("c")).toBe("full");
    expect(add(table, "c")).toBe("full");
    expect(table.used).toBe(2);
    expect(table.remove("a")).toBe(true);
    expect(table.remove("a")).toBe(false);
    expect(table.used).toBe(1);
    expect(add(table, "c")).toBe("changed");
    expect(countOf(table, "c")).toBe(1);
  });

  test("who knew a slot that was given away finds it gone, also when the same id has it again", () => {
    const table = new SharedSlots(shape);
    const old = claimed(table, "a");
    const useless = (): never => {
      throw new Error("the slot is another's");
    };
    table.remove("a");
    expect(table.change(old, useless)).toBe("gone");
    table.claim("b");
    expect(table.change(old, useless)).toBe("gone");
    table.remove("b");
    expect(claimed(table, "a").index).toBe(old.index);
    expect(table.change(old, useless)).toBe("gone");
  });

  test("what a change has made of its copy counts where it says so, and not otherwise", () => {
    const table = new SharedSlots(shape);
    const slot = claimed(table, "a");
    const spoil = (cell: number): void => {
      const at = cell * table.bytesPerCell;
      table.bytes.fill(9, at, at + table.bytesPerSlot);
    };
    table.change(slot, (cell) => {
      spoil(cell);
      return false;
    });
    table.look(slot.index, spoil);
    expect(() =>
      table.change(slot, (cell) => {
        spoil(cell);
        throw new Error("a bug");
      }),
    ).toThrow("a bug");
    expect(countOf(table, "a")).toBe(0);
    expect(add(table, "a")).toBe("changed");
    expect(countOf(table, "a")).toBe(1);
  });

  test("a change within a change is a bug", () => {
    const table = new SharedSlots(shape);
    expect(() =>
      table.changeOf("a", () => {
        add(table, "b");
        return true;
      }),
    ).toThrow(/another/);
    expect(add(table, "a")).toBe("changed");
  });

  test("behaves like a map of bounded size under any claims and removals", () => {
    const steps = fc.array(fc.record({ id: fc.nat(40).map(String), remove: fc.boolean() }), {
      maxLength: 400,
      size: "max",
    });
    fc.assert(
      fc.property(steps, (all) => {
        const table = new SharedSlots({ slots: 24, bytesPerSlot: 8 });
        const model = new Map<string, number>();
        for (const { id, remove } of all) {
          if (remove) {
            expect(table.remove(id)).toBe(model.delete(id));
          } else if (add(table, id) === "full") {
            expect(model.size).toBe(24);
            expect(model.has(id)).toBe(false);
          } else {
            model.set(id, (model.get(id) ?? 0) + 1);
            expect(countOf(table, id)).toBe(model.get(id));
          }
        }
        expect(table.used).toBe(model.size);
        // Another thread's view, which remembers nothing.
        const fresh = new SharedSlots({ slots: 24, bytesPerSlot: 8, buffer: table.buffer });
        for (const id of Array.from({ length: 41 }, (_, i) => String(i))) {
          expect(countOf(fresh, id)).toBe(model.get(id));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a slot is given away where its content says so, once", () => {
    const table = new SharedSlots(shape);
    const { index } = claimed(table, "a");
    add(table, "a");
    const isEmpty = (cell: number): boolean => table.int32[(cell * table.bytesPerCell) / 4] === 0;
    expect(table.reclaim(index, isEmpty)).toBeUndefined();
    add(table, "a", -1);
    expect(table.reclaim(index, isEmpty)).toBe(table.nameOfId("a"));
    expect(table.reclaim(index, isEmpty)).toBeUndefined();
    expect(table.find("a")).toBeUndefined();
    expect(table.copyOf(index)).toBeUndefined();
    expect(add(table, "b")).toBe("changed");
    expect(table.copyOf(index)?.name).toBe(table.nameOfId("b"));
  });

  test("names find the same ids in another table with the same seed, and only there", () => {
    const table = new SharedSlots(shape);
    const name = table.nameOf(claimed(table, "a").index);
    expect(table.nameOfId("a")).toBe(name);
    const again = new SharedSlots({ ...shape, seed: table.seed });
    expect(again.claimNamed(name)).toEqual(again.find("a"));
    const other = new SharedSlots(shape);
    expect(other.nameOfId("a")).not.toBe(name);
  });

  test("a buffer of another shape is refused, and one thread too many", () => {
    const { buffer } = new SharedSlots(shape);
    expect(() => new SharedSlots({ slots: 64, bytesPerSlot: 8, buffer })).toThrow(/shape/);
    for (let i = 1; i < slotTableThreadsMax; i++) new SharedSlots({ ...shape, buffer });
    expect(() => new SharedSlots({ ...shape, buffer })).toThrow(/threads/);
  });
});

describe("which slots have changed", () => {
  test("each is told once, whoever changed it, and rests until it changes again", () => {
    const table = new SharedSlots(shape);
    const other = new SharedSlots({ ...shape, buffer: table.buffer });
    const kept = claimed(table, "kept").index;
    const changes = new SlotChanges(table);
    expect(changes.look()).toEqual([]);
    const busy = claimed(other, "busy").index;
    add(other, "kept");
    expect(changes.look().toSorted()).toEqual([kept, busy].toSorted());
    expect(changes.look()).toEqual([]);
    expect(changes.idle(2)).toEqual([]);
    add(table, "busy");
    expect(changes.look()).toEqual([busy]);
    expect(changes.idle(2)).toEqual([kept]);
    changes.look();
    expect(changes.idle(2)).toEqual([]);
    changes.look();
    expect(changes.idle(2)).toEqual([kept, busy]);
    table.remove("kept");
    expect(changes.look()).toEqual([kept]);
  });

  test("a change that began before a look and ended after it is told by the next one", () => {
    const table = new SharedSlots(shape);
    const changes = new SlotChanges(table);
    const seen: number[][] = [];
    const other = new SharedSlots({
      ...shape,
      buffer: table.buffer,
      between: () => seen.push(changes.look()),
    });
    const { index } = claimed(table, "a");
    add(other, "a");
    expect(seen).toEqual([[index]]);
    expect(changes.look()).toEqual([index]);
  });
});

describe("between threads", () => {
  test("four threads and this one count one slot exactly", async () => {
    const table = new SharedSlots(shape);
    const rounds = 200_000;
    const workers = Array.from({ length: 4 }, () => startWorker(table, { task: "count", rounds }));
    const codes = Promise.all(workers.map(ended));
    for (let i = 0; i < 1_000; i++) {
      expect(add(table, "one")).toBe("changed");
      if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await codes).toEqual([0, 0, 0, 0]);
    expect(countOf(table, "one")).toBe(4 * rounds + 1_000);
  });

  test("changes, claims and reclaims at once lose nothing, and a copy is of one moment", async () => {
    const table = new SharedSlots({ ...shape, slots: 48 });
    const rounds = 40_000;
    const workers = [0, 1, 2].map((first) =>
      startWorker(table, { task: "count-many", rounds, first: first * 11 }),
    );
    const codes = Promise.all(workers.map(ended));
    let running = true;
    const stop = (): boolean => (running = false);
    void codes.then(stop, stop);
    let given = 0;
    const all = table.nameOfId("all");
    while (running) {
      for (let index = 0; index < table.end; index++) {
        const copy = table.copyOf(index);
        if (copy === undefined) continue;
        expect(new Set(new Int32Array(copy.bytes.buffer)).size).toBe(1);
        // Only the common slot has to keep what it has counted.
        if (copy.name === all) continue;
        if (table.reclaim(index, () => table.nameOf(index) !== all) !== undefined) given++;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await codes).toEqual([0, 0, 0]);
    expect(given).toBeGreaterThan(40);
    expect(countOf(table, "all")).toBe(3 * rounds);
  });

  test("what is seen of a large slot is of one moment", async () => {
    const table = new SharedSlots({ slots: 1, bytesPerSlot: 4_096 });
    const rounds = 20_000;
    const workers = [0, 1].map(() => startWorker(table, { task: "count", rounds }));
    const codes = Promise.all(workers.map(ended));
    let running = true;
    const stop = (): boolean => (running = false);
    void codes.then(stop, stop);
    while (running) {
      for (let i = 0; i < 100; i++) expect(countOf(table, "one")).not.toBeNaN();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await codes).toEqual([0, 0]);
    expect(countOf(table, "one")).toBe(2 * rounds);
  });

  test("a thread that stands still in a change keeps nobody from the slot, and begins anew", async () => {
    const table = new SharedSlots(shape);
    add(table, "one");
    const gate = new SharedArrayBuffer(4);
    const worker = startWorker(table, { task: "count", rounds: 1, gate });
    const code = ended(worker);
    await once(worker, "message");
    expect(add(table, "one", 100)).toBe("changed");
    expect(countOf(table, "one")).toBe(101);
    openGate(gate);
    expect(await code).toBe(0);
    expect(countOf(table, "one")).toBe(102);
  });

  test("what a thread changes in a slot that was given away meanwhile goes to its id's new slot", async () => {
    const table = new SharedSlots(shape);
    add(table, "one", 5);
    const gate = new SharedArrayBuffer(4);
    const worker = startWorker(table, { task: "count", rounds: 1, gate });
    const code = ended(worker);
    await once(worker, "message");
    expect(table.remove("one")).toBe(true);
    // The slot that the worker is about to publish in.
    add(table, "other", 7);
    openGate(gate);
    expect(await code).toBe(0);
    expect(countOf(table, "other")).toBe(7);
    expect(countOf(table, "one")).toBe(1);
  });

  test("a thread that stands still in a claim makes others' new ids wait, and nothing else", async () => {
    const table = new SharedSlots(shape);
    add(table, "known");
    const { index } = claimed(table, "idle");
    const gate = new SharedArrayBuffer(4);
    const worker = startWorker(table, { task: "claim", gate });
    const code = ended(worker);
    await once(worker, "message");
    expect(table.claim("new")).toBe("busy");
    expect(add(table, "another")).toBe("busy");
    expect(table.remove("known")).toBe("busy");
    expect(table.reclaim(index, () => true)).toBeUndefined();
    expect(add(table, "known")).toBe("changed");
    const fresh = new SharedSlots({ ...shape, buffer: table.buffer });
    expect(countOf(fresh, "known")).toBe(2);
    expect(table.copyOf(index)?.name).toBe(table.nameOfId("idle"));
    openGate(gate);
    expect(await code).toBe(0);
    expect(table.claim("new")).toEqual(fresh.find("new"));
    expect(add(table, "another")).toBe("changed");
    expect(table.remove("known")).toBe(true);
  });

  test("nobody waits for a thread that ended in a claim: known ids are served as ever", async () => {
    const table = new SharedSlots(shape);
    add(table, "known");
    const worker = startWorker(table, { task: "claim", gate: new SharedArrayBuffer(4) });
    await once(worker, "message");
    await worker.terminate();
    expect(table.claim("new")).toBe("busy");
    expect(add(table, "known")).toBe("changed");
  });
});
