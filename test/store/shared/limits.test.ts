import { afterEach, beforeEach, expect, test } from "vitest";
import { flushOf } from "../../../src/store/shared/flush-of.ts";
import { SharedFunctions, type FlushReply } from "../../../src/store/shared/functions.ts";
import { LimitFunctions } from "../../../src/store/shared/limit-functions.ts";
import { SharedLimits } from "../../../src/store/shared/limits.ts";
import type { JournalOperation } from "../../../src/store/journal/batch.ts";
import { EscrowedUsageWindows } from "../../../src/store/windows/escrowed-usage-windows.ts";
import { consumeRates, reserveUsage } from "../../../src/store/windows/granted-limits.ts";
import type { RateDecision } from "../../../src/store/windows/rate-windows.ts";
import { SharedRateWindows } from "../../../src/store/windows/shared-rate-windows.ts";
import type { ReservedUsage, UsageCap } from "../../../src/store/windows/usage-windows.ts";
import { Random } from "../../sim/random.ts";
import { ManualClock } from "../manual-clock.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import { emptyFlush } from "./limits-reads.ts";

/** A gateway's limits over a real store, without the thread that connects them. */
class TestGateway {
  readonly clock: ManualClock;
  readonly rates: SharedRateWindows;
  readonly passthrough: SharedRateWindows;
  readonly usage = new EscrowedUsageWindows({ slots: 64 });
  readonly limits: SharedLimits;
  readonly #store: SharedFunctions;
  readonly #functions: LimitFunctions;
  #id = 0;
  #seq = 0;
  #epoch = 0;
  #operations: JournalOperation[] = [];
  #flushing: Promise<unknown> = Promise.resolve();
  ratesAsked = 0;
  /** Set: answers to grants are lost now and then. */
  lost: Random | null = null;

  /** `recalled`: resolves when all gateways have returned what they were asked for. */
  constructor(
    store: SharedFunctions,
    functions: LimitFunctions,
    clock: ManualClock,
    recalled: () => Promise<void>,
  ) {
    this.clock = clock;
    this.#store = store;
    this.#functions = functions;
    const shared = { slots: 64, clock, sharesLimits: true };
    [this.rates, this.passthrough] = [new SharedRateWindows(shared), new SharedRateWindows(shared)];
    this.rates.timeline.start();
    this.passthrough.timeline.start();
    this.limits = new SharedLimits({
      calls: {
        grantRate: async (...asked) => {
          this.ratesAsked += 1;
          return this.#answered(await this.#functions.grantRate(this.#id, 1, ...asked));
        },
        grantCap: async (...asked) =>
          this.#answered(await this.#functions.grantCap(this.#id, 1, ...asked)),
        usedOfCaps: (caps) => this.#functions.usedOfCaps(caps),
        forgetCaps: (ids) => this.#functions.forgetCaps(ids),
      },
      ...{ rates: this.rates, passthrough: this.passthrough, usage: this.usage },
      append: (operation) => this.#operations.push(operation),
      hurry: () => undefined,
      nowMs: () => clock.monotonicMs(),
      wait: recalled,
    });
  }

  get id(): number {
    return this.#id;
  }

  async join(): Promise<void> {
    this.#id = await this.#store.join("g", "1", "hash");
    this.#seq = 0;
    await this.#store.hello(this.#id, 1);
  }

  write(operation: JournalOperation | null): void {
    if (operation !== null) this.#operations.push(operation);
  }

  /** Writes everything that was counted and returned. */
  flush(): Promise<unknown> {
    this.#flushing = this.#flushing.then(async () => {
      if (this.#operations.length === 0) return;
      const { usage, rateReturns } = flushOf(this.#operations.splice(0), this.#epoch);
      const flush = { ...emptyFlush, seq: this.#seq + 1, usage, rateReturns };
      let reply: FlushReply = await this.#store.flush(this.#id, flush);
      if (this.lost?.chance(0.3) === true) reply = await this.#store.flush(this.#id, flush);
      if (reply.outcome === "applied") {
        this.#seq += 1;
        return this.limits.applied(reply);
      }
      // It has a new id, and counts what it knows.
      this.#epoch += 1;
      await this.join();
      this.limits.lost(this.#epoch);
      const left = usage.map((use) => ({ ...use, released: 0n }));
      this.#operations.unshift({ kind: "capUse", epoch: -1, uses: left });
    });
    return this.#flushing;
  }

  consume(limit: number, units = 1): Promise<RateDecision> {
    const checks = [{ id: "org", limit, units }];
    return Promise.resolve(consumeRates(this.rates, checks, this.limits, "rates"));
  }

  #answered<T>(reply: T): T {
    if (this.lost?.chance(0.1) === true) throw new Error("the answer was lost");
    return reply;
  }
}

describeWithPostgres("limits that several gateways share", () => {
  const database = new TestDatabase();
  let gateways: TestGateway[] = [];
  let close: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    await database.empty();
    gateways = [];
    const recalls = await database.connect();
    // What was told before the question is told before the answer.
    const recalled = async (): Promise<void> => {
      await recalls.query("SELECT 1");
      for (const gateway of gateways) await gateway.flush();
    };
    for (let i = 0; i < 3; i += 1) {
      const store = new SharedFunctions(await database.connect());
      const functions = new LimitFunctions(await database.connect());
      // Their clocks tell different times, and pass equally fast.
      const clock = new ManualClock(Date.UTC(2026, 0, 1) + i * 12_345, 1_000 + i * 77_777);
      const gateway = new TestGateway(store, functions, clock, recalled);
      await gateway.join();
      gateways.push(gateway);
    }
    recalls.on("notification", ({ payload = "" }) => {
      for (const gateway of gateways) {
        gateway.limits.recall(payload);
        void gateway.flush();
      }
    });
    await recalls.query("LISTEN weir_recall");
    close = gateways.map((gateway) => async () => {
      gateway.limits.close();
      await gateway.flush();
    });
  });
  afterEach(async () => {
    await Promise.all(close.map((one) => one()));
  });

  async function looked(): Promise<void> {
    for (const gateway of gateways) {
      gateway.limits.look();
      await gateway.flush();
    }
  }

  test.each([1, 2, 3])(
    "a limit over three gateways in turn: never more in any 60 s, and nothing lies idle; seed %i",
    async (seed) => {
      const random = new Random(seed);
      const limit = 30;
      const admitted: { readonly atMs: number; readonly units: number }[] = [];
      const since = (ms: number): number =>
        admitted.filter(({ atMs }) => atMs > ms).reduce((sum, { units }) => sum + units, 0);
      let [nowMs, refusals] = [0, 0];
      for (let step = 0; step < 120; step += 1) {
        const gapMs = random.pick(0, 10, 240, 260, 1_500, 4_000, random.chance(0.1) ? 61_000 : 5);
        nowMs += gapMs;
        for (const { clock } of gateways) clock.advance(gapMs);
        if (random.chance(0.3)) await looked();
        const units = random.integer(1, 3);
        const decision = await random.pick(gateways[0], ...gateways)?.consume(limit, units);
        if (decision?.admitted === true) {
          admitted.push({ atMs: nowMs, units });
          expect(since(nowMs - 60_000)).toBeLessThanOrEqual(limit);
        } else {
          refusals += 1;
          // A bucket longer than exactly, and as long as a shortage is remembered.
          expect(since(nowMs - 60_750) + units).toBeGreaterThan(limit);
        }
      }
      expect(refusals).toBeGreaterThan(5);
      expect(admitted.length).toBeGreaterThan(20);
    },
    60_000,
  );

  test("a window that moves from one gateway to another is not spent twice", async () => {
    const [a, b] = [gateways[0], gateways[1]];
    if (a === undefined || b === undefined) throw new Error("no gateways");
    for (let i = 0; i < 10; i += 1) expect((await a.consume(10)).admitted).toBe(true);
    expect(await b.consume(10)).toMatchObject({ admitted: false });
    for (const { clock } of gateways) clock.advance(59_999);
    expect(await b.consume(10)).toMatchObject({ admitted: false });
    for (const { clock } of gateways) clock.advance(251 + 500);
    for (let i = 0; i < 10; i += 1) expect((await b.consume(10)).admitted).toBe(true);
    expect(await a.consume(10)).toMatchObject({ admitted: false });
  });

  test("when a limit has changed, no gateway has a part of the old one but what it has used", async () => {
    for (const gateway of gateways) expect((await gateway.consume(1_000)).admitted).toBe(true);
    for (const { limits } of gateways) limits.changed(["org"]);
    expect(gateways.map(({ rates }) => rates.share("org"))).toEqual([1, 1, 1]);
    await Promise.all(gateways.map((gateway) => gateway.flush()));
    expect(await gateways[0]?.consume(3)).toMatchObject({ admitted: false });
    // A refusal is remembered for half a second, unless the limit changes.
    gateways[0]?.limits.changed(["org"]);
    expect(await gateways[0]?.consume(4)).toMatchObject({ admitted: true });
  });

  test("what was asked for under a limit of before is asked for again", async () => {
    const [gateway] = gateways;
    const asked = gateway?.consume(50);
    gateway?.limits.changed(["org"]);
    expect(await asked).toMatchObject({ admitted: true });
    expect(gateway?.ratesAsked).toBe(2);
  });

  test("headers tell the limit, and what is free as far as the gateway knows", async () => {
    const decision = await gateways[0]?.consume(10);
    expect(decision).toMatchObject({ states: [{ limit: 10, remaining: 9 }] });
    expect(await gateways[1]?.consume(10, 4)).toMatchObject({ states: [{ remaining: 5 }] });
    expect(await gateways[1]?.consume(10, 11)).toMatchObject({
      ...{ admitted: false, short: 0, state: { limit: 10, remaining: 5 } },
    });
  });

  test("addresses stand in the store as hashes", async () => {
    await gateways[0]?.limits.rate("passthrough", "192.0.2.1", 100, 1);
    const client = await database.connect();
    const { rows } = await client.query<{ id: string }>("SELECT id FROM weir.rate");
    expect(rows.map(({ id }) => id)).toEqual([expect.stringMatching(/^address [0-9a-f]{32}$/)]);
  });

  test("many requests at once wait for few questions, and all fit that fit", async () => {
    const asked = gateways.flatMap((gateway) =>
      Array.from({ length: 40 }, () => gateway.consume(100)),
    );
    const decisions = await Promise.all(asked);
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(100);
  });

  const worstOf = (amount: number) => {
    return { costMicroUsd: BigInt(amount), tokens: 0n, requests: 1n };
  };

  test.each([
    { seed: 1, hard: true, lost: false },
    // With these two seeds, a part lies idle at the gateway that asks when little is left.
    { seed: 2, hard: false, lost: false },
    { seed: 12, hard: false, lost: false },
    { seed: 1, hard: true, lost: true },
    { seed: 2, hard: false, lost: true },
  ])(
    "a cap over three gateways: used and in flight exceed it by one request at most, or not at all (hard: $hard, lost answers: $lost, seed: $seed)",
    async ({ seed, hard, lost }) => {
      const random = new Random(seed);
      if (lost) for (const [i, gateway] of gateways.entries()) gateway.lost = new Random(i);
      const [threshold, worstMax] = [2_000, 90];
      const cap: UsageCap = {
        ...{ id: "cap", type: "cost", window: "month", threshold: BigInt(threshold), hard },
      };
      const open: { gateway: TestGateway; reservation: ReservedUsage; worst: number }[] = [];
      let [used, refusals, admissions] = [0, 0, 0];
      const inFlight = (): number => open.reduce((sum, { worst }) => sum + worst, 0);
      for (let step = 0; step < 250; step += 1) {
        if (refusals > 12) break;
        if (random.chance(0.3)) await looked();
        for (const { clock } of gateways) clock.advance(600);
        // What a look finds idle may wait for the next flush.
        if (random.chance(0.5)) random.pick(gateways[0], ...gateways)?.limits.look();
        const gateway = random.pick(gateways[0], ...gateways);
        if (gateway === undefined) break;
        const worst = random.integer(0, worstMax);
        if (random.chance(0.5)) {
          const decision = await reserveUsage(gateway.usage, [cap], worstOf(worst), gateway.limits);
          if (decision.admitted) {
            admissions += 1;
            const before = used + inFlight();
            // One request may cross a soft cap. After it, others may still use parts that they had before.
            const most = hard ? threshold : threshold - 1 + worstMax;
            expect(before + worst).toBeLessThanOrEqual(most);
            open.push({ gateway, reservation: decision.reservation, worst });
          } else {
            refusals += 1;
            if (lost) continue;
            // All that is idle comes back before a refusal; what is not flushed yet counts.
            const wanted = hard ? Math.max(worst, 1) : 1;
            expect(used + inFlight() + wanted).toBeGreaterThan(threshold);
          }
        }
        const [first] = open.splice(0, random.chance(0.5) ? 1 : 0);
        if (first === undefined) continue;
        const actual = random.integer(0, first.worst);
        used += actual;
        first.gateway.write(first.gateway.usage.settle(first.reservation, worstOf(actual)));
        if (random.chance(0.5)) await first.gateway.flush();
      }
      expect(admissions).toBeGreaterThan(20);
      expect(refusals).toBeGreaterThan(3);
      for (const { gateway, reservation } of open) gateway.usage.release(reservation);
      for (const gateway of gateways) await gateway.flush();
      expect(await gateways[0]?.limits.used(cap)).toBe(BigInt(used));
    },
    60_000,
  );

  test("a gateway that was fenced counts what it knows, and starts anew", async () => {
    const [a, b] = [gateways[0], gateways[1]];
    if (a === undefined || b === undefined) throw new Error("no gateways");
    const cap: UsageCap = {
      ...{ id: "cap", type: "requests", window: "day", threshold: 5n, hard: false },
    };
    const reserve = (gateway: TestGateway) =>
      Promise.resolve(reserveUsage(gateway.usage, [cap], worstOf(0), gateway.limits));
    for (let i = 0; i < 3; i += 1) expect((await a.consume(3)).admitted).toBe(true);
    const first = await reserve(a);
    const second = await reserve(a);
    if (!first.admitted || !second.admitted) throw new Error("it was refused");
    a.write(a.usage.settle(first.reservation, worstOf(0)));
    const ender = new SharedFunctions(await database.connect());
    expect(await ender.end(a.id, 0, "fenced")).toBe(true);
    await a.flush();
    a.write(a.usage.settle(second.reservation, worstOf(0)));
    await a.flush();
    // Both requests count; so does what was granted to the fenced gateway.
    expect(await b.limits.used(cap)).toBe(4n);
    expect((await a.consume(3)).admitted).toBe(false);
    expect((await b.consume(3)).admitted).toBe(false);
    expect((await reserve(a)).admitted).toBe(true);
    expect((await reserve(b)).admitted).toBe(false);
  });
});
