import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { windowsReclaimedPerFlush } from "../../../src/contract/limits.ts";
import { openRateWindows } from "../../../src/store/windows/open-windows.ts";
import type {
  RateCheck,
  RateDecision,
  RateState,
} from "../../../src/store/windows/rate-windows.ts";
import { SharedRateWindows } from "../../../src/store/windows/shared-rate-windows.ts";
import { ManualClock } from "../manual-clock.ts";
import type { RateWork } from "../programs/rate-worker.ts";
import { openGate } from "../programs/stand-still.ts";
import { openedStore, temporaryDirectory } from "../temporary-store.ts";
import { keptIn } from "./kept-windows.ts";

const windowMs = 60_000;
const bucketMs = 250;

function windowsAt(clock: ManualClock, slots = 16): SharedRateWindows {
  const windows = new SharedRateWindows({ slots, clock });
  windows.timeline.start();
  return windows;
}

/** Of the first window, or of the one that refused. */
function stateOf(decision: RateDecision): RateState {
  const state = decision.admitted
    ? decision.states[0]
    : decision.refusedAt === null
      ? undefined
      : decision.state;
  if (state === undefined) throw new Error("nothing was counted");
  return state;
}

const resetOf = (decision: RateDecision): number => stateOf(decision).resetUnixSeconds;

/** An exact log: when each unit was admitted. */
class ExactLog {
  readonly #admittedMs: number[] = [];

  countSince(ms: number): number {
    return this.#admittedMs.filter((at) => at > ms).length;
  }

  add(ms: number, units: number): void {
    for (let i = 0; i < units; i++) this.#admittedMs.push(ms);
  }
}

describe("one window", () => {
  test("admits the limit, then nothing until the first one is a window old", () => {
    const clock = new ManualClock();
    const windows = windowsAt(clock);
    const check = [{ id: "a", limit: 3 }];
    expect(windows.consume(check)).toMatchObject({ states: [{ limit: 3, remaining: 2 }] });
    clock.advance(10_000);
    expect(windows.consume(check)).toMatchObject({ states: [{ remaining: 1 }] });
    expect(windows.consume(check)).toMatchObject({ states: [{ remaining: 0 }] });
    const refused = windows.consume(check);
    expect(refused).toMatchObject({ admitted: false, refusedAt: 0, state: { remaining: 0 } });
    const waitMs = resetOf(refused) * 1_000 - clock.wallMs();
    expect(waitMs).toBeGreaterThanOrEqual(50_000);
    expect(waitMs).toBeLessThanOrEqual(50_000 + bucketMs + 1_000);
    clock.advance(49_999);
    expect(windows.consume(check).admitted).toBe(false);
    clock.advance(1 + bucketMs);
    expect(windows.consume(check)).toMatchObject({ admitted: true, states: [{ remaining: 0 }] });
    expect(windows.consume(check).admitted).toBe(false);
  });

  test("resets at one second as long as its oldest unit is the same", () => {
    let nowMs = 1_700_000_000_000.7;
    const clock = { wallMs: () => Math.floor(nowMs), monotonicMs: () => nowMs };
    const windows = new SharedRateWindows({ slots: 16, clock });
    windows.timeline.start();
    for (let bucket = 0; bucket < 4; bucket++) {
      nowMs += windowMs + 2 * bucketMs + bucketMs;
      const resets = new Set<number>();
      for (let i = 0; i < 10; i++) {
        resets.add(resetOf(windows.consume([{ id: "a", limit: 5 }])));
        nowMs += 3.3;
      }
      expect([...resets]).toHaveLength(1);
    }
  });

  test("what a refusal promises holds: a request is admitted at the reset, not 1.3 s earlier", () => {
    const steps = fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 12 }), (gaps, limit) => {
        const clock = new ManualClock();
        const windows = windowsAt(clock);
        for (const gap of gaps) {
          clock.advance(gap);
          const decision = windows.consume([{ id: "a", limit }]);
          if (decision.admitted) continue;
          const { resetUnixSeconds, resetAfterSeconds } = stateOf(decision);
          const waitMs = resetUnixSeconds * 1_000 - clock.wallMs();
          expect(resetAfterSeconds * 1_000).toBeGreaterThan(waitMs - 1_000);
          if (waitMs > 1_300) {
            clock.advance(waitMs - 1_300);
            expect(windows.consume([{ id: "a", limit }]).admitted).toBe(false);
            clock.advance(1_300);
          } else {
            clock.advance(waitMs);
          }
          expect(windows.consume([{ id: "a", limit }]).admitted).toBe(true);
        }
      }),
    );
  });

  test("never more than the limit in any 60 s; refused at most a bucket longer than exactly", () => {
    const request = fc.record({
      gapMs: fc.oneof(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.constantFrom(0, bucketMs, windowMs - 1, windowMs, windowMs + bucketMs, 3 * windowMs),
      ),
      units: fc.integer({ min: 1, max: 3 }),
    });
    const requests = fc.array(request, { maxLength: 300, size: "max" });
    const limits = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(requests, limits, fc.nat(5_000), (all, limit, startMs) => {
        const clock = new ManualClock(Date.UTC(2026, 0, 1) + startMs);
        const windows = windowsAt(clock);
        const log = new ExactLog();
        for (const { gapMs, units } of all) {
          clock.advance(gapMs);
          const nowMs = clock.wallMs();
          const { admitted } = windows.consume([{ id: "a", limit, units }]);
          if (admitted) {
            expect(log.countSince(nowMs - windowMs) + units).toBeLessThanOrEqual(limit);
            log.add(nowMs, units);
          } else {
            expect(log.countSince(nowMs - windowMs - bucketMs) + units).toBeGreaterThan(limit);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a limit that is lowered counts what was admitted under the higher one", () => {
    const clock = new ManualClock();
    const windows = windowsAt(clock);
    for (let i = 0; i < 5; i++) {
      windows.consume([{ id: "a", limit: 5 }]);
      clock.advance(1_000);
    }
    const refused = windows.consume([{ id: "a", limit: 2 }]);
    // Four of the five have to leave; the fourth came 2 s ago.
    expect(resetOf(refused) * 1_000 - clock.wallMs()).toBeGreaterThan(57_000);
    expect(windows.consume([{ id: "a", limit: 9 }])).toMatchObject({ states: [{ remaining: 3 }] });
  });

  test("a limit of 0 and more units than the limit wait a whole window", () => {
    const windows = windowsAt(new ManualClock());
    const wholeWindow = { resetAfterSeconds: 60 };
    expect(windows.consume([{ id: "a", limit: 0 }])).toMatchObject({ state: wholeWindow });
    expect(windows.consume([{ id: "a", limit: 3, units: 4 }])).toMatchObject({
      state: { remaining: 3, ...wholeWindow },
    });
  });
});

describe("several windows at once", () => {
  test("a refusal at either consumes neither, and names the first that refused", () => {
    const windows = windowsAt(new ManualClock());
    const both = (org: number, key: number): RateDecision =>
      windows.consume([
        { id: "org", limit: org },
        { id: "key", limit: key },
      ]);
    expect(both(5, 2)).toMatchObject({ states: [{ remaining: 4 }, { remaining: 1 }] });
    expect(both(5, 2)).toMatchObject({ states: [{ remaining: 3 }, { remaining: 0 }] });
    expect(both(5, 2)).toMatchObject({ admitted: false, refusedAt: 1, state: { limit: 2 } });
    expect(both(2, 9)).toMatchObject({ admitted: false, refusedAt: 0, state: { limit: 2 } });
    expect(both(1, 1)).toMatchObject({ refusedAt: 0 });
    expect(both(5, 5)).toMatchObject({ states: [{ remaining: 2 }, { remaining: 2 }] });
  });

  test("a table without room refuses newcomers, says so, and serves who is in it", () => {
    let full = 0;
    const windows = new SharedRateWindows({
      slots: 1,
      clock: new ManualClock(),
      onFull: () => full++,
    });
    windows.timeline.start();
    expect(windows.consume([{ id: "a", limit: 9 }]).admitted).toBe(true);
    expect(windows.consume([{ id: "b", limit: 9 }])).toMatchObject({
      admitted: false,
      refusedAt: 0,
      state: { limit: 9, remaining: 0, resetAfterSeconds: 60 },
    });
    expect(windows.consume([{ id: "a", limit: 9 }]).admitted).toBe(true);
    expect(full).toBe(1);
  });
});

describe("several threads", () => {
  function startWorker(
    { table }: SharedRateWindows,
    work: Omit<RateWork, "buffer" | "slots">,
  ): Worker {
    const workerData: RateWork = { buffer: table.buffer, slots: table.slots, ...work };
    return new Worker(new URL("../programs/rate-worker.ts", import.meta.url), { workerData });
  }

  async function saidBy(worker: Worker): Promise<unknown> {
    return ((await once(worker, "message")) as [unknown])[0];
  }

  /** What counts in a window now. */
  function countedIn(windows: SharedRateWindows, id: string): number {
    const limit = 1_000_000;
    return limit - stateOf(windows.consume([{ id, limit, units: 0 }])).remaining;
  }

  test("they share a limit exactly", async () => {
    const limit = 10_000;
    const windows = new SharedRateWindows({ slots: 16 });
    windows.timeline.start();
    const checks = [
      { id: "org", limit },
      { id: "key", limit: limit * 2 },
    ];
    const workers = Array.from({ length: 4 }, () =>
      startWorker(windows, { checks, rounds: 5_000 }),
    );
    const counts = await Promise.all(workers.map(saidBy));
    expect(counts.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(limit);
    expect(countedIn(windows, "org")).toBe(limit);
    expect(countedIn(windows, "key")).toBe(limit);
  });

  test("one that stands still while it takes from a window keeps nobody from it, and takes no more than there is", async () => {
    const windows = new SharedRateWindows({ slots: 16 });
    windows.timeline.start();
    const checks = [
      { id: "org", limit: 10 },
      { id: "key", limit: 3 },
    ];
    windows.consume([{ id: "org", limit: 10, units: 2 }]);
    windows.consume([{ id: "key", limit: 3 }]);
    const gate = new SharedArrayBuffer(4);
    const worker = startWorker(windows, { checks, rounds: 1, gate });
    await once(worker, "message");
    expect(windows.consume(checks).admitted).toBe(true);
    expect(windows.consume(checks).admitted).toBe(true);
    expect(windows.consume(checks)).toMatchObject({ admitted: false, refusedAt: 1 });
    openGate(gate);
    // It had looked while there was room, took from the first, and gave that back.
    expect(await saidBy(worker)).toBe(0);
    expect(countedIn(windows, "org")).toBe(4);
    expect(countedIn(windows, "key")).toBe(3);
  });

  test("whatever others do in the middle of a check: no window admits too much, a refusal takes nothing", () => {
    const checks = fc
      .subarray([0, 1, 2], { minLength: 1 })
      .map((places) => places.map((i) => ({ id: `window ${i}`, limit: 4 + 3 * i })));
    const pauses = fc.array(fc.array(checks, { maxLength: 3 }), { maxLength: 4 });
    const steps = fc.array(fc.record({ checks, pauses, gapMs: fc.nat(400) }), { maxLength: 25 });
    fc.assert(
      fc.property(steps, (all) => {
        const clock = new ManualClock();
        const admitted = new Map<string, number>();
        const consume = (windows: SharedRateWindows, asked: readonly RateCheck[]): void => {
          const decision = windows.consume(asked);
          if (!decision.admitted) return;
          for (const { id } of asked) admitted.set(id, (admitted.get(id) ?? 0) + 1);
        };
        const waiting: (readonly RateCheck[])[][] = [];
        const other = windowsAt(clock);
        const windows = new SharedRateWindows({
          slots: 16,
          clock,
          buffer: other.table.buffer,
          between: () => {
            for (const asked of waiting.shift() ?? []) consume(other, asked);
          },
        });
        for (const { checks: asked, pauses, gapMs } of all) {
          clock.advance(gapMs);
          waiting.splice(0, Infinity, ...pauses);
          consume(windows, asked);
        }
        for (const [i, id] of ["window 0", "window 1", "window 2"].entries()) {
          expect(admitted.get(id) ?? 0).toBeLessThanOrEqual(4 + 3 * i);
          expect(countedIn(other, id)).toBe(admitted.get(id) ?? 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a check that can't be counted just now is refused, and says so", async () => {
    const windows = new SharedRateWindows({ slots: 16 });
    windows.timeline.start();
    windows.consume([{ id: "known", limit: 9 }]);
    const gate = new SharedArrayBuffer(4);
    const worker = startWorker(windows, { checks: [{ id: "new", limit: 9 }], rounds: 1, gate });
    await once(worker, "message");
    const both = [
      { id: "known", limit: 9 },
      { id: "newer", limit: 9 },
    ];
    expect(windows.consume(both)).toEqual({ admitted: false, refusedAt: null });
    expect(countedIn(windows, "known")).toBe(1);
    openGate(gate);
    expect(await saidBy(worker)).toBe(1);
    expect(windows.consume(both).admitted).toBe(true);
  });
});

describe("clocks and restarts", () => {
  const check = [{ id: "a", limit: 4 }];
  const noFlush = (error: unknown): never => {
    throw error instanceof Error ? error : new Error(String(error));
  };

  test.each([
    ["back", -3_600_000],
    ["forward", 3_600_000],
  ])("a wall clock set %s while the process runs changes nothing", (_name, byMs) => {
    const clock = new ManualClock();
    const windows = windowsAt(clock);
    for (let i = 0; i < 4; i++) windows.consume(check);
    clock.setWall(byMs);
    const refused = windows.consume(check);
    expect(refused.admitted).toBe(false);
    // The reset follows the wall clock that clients read.
    expect(resetOf(refused) * 1_000 - clock.wallMs()).toBeGreaterThan(59_000);
    expect(resetOf(refused) * 1_000 - clock.wallMs()).toBeLessThanOrEqual(61_250);
    clock.advance(windowMs + bucketMs);
    expect(windows.consume(check).admitted).toBe(true);
  });

  /** Fills the window, closes the store, lets `betweenMs` pass on the wall clock, opens it again. */
  async function restarted(betweenMs: number): Promise<{ clock: ManualClock; left: number }> {
    const directory = temporaryDirectory();
    const before = new ManualClock();
    const store = await openedStore(directory);
    const windows = openRateWindows(...keptIn(store, "rateWindows"), {
      clock: before,
      slots: 16,
      onFlushFailed: noFlush,
    });
    for (let i = 0; i < 3; i++) windows.consume(check);
    await windows.close();
    await store.close();
    const again = await openedStore(directory);
    // Another process: its monotonic clock begins elsewhere.
    const clock = new ManualClock(before.wallMs() + betweenMs, 7);
    const reopened = openRateWindows(...keptIn(again, "rateWindows"), {
      clock,
      slots: 16,
      onFlushFailed: noFlush,
    });
    let left = 0;
    while (reopened.consume(check).admitted) left++;
    clock.advance(windowMs + bucketMs);
    expect(reopened.consume(check).admitted).toBe(true);
    await reopened.close();
    await again.close();
    return { clock, left };
  }

  test.each([
    ["at once", 0, 1],
    ["after 30 s", 30_000, 1],
    ["after a window", 60_250, 4],
    ["a day later", 86_400_000, 4],
    ["with a wall clock that was set back", -86_400_000, 1],
  ])("opened again %s", async (_name, betweenMs, left) => {
    expect((await restarted(betweenMs)).left).toBe(left);
  });

  test("what was not flushed is lost, what was is not", async () => {
    const directory = temporaryDirectory();
    const clock = new ManualClock();
    const store = await openedStore(directory);
    const options = { clock, slots: 16, onFlushFailed: noFlush };
    const windows = openRateWindows(...keptIn(store, "rateWindows"), options);
    windows.consume(check);
    windows.consume(check);
    await windows.flush();
    windows.consume(check);
    const after = openRateWindows(...keptIn(store, "rateWindows"), options);
    expect(after.consume(check)).toMatchObject({ states: [{ remaining: 1 }] });
    await windows.close();
    await after.close();
    await store.close();
  });

  test("of many that are empty some make room with each flush", async () => {
    const store = await openedStore(temporaryDirectory());
    const { rateWindows } = store.journal;
    const clock = new ManualClock();
    const count = 2 * windowsReclaimedPerFlush + 1;
    const windows = openRateWindows(...keptIn(store, "rateWindows"), {
      clock,
      slots: 4_096,
      onFlushFailed: noFlush,
    });
    for (let i = 0; i < count; i++) windows.consume([{ id: `${i}`, limit: 4 }]);
    const left: number[] = [];
    for (let i = 0; i < 65; i++) {
      await windows.flush();
      left.push(rateWindows.getKeysCount() - 1);
      clock.advance(1_000);
    }
    const most = left.map((rows, i) => (left[i - 1] ?? rows) - rows);
    expect(Math.max(...most)).toBe(windowsReclaimedPerFlush);
    expect(left.at(-1)).toBe(0);
    await windows.close();
    await store.close();
  });

  test("windows that are empty make room and leave the store", async () => {
    const store = await openedStore(temporaryDirectory());
    const { rateWindows } = store.journal;
    const clock = new ManualClock();
    const windows = openRateWindows(...keptIn(store, "rateWindows"), {
      clock,
      slots: 1,
      onFlushFailed: noFlush,
    });
    windows.consume([{ id: "a", limit: 4 }]);
    await windows.flush();
    expect([...rateWindows.getKeys()]).toHaveLength(2);
    for (let i = 0; i < 62; i++) {
      clock.advance(1_000);
      await windows.flush();
    }
    expect([...rateWindows.getKeys()]).toHaveLength(1);
    expect(windows.consume([{ id: "b", limit: 4 }]).admitted).toBe(true);
    await windows.close();
    await store.close();
  });
});
