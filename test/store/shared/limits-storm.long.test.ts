import { beforeEach, expect, test } from "vitest";
import { SharedFunctions } from "../../../src/store/shared/functions.ts";
import { LimitFunctions, type CapTerms } from "../../../src/store/shared/limit-functions.ts";
import { Random } from "../../sim/random.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import { assertLimits, emptyFlush } from "./limits-reads.ts";

const rates = ["rate_a", "rate_b", "rate_c"] as const;
const caps = ["hard_a", "hard_b", "soft_c", "soft_d", "gone_e"] as const;
const rateLimit = 60;
const threshold = 1_000n;
const needMax = 40;

interface Counted {
  granted: number;
  scarce: number;
  fenced: number;
}

/**
 * A gateway that asks for shares and grants while it flushes, loses answers, and fences others. What it gives back has left
 * its memory before.
 */
class StormyGateway {
  readonly #random: Random;
  readonly #flushes: SharedFunctions;
  readonly #asks: LimitFunctions;
  readonly #watches: SharedFunctions;
  readonly #counted: Counted;
  id = 0;
  #seq = 0;
  #conn = 0;
  #shares = new Map<string, number>();
  #grants = new Map<string, bigint>();

  constructor(
    seed: number,
    [flushes, asks, watches]: readonly [SharedFunctions, LimitFunctions, SharedFunctions],
    counted: Counted,
  ) {
    this.#random = new Random(seed);
    this.#flushes = flushes;
    this.#asks = asks;
    this.#watches = watches;
    this.#counted = counted;
  }

  async run(steps: number, others: readonly StormyGateway[]): Promise<void> {
    await this.#join();
    const flushing = this.#flushAll(steps);
    for (let step = 0; step < steps; step += 1) {
      const what = this.#random.next();
      if (what < 0.4) await this.#rate();
      else if (what < 0.8) await this.#cap();
      else if (what < 0.84) await this.#asks.sweepLimits(2);
      else if (what < 0.88) await this.#reconnect();
      else if (what < 0.9) await this.#asks.forgetCaps(["gone_e"]);
      else await this.#fence(this.#random.pick(this, ...others));
    }
    await flushing;
  }

  async #join(): Promise<void> {
    this.id = await this.#flushes.join("g", "1", "hash");
    [this.#seq, this.#conn] = [0, 1];
    this.#shares = new Map();
    this.#grants = new Map();
    await this.#watches.hello(this.id, 1);
  }

  /** The answers of older grants may be lost, so what the store has is taken over. */
  async #reconnect(): Promise<void> {
    const id = this.id;
    const hello = await this.#watches.hello(id, this.#conn + 1);
    if (hello.outcome !== "known" || this.id !== id) return;
    this.#conn += 1;
  }

  async #rate(): Promise<void> {
    const [id, rate, need] = [this.id, this.#random.pick(...rates), this.#random.integer(1, 20)];
    const reply = await this.#asks.grantRate(id, this.#conn, rate, need, need, rateLimit);
    if (this.id !== id || !("units" in reply)) return;
    this.#counted[reply.outcome] += 1;
    this.#shares.set(rate, (this.#shares.get(rate) ?? 0) + reply.units);
  }

  async #cap(): Promise<void> {
    const [id, cap] = [this.id, this.#random.pick(...caps)];
    const hard = cap.startsWith("hard");
    const terms: CapTerms = { id: cap, window: "hour", threshold, hard, idle: 0n };
    const need = BigInt(this.#random.integer(1, needMax));
    const reply = await this.#asks.grantCap(id, this.#conn, terms, need, need);
    if (this.id !== id || !("amount" in reply)) return;
    this.#counted[reply.outcome] += 1;
    this.#grants.set(cap, (this.#grants.get(cap) ?? 0n) + reply.amount);
  }

  async #flushAll(steps: number): Promise<void> {
    for (let i = 0; i < steps / 3; i += 1) {
      await this.#flush();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #flush(): Promise<void> {
    const rateReturns = [...this.#shares].flatMap(([id, share]) => {
      const units = this.#random.integer(0, share);
      this.#shares.set(id, share - units);
      return units === 0 ? [] : [{ id, units }];
    });
    const usage = [...this.#grants].flatMap(([id, grant]) => {
      const released = BigInt(this.#random.integer(0, Number(grant)));
      this.#grants.set(id, grant - released);
      const amount = BigInt(this.#random.integer(0, Number(released)));
      const window = "hour" as const;
      return released === 0n ? [] : [{ id, window, amount: amount / 10n, released }];
    });
    const flush = { ...emptyFlush, seq: this.#seq + 1, usage: usage.reverse(), rateReturns };
    // It stands still for so long that another gives it up.
    if (this.#random.chance(0.08)) await this.#fence(this);
    let reply = await this.#flushes.flush(this.id, flush);
    if (this.#random.chance(0.2)) reply = await this.#flushes.flush(this.id, flush);
    if (reply.outcome === "gap") throw new Error("a flush is missing");
    if (reply.outcome === "applied") this.#seq += 1;
    else {
      this.#counted.fenced += 1;
      await this.#join();
    }
  }

  async #fence(other: StormyGateway): Promise<void> {
    const id = other.id;
    for (let tries = 0; tries < 20 && other.id === id; tries += 1) {
      const seen = (await this.#watches.liveGateways()).find((one) => one.id === id);
      // A gateway that is being given something is passed over.
      if (seen === undefined || (await this.#watches.end(id, seen.seq, "fenced"))) return;
    }
  }
}

describeWithPostgres("gateways that share limits at once", () => {
  const database = new TestDatabase();
  beforeEach(() => database.empty());

  test.each([1, 2, 3, 4])(
    "no limit is exceeded, nobody waits in a circle: seed %i",
    async (seed) => {
      const counted: Counted = { granted: 0, scarce: 0, fenced: 0 };
      const gateways: StormyGateway[] = [];
      for (let i = 0; i < 4; i += 1) {
        const [flushes, asks, watches] = [
          new SharedFunctions(await database.connect()),
          new LimitFunctions(await database.connect()),
          new SharedFunctions(await database.connect()),
        ];
        gateways.push(new StormyGateway(seed * 100 + i, [flushes, asks, watches], counted));
      }
      const client = await database.connect();
      let isOver = false;
      const storm = Promise.all(gateways.map((gateway) => gateway.run(250, gateways))).finally(
        () => (isOver = true),
      );
      while (!isOver) {
        await assertLimits(client, rateLimit, threshold, BigInt(needMax));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await storm;
      await assertLimits(client, rateLimit, threshold, BigInt(needMax));
      for (const [what, count] of Object.entries(counted)) {
        expect(count, what).toBeGreaterThan(0);
      }
      const { rows } = await client.query<{ deadlocks: string }>(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
      );
      expect(rows).toEqual([{ deadlocks: "0" }]);
    },
  );
});
