import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedSlots } from "../../src/store/shared-slots.ts";
import type { SlotsWork } from "./programs/slots-worker.ts";

const shape = { slots: 64, bytesPerSlot: 16 };

function startWorker(
  table: SharedSlots,
  work: Pick<SlotsWork, "task"> & Partial<SlotsWork>,
): Worker {
  const { buffer, slots, bytesPerSlot } = table;
  const workerData: SlotsWork = { buffer, slots, bytesPerSlot, rounds: 0, first: 0, ...work };
  return new Worker(new URL("./programs/slots-worker.ts", import.meta.url), { workerData });
}

async function ended(worker: Worker): Promise<number> {
  const [code] = (await once(worker, "exit")) as [number];
  return code;
}

const countsOf = (table: SharedSlots, id: string): number[] =>
  table.withLock(id, (index) => [...table.int32.subarray(index * 4, index * 4 + 2)]) ?? [];

describe("ids and slots", () => {
  test("an id keeps its slot, a new slot is empty, a full table says so", () => {
    const table = new SharedSlots({ slots: 2, bytesPerSlot: 8 });
    const first = table.claim("a");
    table.withLock("a", (index) => table.int64.fill(7n, index, index + 1));
    expect(table.claim("a")).toEqual(first);
    expect(table.find("b")).toBeUndefined();
    expect(table.claim("b")?.index).not.toBe(first?.index);
    expect(table.claim("c")).toBeUndefined();
    expect(table.withLock("c", () => 1)).toBeUndefined();
    expect(table.withLocks(["a", "c"], () => 1)).toBeUndefined();
    expect(table.used).toBe(2);
    expect(table.remove("a")).toBe(true);
    expect(table.remove("a")).toBe(false);
    expect(table.withLock("c", (index) => table.int64[index])).toBe(0n);
  });

  test("a slot that was given away can't be locked with its old handle", () => {
    const table = new SharedSlots(shape);
    const old = table.claim("a");
    table.remove("a");
    table.claim("b");
    expect(old === undefined ? true : table.lock(old)).toBe(false);
  });

  test("behaves like a map of bounded size under any claims and removals", () => {
    const steps = fc.array(fc.record({ id: fc.nat(40).map(String), remove: fc.boolean() }), {
      maxLength: 400,
      size: "max",
    });
    fc.assert(
      fc.property(steps, (all) => {
        const table = new SharedSlots({ slots: 24, bytesPerSlot: 8 });
        const model = new Map<string, bigint>();
        for (const { id, remove } of all) {
          if (remove) {
            expect(table.remove(id)).toBe(model.delete(id));
            continue;
          }
          const count = table.withLock(id, (index) => {
            table.int64[index] = (table.int64[index] ?? 0n) + 1n;
            return table.int64[index];
          });
          if (count === undefined) {
            expect(model.size).toBe(24);
            expect(model.has(id)).toBe(false);
          } else {
            model.set(id, (model.get(id) ?? 0n) + 1n);
            expect(count).toBe(model.get(id));
          }
        }
        expect(table.used).toBe(model.size);
        // Another thread's view, which remembers nothing.
        const fresh = new SharedSlots({ slots: 24, bytesPerSlot: 8, buffer: table.buffer });
        for (const id of Array.from({ length: 41 }, (_, i) => String(i))) {
          const slot = fresh.find(id);
          expect(slot === undefined ? undefined : table.int64[slot.index]).toBe(model.get(id));
        }
      }),
      { numRuns: 60 },
    );
  });

  test("idle slots are reclaimed, others are not", () => {
    const table = new SharedSlots(shape);
    table.claim("idle");
    table.claim("kept");
    const epoch = table.nextEpoch();
    table.claim("busy");
    const kept = table.find("kept");
    table.nextEpoch();
    expect(table.reclaim(epoch, (index) => index !== kept?.index)).toBe(1);
    expect(table.touchedSince(epoch)).toHaveLength(2);
    expect(table.find("idle")).toBeUndefined();
    expect(table.find("kept")).toBeDefined();
    expect(table.find("busy")).toBeDefined();
  });

  test("names find the same ids in another table with the same seed, and only there", () => {
    const table = new SharedSlots(shape);
    const name = table.nameOf(table.claim("a")?.index ?? -1);
    expect(table.nameOfId("a")).toBe(name);
    const again = new SharedSlots({ ...shape, seed: table.seed });
    expect(again.claimNamed(name)).toEqual(again.find("a"));
    const other = new SharedSlots(shape);
    expect(other.nameOfId("a")).not.toBe(name);
  });

  test("a buffer of another shape is refused", () => {
    const { buffer } = new SharedSlots(shape);
    expect(() => new SharedSlots({ slots: 64, bytesPerSlot: 8, buffer })).toThrow(/shape/);
  });
});

describe("locks between threads", () => {
  test("four threads and this one count one slot exactly", async () => {
    const table = new SharedSlots(shape);
    const rounds = 200_000;
    const workers = Array.from({ length: 4 }, () => startWorker(table, { task: "count", rounds }));
    const codes = Promise.all(workers.map(ended));
    for (let i = 0; i < 1_000; i++) {
      table.withLock("one", (index) => {
        for (const at of [index * 4, index * 4 + 1]) table.int32[at] = (table.int32[at] ?? 0) + 1;
      });
      if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await codes).toEqual([0, 0, 0, 0]);
    expect(countsOf(table, "one")).toEqual([4 * rounds + 1_000, 4 * rounds + 1_000]);
  });

  test("two locks in any order, claims and reclaims at once lose nothing", async () => {
    const table = new SharedSlots({ ...shape, slots: 48 });
    const rounds = 40_000;
    const workers = [0, 1, 2].map((first) =>
      startWorker(table, { task: "count-many", rounds, first: first * 11 }),
    );
    const codes = Promise.all(workers.map(ended));
    let running = true;
    void codes.then(() => (running = false));
    let given = 0;
    const all = table.claim("all");
    while (running) {
      // Everything but the common slot is idle at once.
      given += table.reclaim(table.nextEpoch() + 1, (index) => index !== all?.index);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await codes).toEqual([0, 0, 0]);
    expect(given).toBeGreaterThan(40);
    expect(countsOf(table, "all")).toEqual([3 * rounds, 3 * rounds]);
  });

  test("the lock of a thread that died is taken over, and what it left is repaired", async () => {
    const repaired: number[] = [];
    const table = new SharedSlots({ ...shape, repair: (index) => repaired.push(index) });
    const slot = table.claim("one");
    const worker = startWorker(table, { task: "die" });
    await once(worker, "message");
    await worker.terminate();
    expect(table.withLock("one", (index) => index)).toBe(slot?.index);
    expect(repaired).toEqual([slot?.index]);
    expect(table.withLock("one", (index) => index)).toBe(slot?.index);
    expect(repaired).toHaveLength(1);
  });

  test("asking for a lock that one holds is a bug, not a wait", () => {
    const table = new SharedSlots(shape);
    expect(() => table.withLock("a", () => table.withLock("a", () => 1))).toThrow(/holds/);
    expect(table.withLock("a", () => 1)).toBe(1);
  });
});
