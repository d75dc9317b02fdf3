import { zstdDecompressSync } from "node:zlib";
import type { Client } from "pg";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { microUsd } from "../../../src/contract/money.ts";
import type { SharedCalls } from "../../../src/store/shared/calls.ts";
import type { Member } from "../../../src/store/shared/member.ts";
import { SharedFunctions } from "../../../src/store/shared/functions.ts";
import { Random } from "../../sim/random.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import {
  cents,
  chargeOf,
  openGateways,
  request,
  topUp,
  tryTopUp,
  type GatewayBooks,
} from "./gateway-books.ts";
import { assertSquare } from "./reads.ts";

const orgs = ["org_a", "org_b", "org_c"] as const;
const steps = 120;

describeWithPostgres("a storm over the books of three gateways", () => {
  const database = new TestDatabase();
  let client: Client;
  let functions: SharedFunctions;
  beforeAll(async () => {
    client = await database.connectForAll();
    functions = new SharedFunctions(client);
  });
  beforeEach(() => database.empty());

  const numbers = async (sql: string): Promise<readonly bigint[]> => {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: "array" });
    return rows.flatMap((row) => row.map(BigInt));
  };
  const escrowOf = async ({ member }: GatewayBooks, orgId: string): Promise<bigint> => {
    const [amount = 0n] = await numbers(
      `SELECT amount FROM weir.escrow WHERE gateway_id = ${member.id} AND org_id = '${orgId}'`,
    );
    return amount;
  };

  const cutAll = (): Promise<unknown> =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'weir'`);

  /** Some grants are written, and nobody hears of it. */
  const losing =
    (random: Random, lost: { answers: number }) =>
    (calls: SharedCalls, member: Member): SharedCalls => ({
      ...calls,
      grantMoney: async (orgId, need, target) => {
        if (!random.chance(0.05)) return calls.grantMoney(orgId, need, target);
        const { gateway, connection } = await member.asking();
        await functions.grantMoney(gateway, connection, orgId, need, target);
        await cutAll();
        lost.answers += 1;
        throw new Error("the answer was lost");
      },
    });

  /** Cuts the connections of all gateways, or takes one for dead, until it is told to stop. */
  async function breakThings(random: Random, stop: { now: boolean }) {
    const done = { cuts: 0, fences: 0 };
    while (!stop.now) {
      await new Promise((resolve) => setTimeout(resolve, random.integer(50, 150)));
      if (random.chance(0.7)) {
        await cutAll();
        done.cuts += 1;
      } else {
        const live = await functions.liveGateways();
        const one = live[random.integer(0, live.length - 1)];
        if (one !== undefined && (await functions.end(one.id, one.seq, "fenced"))) done.fences += 1;
      }
    }
    return done;
  }

  /** Returns what the requests that were served have cost, by request. */
  async function serve(at: GatewayBooks, random: Random): Promise<ReadonlyMap<string, bigint>> {
    const costs = new Map<string, bigint>();
    for (let step = 0; step < steps; step += 1) {
      const orgId = random.pick(...orgs);
      if (random.chance(0.05)) {
        await tryTopUp(at, orgId, microUsd(BigInt(random.integer(-300_000, 600_000))));
        continue;
      }
      const outcome = await at.ledger.hold(
        request(orgId, microUsd(BigInt(random.integer(0, 300_000)))),
      );
      await new Promise((resolve) => setTimeout(resolve, random.integer(0, 3)));
      if (!outcome.ok) continue;
      const { value: hold } = outcome;
      if (random.chance(0.2)) {
        at.ledger.release(hold, []);
        continue;
      }
      const cost = microUsd((hold.amount * BigInt(random.integer(0, 140))) / 100n);
      if (cost > 0n) costs.set(hold.requestId, cost);
      const settlement = at.ledger.settle(hold, chargeOf(cost), []);
      if (random.chance(0.2)) await settlement.durable();
    }
    return costs;
  }

  test.for([1, 2, 3])(
    "what was served is in the books once, and no gateway has more than the store: seed %i",
    { timeout: 120_000 },
    async (seed) => {
      const lost = { answers: 0 };
      const calls = losing(new Random(10 * seed), lost);
      const all = await openGateways(database.url, 3, { calls });
      for (const orgId of orgs) await topUp(all[0], orgId, cents(300));
      const stop = { now: false };
      const breaking = breakThings(new Random(seed), stop);
      const runs = Array.from({ length: 9 }, (_, i) =>
        serve(all[i % 3] ?? all[0], new Random(100 * seed + i)),
      );
      const costs = new Map((await Promise.all(runs)).flatMap((of) => [...of]));
      stop.now = true;
      const { cuts, fences } = await breaking;
      expect(Math.min(cuts, fences, lost.answers)).toBeGreaterThan(0);
      for (const at of all) await at.flushed();

      // I6: to the micro-dollar.
      const { rows } = await client.query<{ id: string; cost: string }>(`
        SELECT request_id AS id, amount AS cost FROM weir.ledger WHERE type = 'debit'
        UNION ALL SELECT request_id, cost FROM weir.debt`);
      expect(rows).toHaveLength(costs.size);
      expect(new Map(rows.map(({ id, cost }) => [id, BigInt(cost)]))).toEqual(costs);

      // Rule 5, and nothing lies idle.
      await vi.waitFor(
        async () => {
          for (const at of all) {
            for (const orgId of orgs) expect(at.own(orgId)).toBe(await escrowOf(at, orgId));
          }
          expect(await numbers("SELECT sum(escrowed) FROM weir.account")).toEqual([0n]);
        },
        { timeout: 20_000, interval: 100 },
      );
      for (const at of all) {
        for (const orgId of orgs) {
          await at.ledger.caughtUp(orgId);
          expect(at.ledger.balance(orgId)).toEqual(await at.ledger.freshBalance(orgId));
        }
      }
      await functions.sequenceRuns(1_000_000);
      await assertSquare(client, (lines) => zstdDecompressSync(lines).toString());
    },
  );
});
