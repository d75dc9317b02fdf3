import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  openRateWindows,
  SharedRateWindows,
  type RateDecision,
} from "../../src/store/rate-windows.ts";
import { ManualClock } from "./manual-clock.ts";
import { openedStore, temporaryDirectory } from "./temporary-store.ts";
import { keptIn } from "./kept-windows.ts";

const windowMs = 60_000;
const bucketMs = 250;

function windowsAt(clock: ManualClock, slots = 16): SharedRateWindows {
  const windows = new SharedRateWindows({ slots, clock });
  windows.timeline.start();
  return windows;
}

const resetOf = (decision: RateDecision): number =>
  decision.admitted ? (decision.states[0]?.resetUnixSeconds ?? 0) : decision.state.resetUnixSeconds;

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
          const waitMs = decision.state.resetUnixSeconds * 1_000 - clock.wallMs();
          expect(decision.state.resetAfterSeconds * 1_000).toBeGreaterThan(waitMs - 1_000);
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

  test("threads share a limit exactly", async () => {
    const limit = 10_000;
    const windows = new SharedRateWindows({ slots: 16 });
    windows.timeline.start();
    const workers = Array.from({ length: 4 }, () => {
      const workerData = { buffer: windows.table.buffer, slots: 16, limit, rounds: 5_000 };
      return new Worker(new URL("./programs/rate-worker.ts", import.meta.url), { workerData });
    });
    const counts = await Promise.all(
      workers.map(async (worker) => ((await once(worker, "message")) as [number])[0]),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(limit);
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
