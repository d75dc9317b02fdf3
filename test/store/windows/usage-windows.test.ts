import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usageWindowBuckets, usageWindowMs } from "../../../src/contract/limits.ts";
import { usageWindows, type UsageWindow } from "../../../src/contract/usage-limit.ts";
import { openUsageWindows } from "../../../src/store/windows/open-windows.ts";
import type {
  UsageAmounts,
  UsageCap,
  UsageDecision,
  ReservedUsage,
} from "../../../src/store/windows/usage-windows.ts";
import { SharedUsageWindows } from "../../../src/store/windows/shared-usage-windows.ts";
import { ManualClock } from "../manual-clock.ts";
import { openGate } from "../programs/stand-still.ts";
import type { UsageWork } from "../programs/usage-worker.ts";
import { openBooks } from "../ledger/books.ts";

function windowsAt(clock: ManualClock, slots = 16): SharedUsageWindows {
  const windows = new SharedUsageWindows({ slots, clock });
  windows.timeline.start();
  return windows;
}

const cap = (more: Partial<UsageCap> = {}): UsageCap => ({
  id: "a",
  type: "tokens",
  window: "hour",
  threshold: 100n,
  hard: false,
  ...more,
});

const tokens = (count: bigint): UsageAmounts => ({
  costMicroUsd: count * 10n,
  tokens: count,
  requests: 1n,
});

function admitted(decision: UsageDecision): ReservedUsage {
  if (!decision.admitted) throw new Error("was refused");
  return decision.reservation;
}

const bucketMs = (window: UsageWindow): number => usageWindowMs[window] / usageWindowBuckets;

describe("reserve and settle", () => {
  test("what is in flight counts with its worst case, then with what it was", () => {
    const windows = windowsAt(new ManualClock());
    const first = admitted(windows.reserve([cap()], tokens(90n)));
    const second = admitted(windows.reserve([cap()], tokens(90n)));
    expect(windows.reserve([cap()], tokens(1n))).toEqual({
      admitted: false,
      refusedAt: 0,
      usage: 180n,
      retryAfterSeconds: 1,
    });
    expect(windows.used(cap())).toBe(0n);
    windows.settle(first, tokens(7n));
    windows.release(second);
    expect(windows.used(cap())).toBe(7n);
    windows.settle(second, tokens(50n));
    windows.release(first);
    expect(windows.used(cap())).toBe(7n);
    admitted(windows.reserve([cap()], tokens(1n)));
  });

  test("each type counts its own amount", () => {
    const windows = windowsAt(new ManualClock());
    const caps = (["cost", "tokens", "requests"] as const).map((type) => cap({ id: type, type }));
    windows.settle(admitted(windows.reserve(caps, tokens(4n))), tokens(4n));
    expect(caps.map((each) => windows.used(each))).toEqual([40n, 4n, 1n]);
  });

  test("a request cap admits exactly its threshold, whatever is in flight", () => {
    const windows = windowsAt(new ManualClock());
    const five = cap({ type: "requests", threshold: 5n });
    const decisions = Array.from({ length: 12 }, () => windows.reserve([five], tokens(1_000n)));
    expect(decisions.filter((decision) => decision.admitted)).toHaveLength(5);
  });

  test("a hard cap admits only what fits with its worst case, a soft one the request that crosses it", () => {
    const windows = windowsAt(new ManualClock());
    const hard = cap({ id: "hard", hard: true });
    windows.settle(admitted(windows.reserve([hard, cap()], tokens(60n))), tokens(60n));
    expect(windows.reserve([hard], tokens(41n)).admitted).toBe(false);
    windows.release(admitted(windows.reserve([hard], tokens(40n))));
    windows.settle(admitted(windows.reserve([cap()], tokens(41n))), tokens(41n));
    expect(windows.reserve([cap()], tokens(1n))).toMatchObject({ usage: 101n });
    expect(windows.reserve([hard], tokens(101n))).toMatchObject({ retryAfterSeconds: 3_600 });
    windows.settle(admitted(windows.reserve([hard], tokens(40n))), tokens(40n));
    expect(windows.reserve([hard], tokens(0n)).admitted).toBe(false);
  });

  test("a refusal at any cap reserves in none and names the first", () => {
    const windows = windowsAt(new ManualClock());
    const wide = cap({ id: "wide", threshold: 1_000n });
    const narrow = cap({ id: "narrow", threshold: 5n });
    windows.settle(admitted(windows.reserve([wide, narrow], tokens(5n))), tokens(5n));
    expect(windows.reserve([wide, narrow], tokens(900n))).toMatchObject({ refusedAt: 1 });
    const all = cap({ id: "wide", threshold: 900n, hard: true });
    admitted(windows.reserve([all], tokens(895n)));
  });

  test("a table without room admits nothing", () => {
    const windows = windowsAt(new ManualClock(), 1);
    admitted(windows.reserve([cap()], tokens(1n)));
    expect(windows.reserve([cap({ id: "b" })], tokens(1n))).toEqual({
      admitted: false,
      refusedAt: null,
      because: "full",
    });
  });

  test("amounts far beyond 2^53 are exact", () => {
    const windows = windowsAt(new ManualClock());
    const large = cap({ threshold: 2n ** 62n, type: "cost" });
    const amounts = { costMicroUsd: 2n ** 61n - 1n, tokens: 0n, requests: 1n };
    windows.settle(admitted(windows.reserve([large], amounts)), amounts);
    expect(windows.used(large)).toBe(2n ** 61n - 1n);
  });
});

test("any order of reserving, settling and releasing: in flight and used are what they should be", () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("reserve" as const),
      caps: fc.subarray([0, 1, 2], { minLength: 1 }),
      worst: fc.bigInt({ min: 0n, max: 60n }),
    }),
    fc.record({
      kind: fc.constantFrom("settle" as const, "release" as const),
      at: fc.nat(20),
      actual: fc.bigInt({ min: 0n, max: 60n }),
    }),
  );
  const all = [
    cap({ id: "0" }),
    cap({ id: "1", hard: true, threshold: 150n }),
    cap({ id: "2", type: "requests", threshold: 9n, window: "month" }),
  ];
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
      const windows = windowsAt(new ManualClock());
      const used = [0n, 0n, 0n];
      const inFlight = [0n, 0n, 0n];
      const open: { reservation: ReservedUsage; caps: number[]; worst: bigint }[] = [];
      const amount = (i: number, count: bigint): bigint => (i === 2 ? 1n : count);
      const add = (sums: bigint[], caps: number[], count: bigint, sign: bigint): void => {
        for (const i of caps) sums[i] = (sums[i] ?? 0n) + sign * amount(i, count);
      };
      for (const each of steps) {
        if (each.kind === "reserve") {
          const { caps, worst } = each;
          const picked = caps.flatMap((i) => all[i] ?? []);
          const refusedAt = picked.findIndex(({ hard, threshold }, place) => {
            const i = caps[place] ?? 0;
            const usage = (used[i] ?? 0n) + (inFlight[i] ?? 0n);
            return usage >= threshold || (hard && usage + amount(i, worst) > threshold);
          });
          const decision = windows.reserve(picked, tokens(worst));
          expect(decision.admitted ? -1 : decision.refusedAt).toBe(refusedAt);
          if (!decision.admitted) continue;
          add(inFlight, caps, worst, 1n);
          open.push({ reservation: decision.reservation, caps, worst });
        } else {
          const [ended] = open.splice(each.at, 1);
          if (ended === undefined) continue;
          add(inFlight, ended.caps, ended.worst, -1n);
          if (each.kind === "release") windows.release(ended.reservation);
          else {
            windows.settle(ended.reservation, tokens(each.actual));
            add(used, ended.caps, each.actual, 1n);
          }
        }
        expect(all.map((one) => windows.used(one))).toEqual(used);
      }
    }),
    { numRuns: 100 },
  );
});

describe("rolling windows", () => {
  test.each(usageWindows)(
    "%s: admitted again when the reset says so, a bucket late at most",
    (window) => {
      const clock = new ManualClock();
      const windows = windowsAt(clock);
      const one = cap({ window, threshold: 10n });
      const half = tokens(5n);
      windows.settle(admitted(windows.reserve([one], half)), half);
      clock.advance(usageWindowMs[window] / 3);
      windows.settle(admitted(windows.reserve([one], half)), half);
      const refused = windows.reserve([one], half);
      if (refused.admitted || refused.refusedAt === null) throw new Error("was not refused");
      const exactMs = (usageWindowMs[window] / 3) * 2;
      const waitMs = refused.retryAfterSeconds * 1_000;
      expect(waitMs).toBeGreaterThanOrEqual(exactMs);
      expect(waitMs).toBeLessThanOrEqual(exactMs + bucketMs(window) + 1_000);
      clock.advance(exactMs - 1);
      expect(windows.reserve([one], half).admitted).toBe(false);
      clock.advance(waitMs - exactMs + 1);
      expect(windows.used(one)).toBe(5n);
      expect(windows.reserve([one], half).admitted).toBe(true);
    },
  );

  test.each(usageWindows)(
    "%s: what was all used at once has left when the reset says so",
    (window) => {
      const clock = new ManualClock();
      const windows = windowsAt(clock);
      clock.advance(bucketMs(window) / 3);
      const one = cap({ window, threshold: 10n });
      windows.settle(admitted(windows.reserve([one], tokens(10n))), tokens(10n));
      const refused = windows.reserve([one], tokens(1n));
      if (refused.admitted || refused.refusedAt === null) throw new Error("was not refused");
      clock.advance(refused.retryAfterSeconds * 1_000 - 1_001);
      expect(windows.reserve([one], tokens(1n)).admitted).toBe(false);
      clock.advance(1_001);
      expect(windows.reserve([one], tokens(1n)).admitted).toBe(true);
    },
  );

  test("against an exact log: never less than was used, a bucket more at most", () => {
    const step = fc.record({
      gapMs: fc.oneof(
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: 0, max: 2 * usageWindowMs.hour }),
        fc.constantFrom(0, 30_000, usageWindowMs.hour - 1, usageWindowMs.hour),
      ),
      amount: fc.bigInt({ min: 0n, max: 50n }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: "max" }), fc.nat(90_000), (all, start) => {
        const clock = new ManualClock(Date.UTC(2026, 0, 1) + start);
        const windows = windowsAt(clock);
        const log: { readonly ms: number; readonly amount: bigint }[] = [];
        const sum = (sinceMs: number): bigint =>
          log.reduce((total, { ms, amount }) => (ms > sinceMs ? total + amount : total), 0n);
        for (const { gapMs, amount } of all) {
          clock.advance(gapMs);
          const used = windows.used(cap());
          const nowMs = clock.wallMs();
          expect(used).toBeGreaterThanOrEqual(sum(nowMs - usageWindowMs.hour));
          expect(used).toBeLessThanOrEqual(sum(nowMs - usageWindowMs.hour - 30_000));
          const decision = windows.reserve([cap()], tokens(amount));
          expect(decision.admitted).toBe(used < 100n);
          if (!decision.admitted) continue;
          windows.settle(decision.reservation, tokens(amount));
          log.push({ ms: nowMs, amount });
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("several threads", () => {
  function startWorker(
    { table }: { readonly table: Pick<UsageWork, "buffer" | "slots"> },
    work: Omit<UsageWork, "buffer" | "slots">,
  ): Worker {
    const workerData: UsageWork = { buffer: table.buffer, slots: table.slots, ...work };
    return new Worker(new URL("../programs/usage-worker.ts", import.meta.url), { workerData });
  }

  async function saidBy(worker: Worker): Promise<unknown> {
    return ((await once(worker, "message")) as [unknown])[0];
  }

  /** What is in flight, as a refusal tells it. */
  function inFlight(windows: SharedUsageWindows, of: UsageCap): bigint {
    const decision = windows.reserve([{ ...of, threshold: 0n }], tokens(0n));
    if (decision.admitted || decision.refusedAt === null) throw new Error("was not refused");
    return decision.usage - windows.used(of);
  }

  test("they share caps exactly", async () => {
    const windows = new SharedUsageWindows({ slots: 16 });
    windows.timeline.start();
    const caps = [
      cap({ id: "requests", type: "requests", threshold: 8_000n, window: "week" }),
      cap({ id: "tokens", threshold: 1_000_000n, window: "month" }),
    ];
    const workers = Array.from({ length: 4 }, () => startWorker(windows, { caps, rounds: 10_000 }));
    const counts = await Promise.all(workers.map(saidBy));
    expect(counts.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(8_000);
    expect(caps.map((each) => windows.used(each))).toEqual([8_000n, 24_000n]);
    expect(caps.map((each) => inFlight(windows, each))).toEqual([0n, 0n]);
  });

  test("one that stands still while it reserves keeps nobody from the caps, and reserves no more than there is", async () => {
    const windows = new SharedUsageWindows({ slots: 16 });
    windows.timeline.start();
    const caps = [cap({ id: "wide" }), cap({ id: "narrow", threshold: 5n })];
    windows.settle(admitted(windows.reserve(caps, tokens(1n))), tokens(1n));
    const gate = new SharedArrayBuffer(4);
    const worker = startWorker(windows, { caps, rounds: 1, gate });
    await once(worker, "message");
    const mine = admitted(windows.reserve(caps, tokens(4n)));
    expect(windows.reserve(caps, tokens(1n))).toMatchObject({ refusedAt: 1, usage: 5n });
    openGate(gate);
    // It had looked while there was room, reserved in the first, and gave that back.
    expect(await saidBy(worker)).toBe(0);
    windows.settle(mine, tokens(2n));
    expect(caps.map((each) => windows.used(each))).toEqual([3n, 3n]);
    expect(caps.map((each) => inFlight(windows, each))).toEqual([0n, 0n]);
  });

  test("whatever others do in the middle: no cap admits too much, and all that was reserved is given back", () => {
    const all = [
      cap({ id: "0", hard: true, threshold: 40n }),
      cap({ id: "1", type: "requests", threshold: 3n }),
      cap({ id: "2", hard: true, threshold: 25n, window: "day" }),
    ];
    const step = fc.record({
      caps: fc.subarray(all, { minLength: 1 }),
      worst: fc.bigInt({ min: 0n, max: 20n }),
      // Ends the oldest reservation that is open.
      ends: fc.constantFrom("none", "settle", "release"),
    });
    const pauses = fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 4 });
    const steps = fc.array(fc.record({ step, pauses }), { maxLength: 25 });
    fc.assert(
      fc.property(steps, (played) => {
        const used = new Map<string, bigint>();
        const open: ReservedUsage[] = [];
        const play = (windows: SharedUsageWindows, { caps, worst, ends }: Step): void => {
          const decision = windows.reserve(caps, tokens(worst));
          if (decision.admitted) open.push(decision.reservation);
          if (ends === "none") return;
          const reservation = open.shift();
          if (reservation === undefined) return;
          if (ends === "release") windows.release(reservation);
          else settle(windows, reservation);
        };
        const settle = (windows: SharedUsageWindows, reservation: ReservedUsage): void => {
          const { held, worst } = reservation;
          windows.settle(reservation, worst);
          for (const { cap } of held) {
            const amount = cap.type === "requests" ? 1n : worst.tokens;
            used.set(cap.id, (used.get(cap.id) ?? 0n) + amount);
          }
        };
        const waiting: Step[][] = [];
        const clock = new ManualClock();
        const other = windowsAt(clock);
        const windows = new SharedUsageWindows({
          slots: 16,
          clock,
          buffer: other.table.buffer,
          between: () => {
            for (const nested of waiting.shift() ?? []) play(other, nested);
          },
        });
        for (const { step: first, pauses } of played) {
          waiting.splice(0, Infinity, ...pauses);
          play(windows, first);
        }
        waiting.length = 0;
        for (const reservation of open) settle(windows, reservation);
        for (const each of all) {
          expect(windows.used(each)).toBe(used.get(each.id) ?? 0n);
          expect(windows.used(each)).toBeLessThanOrEqual(each.threshold);
          expect(inFlight(windows, each)).toBe(0n);
        }
      }),
      { numRuns: 200 },
    );
  });

  interface Step {
    readonly caps: readonly UsageCap[];
    readonly worst: bigint;
    readonly ends: string;
  }

  test("one that stands still while it makes a window is in nobody's way when windows are forgotten and closed", async () => {
    const books = await openBooks();
    const windows = openUsageWindows(books.store.journal, books.journal, { slots: 16 });
    const use = async (of: UsageCap): Promise<void> => {
      const reservation = admitted(windows.reserve([of], tokens(1n)));
      const counted = windows.settle(reservation, tokens(1n));
      if (counted !== null) books.ledger.count(counted);
      await books.journal.appliedAll(null);
    };
    const stored = (): readonly bigint[] => {
      books.store.journal.usageLog.resetReadTxn();
      const journal = { accepting: false, append: () => undefined };
      const opened = openUsageWindows(books.store.journal, journal, { slots: 16 });
      opened.close();
      return ["a", "b"].map((id) => opened.used(cap({ id })));
    };
    await use(cap());
    await use(cap({ id: "b" }));
    expect(stored()).toEqual([1n, 1n]);
    const gate = new SharedArrayBuffer(4);
    const table = { buffer: windows.buffer, slots: 16 };
    const worker = startWorker({ table }, { caps: [cap({ id: "c" })], rounds: 1, gate });
    await once(worker, "message");
    expect(windows.reserve([cap({ id: "d" })], tokens(1n))).toEqual({
      admitted: false,
      refusedAt: null,
      because: "busy",
    });
    windows.forget(cap({ id: "b" }));
    windows.sweep();
    await use(cap());
    // It is forgotten as soon as the other one goes on.
    expect(stored()).toEqual([2n, 1n]);
    openGate(gate);
    expect(await saidBy(worker)).toBe(1);
    windows.sweep();
    await use(cap());
    expect(stored()).toEqual([3n, 0n]);
    const used = ["a", "b", "c"].map((id) => windows.used(cap({ id })));
    expect(used).toEqual([3n, 0n, 3n]);

    const stuck = startWorker(
      { table },
      { caps: [cap({ id: "e" })], rounds: 1, gate: new SharedArrayBuffer(4) },
    );
    await once(stuck, "message");
    await use(cap());
    windows.close();
    await stuck.terminate();
    expect(stored()).toEqual([4n, 0n]);
  });
});
