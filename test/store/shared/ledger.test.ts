import { zstdDecompressSync } from "node:zlib";
import type { Client } from "pg";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { centsDown, centsUp, microUsd, type MicroUsd } from "../../../src/contract/money.ts";
import type { Hold } from "../../../src/store/ledger/ledger.ts";
import { SharedFunctions } from "../../../src/store/shared/functions.ts";
import { Random } from "../../sim/random.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import {
  cents,
  chargeOf,
  code,
  GatewayBooks,
  held,
  openGateways,
  request,
  topUp,
} from "./gateway-books.ts";
import { assertSquare } from "./reads.ts";

describeWithPostgres("the books of gateways that share a store", () => {
  const database = new TestDatabase();
  let client: Client;
  let functions: SharedFunctions;
  beforeAll(async () => {
    client = await database.connectForAll();
    functions = new SharedFunctions(client);
  });
  beforeEach(() => database.empty());

  const gateway = (): Promise<GatewayBooks> => GatewayBooks.open(database.url);
  const gateways = (count: number) => openGateways(database.url, count);

  const numbers = async (sql: string): Promise<readonly bigint[]> => {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: "array" });
    return rows.flatMap((row) => row.map(BigInt));
  };
  /** The sum of all balances, debits and debts. */
  const sums = () =>
    numbers(`SELECT (SELECT coalesce(sum(balance), 0) FROM weir.account),
      (SELECT coalesce(sum(amount), 0) FROM weir.ledger WHERE type = 'debit'),
      (SELECT coalesce(sum(cost), 0) FROM weir.debt)`);
  const escrowOf = async ({ member }: GatewayBooks, orgId: string): Promise<bigint> => {
    const [amount = 0n] = await numbers(
      `SELECT amount FROM weir.escrow WHERE gateway_id = ${member.id} AND org_id = '${orgId}'`,
    );
    return amount;
  };
  const square = async (): Promise<void> => {
    await functions.sequenceRuns(1_000_000);
    await assertSquare(client, (lines) => zstdDecompressSync(lines).toString());
  };
  /** Cuts the connections of all gateways. */
  const cutAll = (): Promise<unknown> =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'weir'`);

  test("what one has idle, another may hold", async () => {
    const [one, other] = await gateways(2);
    if (other === undefined) return;
    await topUp(one, "org", cents(100));
    const hold = await held(one, "org", cents(60));
    one.ledger.release(hold, []);
    expect(await escrowOf(one, "org")).toBe(cents(60));
    await vi.waitFor(async () => {
      expect(code(await other.ledger.hold(request("org", cents(100))))).toBe("accepted");
    });
  });

  test("unused escrow goes back after a second", async () => {
    const [one, other] = await gateways(2);
    if (other === undefined) return;
    await topUp(one, "org", cents(100_000));
    const hold = await held(one, "org", cents(10));
    expect(one.own("org")).toBeGreaterThan(cents(10));
    await vi.waitFor(async () => expect(await escrowOf(one, "org")).toBe(cents(10)), 10_000);
    expect(one.own("org")).toBe(cents(10));
    one.ledger.release(hold, []);
    await vi.waitFor(async () => expect(await escrowOf(one, "org")).toBe(0n), 10_000);
    expect(one.ledger.balance("org")).toMatchObject({ balance: cents(100_000), holds: 0 });
  });

  test("requests that come at once share what there is: as many as fit, to the cent", async () => {
    const one = await gateway();
    await topUp(one, "org", cents(100));
    const all = await Promise.all(
      Array.from({ length: 103 }, async () => one.ledger.hold(request("org", cents(1)))),
    );
    const codes = all.map(code);
    expect(codes.filter((one) => one === "accepted")).toHaveLength(100);
    expect(codes.filter((one) => one === "payg_reserved")).toHaveLength(3);
  });

  test("a refusal has the figures of the whole balance", async () => {
    const [one, other] = await gateways(2);
    if (other === undefined) return;
    await topUp(one, "org", microUsd(1_239_000n));
    await held(one, "org", cents(50));
    expect(await other.ledger.hold(request("org", cents(80)))).toMatchObject({
      refusal: {
        code: "payg_reserved",
        details: { balanceCents: 123, availableCents: 73, estimatedCostCents: 80 },
      },
    });
    expect(await other.ledger.hold(request("org", microUsd(1_230_001n)))).toMatchObject({
      refusal: {
        code: "insufficient_balance",
        details: { balanceCents: 123, availableCents: 73, estimatedCostCents: 124 },
      },
    });
  });

  test("a hold of an organization that nobody has opened, and of one that another gateway has", async () => {
    const [one, other] = await gateways(2);
    if (other === undefined) return;
    expect(code(await one.ledger.hold(request("org", cents(0))))).toBe("org_not_provisioned");
    expect((await other.ledger.openAccount("org")).ok).toBe(true);
    expect(code(await one.ledger.hold(request("org", cents(0))))).toBe("accepted");
    expect(code(await one.ledger.hold(request("org", microUsd(1n))))).toBe("insufficient_balance");
    await topUp(other, "org", cents(1));
    await vi.waitFor(() => expect(one.ledger.balance("org")?.balance).toBe(cents(1)));
  });

  test("a cost beyond its hold comes out of what nobody has, or is owed whole", async () => {
    const [one, other] = await gateways(2);
    if (other === undefined) return;
    await topUp(one, "org", cents(100));
    const [small, large] = [await held(one, "org", cents(10)), await held(other, "org", cents(60))];
    const covered = one.ledger.settle(small, chargeOf(cents(40)), []);
    expect(covered.kind).toBe("undecided");
    expect(await covered.durable()).toBe(true);
    expect(one.ledger.balance("org")?.balance).toBe(cents(60));
    const next = await held(one, "org", cents(0));
    const owed = one.ledger.settle(next, chargeOf(cents(1)), []);
    await owed.durable();
    expect(one.ledger.counts.owed).toBe(1);
    expect(await sums()).toEqual([cents(60), cents(40), cents(1)]);
    other.ledger.release(large, []);
    await other.flushed();
    other.ledger.recalled("org");
    await other.flushed();
    await one.ledger.sweep();
    expect(one.ledger.counts.recovered).toBe(1);
    expect(await sums()).toEqual([cents(59), cents(41), 0n]);
    await square();
  });

  test("an answer does not wait for a store that is known to be away, and its debit follows", async () => {
    const [one] = await gateways(1);
    await topUp(one, "org", cents(10));
    const hold = await held(one, "org", cents(5));
    await one.flushed();
    one.isAway = true;
    one.ledger.record([]);
    await vi.waitFor(() => expect(one.journal.failing).toBe(true));
    const settled = one.ledger.settle(hold, chargeOf(cents(2)), []);
    const turn = new Promise((resolve) => setImmediate(() => resolve("waits")));
    expect(await Promise.race([settled.durable(), turn])).toBe(false);
    one.isAway = false;
    await one.flushed();
    expect(await sums()).toEqual([cents(8), cents(2), 0n]);
  });

  test("what an owed cost would have paid is this gateway's again", async () => {
    const [one, other] = await gateways(2);
    if (other === undefined) return;
    await topUp(one, "org", cents(10));
    const hold = await held(one, "org", cents(10));
    const owed = one.ledger.settle(hold, chargeOf(cents(11)), []);
    expect(one.own("org")).toBe(0n);
    await owed.durable();
    expect(one.own("org")).toBe(cents(10));
    expect(await escrowOf(one, "org")).toBe(cents(10));
  });

  test("what is settled when the gateway was fenced, and written under its next id, pays nothing from escrow that is gone", async () => {
    const one = await gateway();
    await topUp(one, "org", cents(100));
    const holds = [await held(one, "org", cents(10)), await held(one, "org", cents(20))];
    await one.flushed();
    const [{ id, seq } = { id: 0, seq: 0 }] = await functions.liveGateways();
    expect(await functions.end(id, seq, "fenced")).toBe(true);
    const [first, second] = holds.map((hold) => one.ledger.settle(hold, chargeOf(cents(5)), []));
    one.ledger.recalled("org");
    // The first flush finds out; what comes meanwhile goes with the next one.
    await one.member.beat();
    expect(one.lost).toBe(1);
    const late = await held(one, "org", cents(40));
    const third = one.ledger.settle(late, chargeOf(cents(40)), []);
    for (const settled of [first, second, third]) expect(await settled?.durable()).toBe(true);
    expect(one.failures).toEqual([]);
    expect(await sums()).toEqual([cents(50), cents(50), 0n]);
    expect(one.own("org")).toBe(await escrowOf(one, "org"));
    expect(one.ledger.balance("org")).toMatchObject({ balance: cents(50), available: cents(50) });
    await square();
  });

  test("what is on its way back to the store is part of the balance, and counts once", async () => {
    const [one, other] = await gateways(2);
    if (other === undefined) return;
    await topUp(one, "org", cents(100));
    one.ledger.release(await held(one, "org", cents(100)), []);
    await one.flushed();
    // Flushes wait for this lock, and grants don't.
    await client.query("BEGIN");
    await client.query("SELECT FROM weir.gateway WHERE id = $1 FOR NO KEY UPDATE", [one.member.id]);
    try {
      one.ledger.recalled("org");
      expect(one.own("org")).toBe(0n);
      expect(await one.ledger.hold(request("org", cents(50)))).toMatchObject({
        refusal: { code: "payg_reserved", details: { balanceCents: 100 } },
      });
    } finally {
      await client.query("COMMIT");
    }
    await one.flushed();
    expect(one.ledger.balance("org")).toMatchObject({ balance: cents(100), available: cents(100) });
    await held(other, "org", cents(100));
    expect(code(await one.ledger.hold(request("org", cents(101))))).toBe("insufficient_balance");
    expect(code(await one.ledger.hold(request("org", cents(100))))).toBe("payg_reserved");
  });

  test("a grant whose answer was lost is used after the next one", async () => {
    const one = await gateway();
    await topUp(one, "org", cents(100));
    const { gateway: id, connection } = await one.member.asking();
    // Nobody hears the answer.
    await functions.grantMoney(id, connection, "org", cents(30), cents(30));
    await cutAll();
    await vi.waitFor(async () => {
      expect(code(await one.ledger.hold(request("org", cents(100))))).toBe("accepted");
    });
    expect(one.ledger.balance("org")).toEqual({ balance: cents(100), available: 0n, holds: 1 });
    expect(await escrowOf(one, "org")).toBe(cents(100));
  });

  test("while the store is away, what was granted is spent, and nothing more", async () => {
    const one = await gateway();
    await topUp(one, "org", cents(100_000));
    const hold = await held(one, "org", cents(10));
    const left = one.own("org") - hold.amount;
    await database.whileClosed(async () => {
      await cutAll();
      expect(code(await one.ledger.hold(request("org", cents(100_000))))).toBe(
        "detector_unavailable",
      );
      const next = one.ledger.hold(request("org", microUsd(left)));
      expect(next).not.toBeInstanceOf(Promise);
      one.ledger.settle(hold, chargeOf(cents(7)), []);
    });
    await one.flushed();
    expect(await sums()).toEqual([cents(100_000 - 7), cents(7), 0n]);
  });

  test("a gateway that stops gives everything back, and a recall that comes later is nobody's", async () => {
    const [one, other] = await gateways(2);
    if (other === undefined) return;
    await topUp(one, "org", cents(100));
    one.ledger.release(await held(one, "org", cents(100)), []);
    await one.close();
    one.ledger.recalled("org");
    expect(code(await other.ledger.hold(request("org", cents(100))))).toBe("accepted");
    await square();
  });

  test(
    "with nothing else going on, each hold is answered exactly",
    { timeout: 60_000 },
    async () => {
      const random = new Random(7);
      const all = await gateways(3);
      const any = (): GatewayBooks => random.pick(...all);
      let balance = 0n;
      const holds: { readonly at: GatewayBooks; readonly hold: Hold }[] = [];
      const change = async (at: GatewayBooks, amount: MicroUsd): Promise<void> => {
        await topUp(at, "org", amount);
        balance += amount;
      };
      await change(any(), cents(100));
      const seen = new Map<string, number>();
      for (let step = 0; step < 120; step += 1) {
        const at = any();
        const what = random.next();
        if (what < 0.05) await change(at, microUsd(BigInt(random.integer(1, 500_000))));
        else if (what < 0.35 && holds.length > 0) {
          const [ended] = holds.splice(random.integer(0, holds.length - 1), 1);
          if (ended === undefined) continue;
          const cost = (ended.hold.amount * BigInt(random.integer(0, 100))) / 100n;
          if (random.chance(0.3)) ended.at.ledger.release(ended.hold, []);
          else {
            ended.at.ledger.settle(ended.hold, chargeOf(microUsd(cost)), []);
            balance -= cost;
          }
        } else {
          const estimate = microUsd(BigInt(random.integer(0, 700_000)));
          const available = balance - holds.reduce((sum, { hold }) => sum + hold.amount, 0n);
          const expected =
            centsUp(estimate) > centsDown(microUsd(balance))
              ? "insufficient_balance"
              : centsUp(estimate) > centsDown(microUsd(available))
                ? "payg_reserved"
                : "accepted";
          let outcome = await at.ledger.hold(request("org", estimate));
          // On a busy machine the others may take longer to return something than a request waits.
          for (let i = 0; i < 20 && expected === "accepted" && !outcome.ok; i += 1) {
            expect(outcome.refusal.code).toBe("payg_reserved");
            outcome = await at.ledger.hold(request("org", estimate));
          }
          expect([step, code(outcome)]).toEqual([step, expected]);
          seen.set(expected, (seen.get(expected) ?? 0) + 1);
          if (outcome.ok) holds.push({ at, hold: outcome.value });
        }
        for (const one of all) await one.flushed();
        // I3: holds are covered by escrow.
        const { rows } =
          await client.query(`SELECT h.gateway_id FROM weir.hold h GROUP BY 1, h.org_id
        HAVING sum(h.amount) > (SELECT amount FROM weir.escrow e
          WHERE e.gateway_id = h.gateway_id AND e.org_id = h.org_id)`);
        expect(rows).toEqual([]);
      }
      expect([...seen.keys()].sort()).toEqual([
        "accepted",
        "insufficient_balance",
        "payg_reserved",
      ]);
      for (const { at, hold } of holds) at.ledger.release(hold, []);
      for (const one of all) await one.flushed();
      expect((await sums())[0]).toBe(balance);
      await square();
    },
  );
});
