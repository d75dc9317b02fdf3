import type { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import type { UsageWindow } from "../../../src/contract/usage-limit.ts";
import { SharedFunctions } from "../../../src/store/shared/functions.ts";
import { LimitFunctions } from "../../../src/store/shared/limit-functions.ts";
import type { CapUse } from "../../../src/store/windows/usage-count.ts";
import { Random } from "../../sim/random.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import { LimitsModel } from "./limits-model.ts";
import { emptyFlush, limitsOf, setStoreClock } from "./limits-reads.ts";

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 10, 23);

describeWithPostgres("limits in the shared store", () => {
  const database = new TestDatabase();
  let client: Client;
  let store: SharedFunctions;
  let limits: LimitFunctions;
  let setNow: (ms: number) => Promise<void>;
  beforeEach(async () => {
    await database.empty();
    client = await database.connect();
    store = new SharedFunctions(client);
    limits = new LimitFunctions(client);
    setNow = await setStoreClock(client, startMs);
  });

  async function joined(): Promise<number> {
    const gateway = await store.join("a", "1", "hash");
    await store.hello(gateway, 1);
    return gateway;
  }
  const flushed = (gateway: number, seq: number, usage: readonly CapUse[]) =>
    store.flush(gateway, { ...emptyFlush, seq, usage });
  const hard = { id: "budget", window: "hour", threshold: 100n, hard: true, idle: 0n } as const;
  const soft = { ...hard, id: "limit", hard: false } as const;
  const use = (id: string, amount: bigint, released: bigint) => {
    return { id, window: "hour" as const, amount, released };
  };

  test("the shares of all gateways are at most the limit, and what returns is free", async () => {
    const [a, b] = [await joined(), await joined()];
    expect(await limits.grantRate(a, 1, "r", 70, 70, 100)).toEqual({
      ...{ outcome: "granted", units: 70, free: 30, own: 70 },
    });
    expect(await limits.grantRate(b, 1, "r", 31, 31, 100)).toEqual({
      ...{ outcome: "scarce", units: 0, free: 30, own: 0 },
    });
    await store.flush(a, { ...emptyFlush, seq: 1, rateReturns: [{ id: "r", units: 1 }] });
    expect(await limits.grantRate(b, 1, "r", 31, 31, 100)).toMatchObject({ own: 31, free: 0 });
    expect(await store.hello(a, 2)).toMatchObject({ rates: new Map([["r", 69]]) });
  });

  test("requests that wait get what they need where it is free, and no more", async () => {
    const [a, b] = [await joined(), await joined()];
    expect(await limits.grantRate(a, 1, "r", 2, 5, 20)).toMatchObject({ units: 5 });
    expect(await limits.grantRate(b, 1, "r", 2, 50, 20)).toMatchObject({ units: 15 });
    // Where plenty is free, a sixteenth of it for one of two gateways.
    expect(await limits.grantRate(a, 1, "s", 1, 1, 1_601)).toMatchObject({ units: 101 });
    expect(await limits.grantCap(a, 1, { ...hard, threshold: 1_601n }, 1n, 1n)).toMatchObject({
      amount: 8n,
    });
  });

  test("what an ended gateway had of a rate can't be used for 61 seconds", async () => {
    const [a, b] = [await joined(), await joined()];
    await limits.grantRate(a, 1, "r", 100, 100, 100);
    expect(await store.end(a, 0, "fenced")).toBe(true);
    await setNow(startMs + 60_999);
    expect(await limits.grantRate(b, 1, "r", 1, 1, 100)).toMatchObject({ outcome: "scarce" });
    await setNow(startMs + 61_000);
    expect(await limits.grantRate(b, 1, "r", 100, 100, 100)).toMatchObject({ own: 100 });
  });

  test("a limit that was lowered gives nothing until it fits", async () => {
    const [a, b] = [await joined(), await joined()];
    await limits.grantRate(a, 1, "r", 80, 80, 100);
    expect(await limits.grantRate(b, 1, "r", 1, 1, 50)).toMatchObject({
      ...{ outcome: "scarce", free: 0 },
    });
    await store.flush(a, { ...emptyFlush, seq: 1, rateReturns: [{ id: "r", units: 31 }] });
    expect(await limits.grantRate(b, 1, "r", 1, 1, 50)).toMatchObject({ outcome: "granted" });
  });

  test("a hard cap gives what fits; what is used leaves the grant and counts", async () => {
    const [a, b] = [await joined(), await joined()];
    expect(await limits.grantCap(a, 1, hard, 60n, 60n)).toMatchObject({ own: 60n, granted: 60n });
    expect(await limits.grantCap(b, 1, hard, 41n, 41n)).toMatchObject({
      ...{ outcome: "scarce", granted: 60n, own: 0n, waitMs: 0 },
    });
    expect(await flushed(a, 1, [use("budget", 20n, 60n)])).toMatchObject({
      caps: new Map([["budget", { used: 20n, granted: 0n, own: 0n }]]),
    });
    expect(await limits.grantCap(b, 1, hard, 80n, 80n)).toMatchObject({ used: 20n, own: 80n });
    expect(await limits.grantCap(a, 1, hard, 1n, 1n)).toMatchObject({ outcome: "scarce" });
  });

  test("a soft cap gives one crossing grant, and nothing after it", async () => {
    const [a, b] = [await joined(), await joined()];
    await limits.grantCap(a, 1, soft, 99n, 99n);
    expect(await limits.grantCap(b, 1, soft, 50n, 50n)).toMatchObject({
      ...{ outcome: "granted", amount: 50n, granted: 149n },
    });
    expect(await limits.grantCap(a, 1, soft, 1n, 1n)).toMatchObject({ outcome: "scarce" });
  });

  test("what a gateway has idle of a soft cap is for the request that asks, so it may cross", async () => {
    const [a, b] = [await joined(), await joined()];
    await limits.grantCap(a, 1, soft, 100n, 100n);
    const scarce = { outcome: "scarce" };
    const idle = { ...soft, idle: 1n };
    // Nothing is granted to this one, so nothing of it can be idle.
    expect(await limits.grantCap(b, 1, idle, 50n, 50n)).toMatchObject(scarce);
    expect(await limits.grantCap(a, 1, { ...idle, hard: true }, 50n, 50n)).toMatchObject(scarce);
    expect(await limits.grantCap(a, 1, idle, 50n, 60n)).toMatchObject({ amount: 50n, own: 150n });
    expect(await limits.grantCap(a, 1, idle, 50n, 50n)).toMatchObject(scarce);
  });

  test("an amount leaves the window after its 120 buckets and one more", async () => {
    const a = await joined();
    await flushed(a, 1, [use("budget", 100n, 0n)]);
    expect(await limits.grantCap(a, 1, hard, 1n, 1n)).toMatchObject({
      ...{ outcome: "scarce", waitMs: hourMs + 30_000 },
    });
    await setNow(startMs + hourMs + 29_999);
    expect(await limits.grantCap(a, 1, hard, 1n, 1n)).toMatchObject({ used: 100n, waitMs: 1 });
    expect(await limits.usedOfCaps([hard])).toEqual(new Map([["budget", 100n]]));
    await setNow(startMs + hourMs + 30_000);
    expect(await limits.usedOfCaps([hard])).toEqual(new Map([["budget", 0n]]));
    expect(await limits.grantCap(a, 1, hard, 100n, 1n)).toMatchObject({ used: 0n, own: 100n });
    // The clock was set back: nothing that has left comes back, and nothing leaves early.
    await setNow(startMs);
    await flushed(a, 2, [use("budget", 7n, 100n)]);
    await setNow(startMs + 2 * hourMs + 59_999);
    expect(await limits.usedOfCaps([hard])).toEqual(new Map([["budget", 7n]]));
  });

  test("what a fenced gateway had of a cap counts as used, and what one had that left is free", async () => {
    const [a, b] = [await joined(), await joined()];
    await limits.grantCap(a, 1, hard, 30n, 30n);
    await limits.grantCap(b, 1, hard, 50n, 50n);
    await store.end(a, 0, "fenced");
    await store.end(b, 0, "left");
    const c = await joined();
    expect(await limits.grantCap(c, 1, hard, 71n, 71n)).toMatchObject({
      ...{ outcome: "scarce", used: 30n, granted: 0n },
    });
  });

  test("no more leaves a grant than is there, such as when a cap was forgotten", async () => {
    const a = await joined();
    await limits.grantCap(a, 1, hard, 30n, 30n);
    expect(await store.hello(a, 2)).toMatchObject({ caps: new Map([["budget", 30n]]) });
    await limits.forgetCaps(["budget"]);
    expect(await flushed(a, 1, [use("budget", 1n, 30n)])).toMatchObject({
      caps: new Map([["budget", { used: 1n, granted: 0n, own: 0n }]]),
    });
  });

  test("older connections and fenced gateways are given nothing", async () => {
    const a = await joined();
    await store.hello(a, 2);
    const old = { outcome: "old_connection" };
    expect(await limits.grantRate(a, 1, "r", 1, 1, 100)).toEqual(old);
    expect(await limits.grantCap(a, 1, hard, 1n, 1n)).toEqual(old);
    await store.end(a, 0, "fenced");
    expect(await limits.grantRate(a, 2, "r", 1, 1, 100)).toEqual({ outcome: "fenced" });
    expect(await limits.grantCap(a, 2, hard, 1n, 1n)).toEqual({ outcome: "fenced" });
  });

  test("limits that count nothing any more are removed, others stay", async () => {
    const [a, b] = [await joined(), await joined()];
    for (const id of ["returned", "held"]) await limits.grantRate(a, 1, id, 1, 1, 1);
    await limits.grantRate(b, 1, "ended", 1, 1, 1);
    await flushed(a, 1, [use("old", 1n, 0n)]);
    await limits.grantCap(a, 1, { ...hard, id: "granted" }, 1n, 1n);
    await store.flush(a, { ...emptyFlush, seq: 2, rateReturns: [{ id: "returned", units: 1 }] });
    await store.end(b, 0, "left");
    expect(await limits.sweepLimits(10)).toBe(1);
    await setNow(startMs + 2 * hourMs);
    await flushed(a, 3, [use("new", 1n, 0n)]);
    expect(await limits.sweepLimits(10)).toBe(2);
    expect(await limitsOf(client)).toContain("held 1 1 ");
    const { rows } = await client.query<{ id: string }>("SELECT id FROM weir.cap ORDER BY id");
    expect(rows.map(({ id }) => id)).toEqual(["granted", "new"]);
  });

  test("what is being given at the moment is not removed", async () => {
    const a = await joined();
    const other = await database.connect();
    await other.query("SET lock_timeout = 2000");
    await limits.grantRate(a, 1, "r", 2, 2, 1);
    await limits.grantCap(a, 1, { ...hard, threshold: 0n }, 1n, 1n);
    await setNow(startMs + 2 * hourMs);
    await client.query("BEGIN");
    await limits.grantRate(a, 1, "r", 1, 1, 1);
    await client.query("SELECT FROM weir.cap FOR NO KEY UPDATE");
    expect(await new LimitFunctions(other).sweepLimits(10)).toBe(0);
    await client.query("ROLLBACK");
    expect(await new LimitFunctions(other).sweepLimits(10)).toBe(2);
  });

  test.each(Array.from({ length: 12 }, (_, i) => i + 1))(
    "do what the model does, seed %i",
    async (seed) => {
      await compare(seed);
    },
  );

  async function compare(seed: number): Promise<void> {
    const random = new Random(seed);
    let nowMs = startMs;
    const live = new Map<number, number>();
    const model = new LimitsModel(
      () => nowMs,
      () => live.size,
    );
    const rates = ["r1", "r2"];
    // A cap's window never changes; its threshold may.
    const windows: Readonly<Record<string, UsageWindow>> = { c1: "hour", c2: "day" };
    const operations = {
      async join() {
        if (live.size < 4) live.set(await joined(), 0);
      },
      async rate(gateway: number) {
        const [id, need] = [random.pick("r1", ...rates), random.integer(1, 9)];
        const [wish, limit] = [random.integer(1, 20), random.pick(5, 20, 100, 3_000)];
        expect(await limits.grantRate(gateway, 1, id, need, wish, limit)).toEqual(
          model.grantRate(gateway, id, need, wish, limit),
        );
      },
      async cap(gateway: number) {
        const id = random.pick("c1", "c2");
        const window = windows[id] ?? "hour";
        const threshold = BigInt(random.pick(40, 200, 100_000));
        const idle = BigInt(random.pick(0, 0, 5, 60));
        const terms = { id, window, threshold, hard: random.chance(0.5), idle };
        const [need, wish] = [BigInt(random.integer(1, 50)), BigInt(random.integer(1, 90))];
        expect(await limits.grantCap(gateway, 1, terms, need, wish)).toEqual(
          model.grantCap(gateway, terms, need, wish),
        );
      },
      async flush(gateway: number) {
        const usage = ["c1", "c2"]
          .filter(() => random.chance(0.5))
          .map((id) => {
            const released = BigInt(random.integer(0, Number(model.grantOf(id, gateway)) + 2));
            const amount = BigInt(random.integer(0, 60));
            return { id, window: windows[id] ?? "hour", amount, released };
          });
        const rateReturns = rates
          .filter(() => random.chance(0.5))
          .map((id) => ({ id, units: random.integer(0, model.shareOf(id, gateway) + 1) }));
        const seq = (live.get(gateway) ?? 0) + 1;
        live.set(gateway, seq);
        const reply = await store.flush(gateway, { ...emptyFlush, seq, usage, rateReturns });
        expect(reply).toMatchObject({ caps: model.flush(gateway, usage, rateReturns) });
      },
      async end(gateway: number) {
        const state = random.pick("fenced", "left");
        expect(await store.end(gateway, live.get(gateway) ?? 0, state)).toBe(true);
        model.end(gateway, state);
        live.delete(gateway);
      },
      async time() {
        nowMs += random.pick(1, 1_000, 30_000, 61_000, hourMs, 6 * hourMs, -90_000);
        await setNow(nowMs);
      },
      async used() {
        const asked = Object.entries(windows).map(([id, window]) => ({ id, window }));
        const used = await limits.usedOfCaps(asked);
        for (const id of ["c1", "c2"]) expect(used.get(id)).toEqual(model.usedOf(id));
      },
    };
    for (let step = 0; step < 200; step += 1) {
      await operations.join();
      const what = random.pick(
        ...(["rate", "rate", "rate", "cap", "cap", "cap", "flush", "flush"] as const),
        ...(["time", "used", random.chance(0.3) ? "end" : "flush"] as const),
      );
      const [first = 0, ...others] = live.keys();
      await operations[what](random.pick(first, ...others));
    }
    expect(await limitsOf(client)).toBe(model.state());
  }
});
