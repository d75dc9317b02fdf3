import { atOnce } from "../../support/at-once.ts";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  usageFoldMs,
  usageWindowBuckets,
  usageWindowMs,
  windowIdleMs,
} from "../../../src/contract/limits.ts";
import { usageWindows } from "../../../src/contract/usage-limit.ts";
import { applyBatch, type JournalOperation } from "../../../src/store/journal/batch.ts";
import type { UsageJournal } from "../../../src/store/windows/kept-usage-windows.ts";
import {
  openUsageWindows,
  type OpenUsageWindows,
} from "../../../src/store/windows/open-windows.ts";
import type { UsageOperation } from "../../../src/store/windows/usage-count.ts";
import type {
  UsageAmounts,
  UsageCap,
  UsageDecision,
  ReservedUsage,
} from "../../../src/store/windows/usage-windows.ts";
import { MemoryStore } from "../../sim/memory-store.ts";
import { chargeOf, held, openBooks, topUp } from "../ledger/books.ts";
import { ManualClock } from "../manual-clock.ts";

const cap = (more: Partial<UsageCap> = {}): UsageCap => ({
  id: "tokens",
  type: "tokens",
  window: "month",
  threshold: 1_000_000n,
  hard: false,
  ...more,
});
const requests = cap({ id: "requests", type: "requests" });

const amounts = (tokens: bigint): UsageAmounts => ({
  costMicroUsd: tokens * 10n,
  tokens,
  requests: 1n,
});

/** A journal whose batches end when the test says so, over a store that outlives a crash. */
class Disk implements UsageJournal {
  readonly accepting = true;
  readonly store = new MemoryStore((violation) => {
    throw new Error(violation);
  });
  #operations: JournalOperation[] = [];
  #batches = 0;

  append(_events: readonly string[], operations: readonly JournalOperation[]): void {
    this.#operations.push(...operations);
  }

  count(operation: UsageOperation | null): void {
    if (operation !== null) this.append([], [operation]);
  }

  /** As the journal's thread does, which may be given a batch twice. */
  flush(): void {
    this.#batches += 1;
    const batch = { number: this.#batches, events: [], operations: this.#operations };
    for (let times = 0; times < 2; times += 1) {
      this.store.transaction(() => applyBatch(this.store.tables, batch));
    }
    this.#operations = [];
  }

  /** What a new process finds; what was not flushed is gone. */
  crashed(): this {
    this.#operations = [];
    return this;
  }

  get rows(): number {
    return this.store.tables.usageWindows.size;
  }
}

function opened(disk: Disk, clock = new ManualClock()): OpenUsageWindows {
  const windows = openUsageWindows(disk.store.tables, disk, { slots: 16, clock });
  onTestFinished(() => windows.close());
  return windows;
}

function reserved(disk: Disk, decision: UsageDecision): ReservedUsage {
  if (!decision.admitted) throw new Error("was refused");
  disk.count(decision.counted);
  return decision.reservation;
}

describe("after a crash", () => {
  test("there is what was flushed, and nothing else", () => {
    const disk = new Disk();
    const windows = opened(disk);
    const use = (tokens: bigint): void => {
      const reservation = reserved(disk, windows.reserve([cap()], amounts(90n)));
      disk.count(windows.settle(reservation, amounts(tokens)));
    };
    use(60n);
    disk.flush();
    use(7n);
    expect(opened(disk.crashed()).used(cap())).toBe(60n);
  });

  test("a request that was in flight has been made, and what it used is not known", () => {
    const disk = new Disk();
    const windows = opened(disk);
    const caps = [cap(), requests];
    reserved(disk, windows.reserve(caps, amounts(90n)));
    const refused = reserved(disk, windows.reserve(caps, amounts(90n)));
    disk.flush();
    // It never reached a provider.
    disk.count(windows.release(refused));
    disk.flush();
    // In memory it counts as in flight, which the usage view does not show.
    expect(windows.used(requests)).toBe(0n);
    const after = opened(disk.crashed());
    expect([after.used(cap()), after.used(requests)]).toEqual([0n, 1n]);
  });

  test("time went on while there was no process", () => {
    const disk = new Disk();
    const before = new ManualClock();
    const windows = opened(disk, before);
    const use = (by: OpenUsageWindows): void =>
      disk.count(by.settle(reserved(disk, by.reserve([cap()], amounts(5n))), amounts(5n)));
    use(windows);
    disk.flush();
    // Set while it ran: that is no time that passed.
    before.setWall(-3 * 86_400_000);
    before.advance(1_000);
    use(windows);
    disk.flush();
    const clock = new ManualClock(before.wallMs() + 29 * 86_400_000, 3);
    const after = opened(disk.crashed(), clock);
    expect(after.used(cap())).toBe(10n);
    clock.advance(86_400_000 + usageWindowMs.month / usageWindowBuckets);
    expect(after.used(cap())).toBe(0n);
  });
});

test("usage is in the store with its debit, or neither is", async () => {
  const books = await openBooks();
  await topUp(books.ledger, "1.00");
  const tables = books.store.journal;
  const windows = openUsageWindows(tables, books.journal, { slots: 16 });
  onTestFinished(() => windows.close());
  const cost = cap({ id: "cost", type: "cost" });
  const decision = windows.reserve([cost], amounts(90n));
  if (!decision.admitted) throw new Error("was refused");
  const hold = held(books.ledger, "0.5");
  const counted = windows.settle(decision.reservation, amounts(25_000n));
  books.ledger.settle(hold, chargeOf("0.25"), [], counted === null ? [] : [counted]);
  const stored = () => {
    tables.usageLog.resetReadTxn();
    const after = openUsageWindows(tables, { accepting: false, append: () => 0 }, { slots: 16 });
    after.close();
    const entries = atOnce(books.ledger.list({ orgId: hold.orgId, limit: 5, cursor: null }));
    return [after.used(cost), entries.ok ? entries.value.entries.length : 0];
  };
  expect(stored()).toEqual([0n, 1]);
  await books.journal.appliedAll(null);
  expect(stored()).toEqual([250_000n, 2]);
});

test("whatever happens in whatever batches: the store has what memory has, and requests in flight", () => {
  const caps = usageWindows.flatMap((window) => [
    cap({ id: `t ${window}`, window }),
    cap({ id: `r ${window}`, type: "requests", window }),
  ]);
  const step = fc.oneof(
    fc.record({ kind: fc.constant("reserve" as const), caps: fc.subarray(caps) }),
    fc.record({
      kind: fc.constant("end" as const),
      at: fc.nat(5),
      // null: it is released.
      tokens: fc.option(fc.bigInt({ min: 0n, max: 60n })),
    }),
    fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.oneof(fc.nat(60_000), fc.nat(usageWindowMs.month)),
    }),
    fc.record({ kind: fc.constant("flush" as const) }),
    fc.record({ kind: fc.constant("sweep" as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: "max" }), (steps) => {
      const disk = new Disk();
      const clock = new ManualClock();
      const windows = opened(disk, clock);
      const open: ReservedUsage[] = [];
      for (const each of steps) {
        if (each.kind === "reserve") {
          open.push(reserved(disk, windows.reserve(each.caps, amounts(50n))));
        } else if (each.kind === "pass") clock.advance(each.ms);
        else if (each.kind === "flush") disk.flush();
        else if (each.kind === "sweep") windows.sweep();
        else {
          const [one] = open.splice(each.at, 1);
          if (one === undefined) continue;
          const { tokens } = each;
          disk.count(tokens === null ? windows.release(one) : windows.settle(one, amounts(tokens)));
        }
      }
      disk.flush();
      const after = opened(disk, clock);
      for (const one of caps) {
        const inMemory = windows.used(one);
        const inStore = after.used(one);
        if (one.type === "tokens") expect(inStore).toBe(inMemory);
        // Those in flight too; they leave the window by when they were admitted.
        else expect(inStore).toBeLessThanOrEqual(inMemory + BigInt(open.length));
      }
    }),
    { numRuns: 200 },
  );
});

test("a deleted limit is forgotten, also by what is in flight, and leaves the store", () => {
  const disk = new Disk();
  const windows = opened(disk);
  disk.count(windows.settle(reserved(disk, windows.reserve([cap()], amounts(6n))), amounts(6n)));
  const inFlight = reserved(disk, windows.reserve([cap(), requests], amounts(5n)));
  disk.flush();
  windows.forget(cap());
  disk.flush();
  expect(disk.rows).toBe(2);
  reserved(disk, windows.reserve([cap()], amounts(5n)));
  disk.count(windows.settle(inFlight, amounts(5n)));
  disk.flush();
  expect(windows.used(cap())).toBe(0n);
  expect(disk.rows).toBe(2);
});

test("a window that has been empty for long leaves memory and store, one that counts stays", () => {
  const disk = new Disk();
  const clock = new ManualClock();
  const windows = opened(disk, clock);
  const hour = cap({ id: "hour", window: "hour" });
  for (const one of [hour, cap()]) {
    disk.count(windows.settle(reserved(disk, windows.reserve([one], amounts(6n))), amounts(6n)));
  }
  disk.flush();
  clock.advance(usageWindowMs.hour + usageWindowMs.hour / usageWindowBuckets);
  for (let ms = 0; ms <= windowIdleMs; ms += 1_000) windows.sweep();
  disk.flush();
  expect(disk.rows).toBe(2);
  expect(opened(disk, clock).used(cap())).toBe(6n);
});

test("what an older release wrote goes on", () => {
  const disk = new Disk();
  const clock = new ManualClock();
  const before = opened(disk, clock);
  for (const tokens of [2n, 4n]) {
    const reservation = reserved(disk, before.reserve([cap()], amounts(90n)));
    disk.count(before.settle(reservation, amounts(tokens)));
    clock.advance(usageFoldMs);
  }
  disk.flush();
  // It wrote the same rows, whole, and a head with them.
  const rows = [...disk.store.tables.usageWindows.all()];
  const older = new Disk();
  const named = rows.filter(({ key }) => key !== "!");
  const head = rows.find(({ key }) => key === "!")?.value ?? Buffer.from("");
  const change = {
    head,
    gone: [],
    rows: named.map(({ key, value }) => ({ name: key, bytes: value })),
  };
  older.append([], [{ kind: "windows", table: "usageWindows", change }]);
  older.flush();
  const windows = opened(older, clock);
  older.count(windows.settle(reserved(older, windows.reserve([cap()], amounts(4n))), amounts(4n)));
  older.flush();
  expect(opened(older, clock).used(cap())).toBe(10n);
});
