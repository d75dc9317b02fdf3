import type { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { canonicalEvent, type RecordedEvent } from "../../../src/contract/audit.ts";
import { microUsd, zeroUsd } from "../../../src/contract/money.ts";
import { SharedFunctions, type Flush } from "../../../src/store/shared/functions.ts";
import { Random } from "../../sim/random.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import { SharedModel } from "./model.ts";
import { assertSquare, booksOf, eventsOf, ledgerOf, logOf, madeLines } from "./reads.ts";

const at = "2026-11-22T10:00:00.000Z";
const [usd1, usd10] = [microUsd(1_000_000n), microUsd(10_000_000n)];
const bounds = { balanceMax: 10n ** 18n, debtsMax: 100 };
const by = { apiKeyId: "key_1", team: "tëam" };
const nothing = {
  ...{ configSeq: 0, unholds: [], holds: [], debits: [], returns: [], usage: [], rateReturns: [] },
  ...{ events: null, operations: null },
};

describeWithPostgres("the functions of the shared store", () => {
  const database = new TestDatabase();
  let client: Client;
  let store: SharedFunctions;
  beforeEach(async () => {
    await database.empty();
    client = await database.connect();
    store = new SharedFunctions(client);
  });

  test("a gateway spends what it was granted, and no more leaves the balance", async () => {
    const gateway = await store.join("a", "1", "hash");
    await store.hello(gateway, 1);
    await store.topUp("org", "top_up", usd10, "k", bounds);
    const grant = await store.grantMoney(gateway, 1, "org", usd1, usd1);
    expect(grant).toEqual({
      ...{ outcome: "granted", amount: usd1, balance: usd10, escrowed: usd1, own: usd1 },
    });
    const debit = { orgId: "org", requestId: "r1", by, cost: usd1, paid: usd1, at, detail: null };
    const flush = { ...nothing, seq: 1, debits: [debit] };
    const reply = await store.flush(gateway, flush);
    const left = { balance: microUsd(9_000_000n), escrowed: zeroUsd, own: zeroUsd };
    expect(reply).toEqual({
      ...{ outcome: "applied", seq: 1, owed: [], refused: [] },
      accounts: new Map([["org", left]]),
      caps: new Map(),
    });
    expect(await store.flush(gateway, flush)).toEqual(reply);
    expect(await ledgerOf(client)).toEqual([
      "1 top_up 10000000 10000000",
      "2 debit 1000000 9000000",
    ]);
  });

  test("an item that two gateways have run is paid for once", async () => {
    const gateways = [await store.join("a", "1", ""), await store.join("b", "1", "")];
    await store.topUp("org", "top_up", usd10, "k", bounds);
    const item = { jobId: "job", index: 3 };
    const replies = [];
    for (const [i, gateway] of gateways.entries()) {
      await store.hello(gateway, 1);
      await store.grantMoney(gateway, 1, "org", usd1, usd1);
      const debit = { orgId: "org", requestId: `r${i}`, by, cost: usd1, paid: usd1, at };
      const debits = [{ ...debit, detail: null, item }];
      replies.push(await store.flush(gateway, { ...nothing, seq: 1, debits }));
    }
    expect(replies).toMatchObject([{ refused: [] }, { refused: ["r1"] }]);
    expect(await ledgerOf(client)).toHaveLength(2);
    await assertSquare(client);
  });

  test("two gateways that run the same item hold for it apart", async () => {
    await store.topUp("org", "top_up", usd10, "k", bounds);
    const hold = { orgId: "org", requestId: "job/3", amount: usd1, by };
    const gateways: number[] = [];
    for (const name of ["a", "b"]) {
      const gateway = await store.join(name, "1", "");
      await store.hello(gateway, 1);
      await store.grantMoney(gateway, 1, "org", usd1, usd1);
      await store.flush(gateway, { ...nothing, seq: 1, holds: [hold] });
      gateways.push(gateway);
    }
    const [one = 0, other = 0] = gateways;
    await store.flush(one, { ...nothing, seq: 2, unholds: [hold.requestId] });
    const { rows } = await client.query("SELECT gateway_id::int AS gateway FROM weir.hold");
    expect(rows).toEqual([{ gateway: other }]);
    const topUp = await store.topUp("org", "top_up", usd1, hold.requestId, bounds);
    expect(topUp).toEqual({ outcome: "key_of_request" });
    await store.end(other, 1, "fenced");
    expect((await madeLines(client)).at(-1)).toContain("payg.hold.expired");
    await assertSquare(client);
  });

  test("a job belongs to one gateway that lives", async () => {
    const one = await store.join("a", "1", "");
    const other = await store.join("b", "1", "");
    const claim = (gateway: number, ...jobs: string[]) => store.claimJobs(gateway, jobs, 60_000);
    expect(await claim(one, "x", "y")).toEqual(["x", "y"]);
    expect(await claim(other, "y", "z")).toEqual(["z"]);
    expect(await claim(one, "x", "z")).toEqual(["x"]);
    await store.end(one, 0, "fenced");
    expect(await claim(one, "x")).toEqual([]);
    expect(await claim(other, "x", "y", "z")).toEqual(["x", "y", "z"]);
  });

  test("a balance beyond what a number holds is exact", async () => {
    const gateway = await store.join("a", "1", "hash");
    await store.hello(gateway, 1);
    const all = microUsd(999_999_999_999_999_999n);
    await store.topUp("org", "top_up", all, "k", bounds);
    expect(await store.grantMoney(gateway, 1, "org", all, all)).toMatchObject({ own: all });
  });

  test("the store's events are those that the ledger of one gateway writes", async () => {
    const gateway = await store.join("a", "1", "hash");
    await store.topUp('o"rg', "top_up", usd1, "kéy", bounds);
    const [debit, debt] = [
      {
        orgId: 'o"rg',
        requestId: "r1",
        by,
        cost: microUsd(123_456n),
        paid: zeroUsd,
        at,
        detail: null,
      },
      {
        orgId: 'o"rg',
        requestId: "r2",
        by: { ...by, team: null },
        cost: usd10,
        paid: zeroUsd,
        at,
        detail: null,
      },
    ];
    await store.flush(gateway, { ...nothing, seq: 1, debits: [debit, debt, debit] });
    const made = await madeLines(client);
    const { debitApplied, debitSkipped, entryRefused, toppedUp } =
      await import("../../../src/store/ledger/ledger-events.ts");
    const balance = microUsd(876_544n);
    const topUp = toppedUp({ requestId: null, orgId: 'o"rg' }, "top_up", usd1, usd1, "kéy");
    const topUpAt = (JSON.parse(made[0] ?? "{}") as { created_at: string }).created_at;
    expect(topUpAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(made).toEqual([
      canonicalEvent(topUp, topUpAt),
      canonicalEvent(debitApplied(debit, debit.cost, balance), at),
      canonicalEvent(debitSkipped(debt, usd10, balance), at),
      canonicalEvent(
        entryRefused({
          ...{ orgId: 'o"rg', reason: "duplicate_key", type: "debit", amount: "123456" },
          ...{ idempotencyKey: "r1", requestId: "r1", createdAt: at },
        }),
        at,
      ),
    ]);
  });

  test("a fenced gateway writes nothing, and what it had is free", async () => {
    const gateway = await store.join("a", "1", "hash");
    await store.hello(gateway, 1);
    await store.topUp("org", "top_up", usd10, "k", bounds);
    await store.grantMoney(gateway, 1, "org", usd10, usd10);
    const hold = { orgId: "org", requestId: "r1", amount: usd1, by };
    await store.flush(gateway, { ...nothing, seq: 1, holds: [hold] });
    expect(await store.end(gateway, 0, "fenced")).toBe(false);
    expect(await store.liveGateways()).toEqual([{ id: gateway, name: "a", release: "1", seq: 1 }]);
    expect(await store.end(gateway, 1, "fenced")).toBe(true);
    expect(await store.liveGateways()).toEqual([]);
    expect(await store.end(gateway, 1, "fenced")).toBe(false);
    const fenced = { outcome: "fenced" };
    expect(await store.flush(gateway, { ...nothing, seq: 2 })).toMatchObject({
      ...{ outcome: "fenced", last: { outcome: "applied", seq: 1 } },
    });
    expect(await store.grantMoney(gateway, 1, "org", usd1, usd1)).toEqual(fenced);
    expect(await store.hello(gateway, 2)).toEqual(fenced);
    const next = await store.join("a", "1", "hash");
    await store.hello(next, 1);
    expect(await store.grantMoney(next, 1, "org", usd10, usd10)).toMatchObject({ own: usd10 });
    expect((await madeLines(client)).at(-1)).toContain('"payg.hold.expired"');
    // What the first one had served is still debited, once.
    const debit = {
      orgId: "org",
      requestId: "r1",
      by,
      cost: usd1,
      paid: zeroUsd,
      at,
      detail: null,
    };
    expect(await store.flush(next, { ...nothing, seq: 1, debits: [debit] })).toMatchObject({
      owed: ["r1"],
    });
    expect(await store.flush(next, { ...nothing, seq: 2, debits: [debit] })).toMatchObject({
      ...{ owed: [], refused: ["r1"] },
    });
  });

  test("a grant of an older connection is refused", async () => {
    const gateway = await store.join("a", "1", "hash");
    await store.topUp("org", "top_up", usd10, "k", bounds);
    await store.hello(gateway, 1);
    await store.grantMoney(gateway, 1, "org", usd1, usd1);
    expect(await store.hello(gateway, 2)).toEqual({
      ...{ outcome: "known", seq: 0, money: new Map([["org", usd1]]) },
      ...{ rates: new Map(), caps: new Map() },
    });
    expect(await store.grantMoney(gateway, 1, "org", usd1, usd1)).toEqual({
      outcome: "old_connection",
    });
    expect(await store.hello(gateway, 2)).toEqual({ outcome: "old_connection" });
  });

  test("a gap of flushes is told, and nothing is written", async () => {
    const gateway = await store.join("a", "1", "hash");
    expect(await store.flush(gateway, { ...nothing, seq: 2 })).toEqual({ outcome: "gap", seq: 0 });
  });

  test.each([
    { has: 0n, otherHas: 0n, error: "account_check" },
    { has: 0n, otherHas: usd10, error: "pays 1000000, and has nothing" },
    { has: 999_999n, otherHas: usd1, error: "escrow_amount_check" },
  ])(
    "a gateway that has $has and pays more is refused as a whole, if others have $otherHas",
    async ({ has, otherHas, error }) => {
      const gateway = await store.join("a", "1", "hash");
      const other = await store.join("b", "1", "hash");
      await store.topUp("org", "top_up", usd10, "k", bounds);
      for (const [id, amount] of [[gateway, has] as const, [other, otherHas] as const]) {
        await store.hello(id, 1);
        if (amount > 0n) await store.grantMoney(id, 1, "org", microUsd(amount), microUsd(amount));
      }
      const before = await booksOf(client);
      const debit = { orgId: "org", requestId: "r1", by, cost: usd1, paid: usd1, at, detail: null };
      const flush = { ...nothing, seq: 1, debits: [debit], holds: [] };
      await expect(store.flush(gateway, flush)).rejects.toThrow(error);
      expect(await booksOf(client)).toEqual(before);
    },
  );

  test.each(["debits", "returns"] as const)(
    "a flush with %s of an organization without an account is refused as a whole",
    async (kind) => {
      const gateway = await store.join("a", "1", "hash");
      await store.hello(gateway, 1);
      await store.topUp("org", "top_up", usd10, "k", bounds);
      await store.grantMoney(gateway, 1, "org", usd10, usd10);
      const before = await booksOf(client);
      const debit = { requestId: "r1", by, cost: usd1, paid: zeroUsd, at, detail: null };
      const flush = {
        debits: [{ ...debit, orgId: "org" }],
        returns: [{ orgId: "org", amount: usd1 }],
      };
      const unknown = {
        debits: [...flush.debits, { ...debit, orgId: "other" }],
        returns: [...flush.returns, { orgId: "other", amount: usd1 }],
      };
      const bad = { ...nothing, seq: 1, ...flush, [kind]: unknown[kind] };
      await expect(store.flush(gateway, bad)).rejects.toThrow("other has no account");
      expect(await booksOf(client)).toEqual(before);
      expect(await store.flush(gateway, { ...nothing, seq: 1, ...flush })).toMatchObject({
        outcome: "applied",
      });
    },
  );

  test.each(Array.from({ length: 12 }, (_, i) => i + 1))(
    "do what the model does, seed %i",
    async (seed) => {
      await compare(seed, 150, store, client);
    },
  );
});

/** Runs random operations against the store and the model, and compares every answer and the books at the end. */
async function compare(
  seed: number,
  steps: number,
  store: SharedFunctions,
  client: Client,
): Promise<void> {
  const random = new Random(seed);
  const model = new SharedModel();
  const orgs = ["org_a", "org_b", "org_c"];
  let [ids, lines] = [0, 0];
  const gatewayIds = (): number[] => [...model.gateways.keys()];
  const amount = (max: bigint) => microUsd(BigInt(Math.floor(random.next() * Number(max + 1n))));
  const operations = {
    async join() {
      if (model.gateways.size >= 6) return;
      expect(await store.join("g", "1", "hash")).toBe(model.join());
    },
    async topUp() {
      const orgId = random.pick("org_a", ...orgs);
      const type = random.pick("top_up", "top_up", "correction");
      const key = random.chance(0.2) ? `r${random.integer(1, ids + 1)}` : `k${(ids += 1)}`;
      const some = amount(usd10);
      const moved = microUsd(type === "correction" && random.chance(0.6) ? 0n - some : some + 1n);
      const [balanceMax, debtsMax] = [50_000_000n, random.integer(1, 4)];
      const reply = await store.topUp(orgId, type, moved, key, { balanceMax, debtsMax });
      const expected = model.topUp(orgId, type, moved, key, balanceMax, debtsMax);
      if ("entry" in reply) {
        expect({ ...reply, entry: { ...reply.entry, createdAt: "" } }).toEqual(expected);
      } else expect(reply).toEqual(expected);
    },
    async hello() {
      const gateway = random.pick(1, ...gatewayIds());
      const conn = (model.gateways.get(gateway)?.conn ?? 0) + random.integer(0, 2);
      expect(await store.hello(gateway, conn)).toEqual(model.hello(gateway, conn));
    },
    async grant() {
      const gateway = random.pick(1, ...gatewayIds());
      const conn = (model.gateways.get(gateway)?.conn ?? 0) - (random.chance(0.1) ? 1 : 0);
      const orgId = random.pick("org_none", ...orgs);
      const need = microUsd(amount(random.chance(0.7) ? 200_000n : usd10) + 1n);
      const target = amount(usd1);
      expect(await store.grantMoney(gateway, conn, orgId, need, target)).toEqual(
        model.grantMoney(gateway, conn, orgId, need, target),
      );
    },
    async flush() {
      const gateway = random.pick(1, ...gatewayIds());
      const last = model.gateways.get(gateway)?.seq ?? 0;
      const seq = random.chance(0.9) ? last + 1 : last + random.integer(-1, 3);
      const known = orgs.filter((orgId) => model.accounts.has(orgId));
      const own = new Map(known.map((orgId) => [orgId, model.escrowOf(orgId, gateway)]));
      const spend = (orgId: string, max: bigint): bigint => {
        const left = own.get(orgId) ?? 0n;
        const spent = amount(left < max ? left : max);
        own.set(orgId, left - spent);
        return spent;
      };
      const debits = Array.from({ length: known.length === 0 ? 0 : random.integer(0, 6) }, () => {
        const orgId = random.pick(known[0] ?? "", ...known);
        const cost = microUsd(amount(random.chance(0.8) ? 300_000n : usd10) + 1n);
        const requestId = random.chance(0.1) ? `r${random.integer(1, ids + 1)}` : `r${(ids += 1)}`;
        const paid = microUsd(random.chance(0.2) ? 0n : spend(orgId, cost));
        const by = { apiKeyId: `key_${ids}`, team: random.chance(0.5) ? "t" : null };
        return { orgId, requestId, by, cost, paid, at: atOf(ids), detail: null };
      });
      const returns = known
        .filter(() => random.chance(0.2))
        .map((orgId) => ({ orgId, amount: microUsd(spend(orgId, usd10)) }));
      const mine = [...model.holds].filter(([, hold]) => hold.gateway === gateway);
      const unholds = mine.map(([id]) => id).filter(() => random.chance(0.5));
      const holds = Array.from({ length: known.length === 0 ? 0 : random.integer(0, 3) }, () => {
        const requestId = `r${(ids += 1)}`;
        return {
          requestId,
          orgId: random.pick(known[0] ?? "", ...known),
          amount: amount(usd1),
          by,
        };
      });
      const told = Array.from({ length: random.integer(0, 3) }, () => `{"line":${(lines += 1)}}`);
      const events = eventsOf(told);
      const flush: Flush = {
        ...{ seq, configSeq: 0, unholds, holds, debits, returns, usage: [], rateReturns: [] },
        ...{ events, operations: null },
      };
      expect(await store.flush(gateway, flush)).toEqual(model.flush(gateway, flush, told));
    },
    async end() {
      const gateway = random.pick(1, ...gatewayIds());
      const observed = (model.gateways.get(gateway)?.seq ?? 0) - (random.chance(0.3) ? 1 : 0);
      const state = random.pick("fenced", "left");
      expect(await store.end(gateway, observed, state)).toBe(model.end(gateway, observed, state));
    },
    async recover() {
      const [orgId, max] = [random.pick("org_a", ...orgs), random.integer(1, 3)];
      expect(await store.recoverDebts(orgId, max)).toBe(model.recoverDebts(orgId, max));
    },
    async sequence() {
      expect(await store.sequenceRuns(1_000)).toBe(model.sequenceRuns());
    },
  };
  await operations.join();
  for (let step = 0; step < steps; step += 1) {
    const operation = random.pick(
      ...["flush", "flush", "flush", "flush", "grant", "grant", "grant", "topUp", "topUp"],
      ...["hello", "join", "recover", "sequence", random.chance(0.3) ? "end" : "flush"],
    ) as keyof typeof operations;
    await operations[operation]();
  }
  await operations.sequence();
  expect(await booksOf(client)).toBe(model.books());
  expect((await logOf(client)).map(withoutTime)).toEqual(model.log);
  await assertSquare(client);
}

/** As `told` of the model writes it. */
function withoutTime(line: string): string {
  const event = JSON.parse(line) as Partial<RecordedEvent>;
  if (event.event_type === undefined) return line;
  const { event_type: type, org_id: orgId, request_id: requestId, data } = event;
  if (type === "payg.entry.refused") return type;
  return `${type} ${String(orgId)} ${String(requestId)} ${JSON.stringify(data)}`;
}

function atOf(milliseconds: number): string {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}
