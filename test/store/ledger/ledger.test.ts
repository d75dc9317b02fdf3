import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { holdLeaseMs } from "../../../src/contract/limits.ts";
import { debit } from "../../../src/store/ledger/account-changes.ts";
import { changed } from "../../../src/store/ledger/account-states.ts";
import { openLedger } from "../../../src/store/embedded/ledger/open-ledger.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";
import { ManualClock } from "../manual-clock.ts";
import { codeOf, temporaryStore, valueOf } from "../temporary-store.ts";
import {
  chargeOf,
  eventsIn,
  eventTypes,
  held,
  holdOf,
  openBooks,
  orgId,
  spendable,
  topUp,
  usd,
  type Books,
} from "./books.ts";

test("books whose writing thread can't start are not opened", async () => {
  const store = await temporaryStore();
  // A folder that is none.
  const path = join(store.databasePath, "weir.mdb");
  Object.defineProperty(store, "databasePath", { value: path });
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const opened = await openLedger(store, {
    billingUrl: () => "https://billing.example",
    onFailure,
  });
  expect(codeOf(opened)).toBe("internal_error");
  expect(failures).toHaveLength(1);
});

describe("a hold", () => {
  test("balance refusals carry their amounts and are audited", async () => {
    const books = await openBooks();
    const { ledger } = books;
    await topUp(ledger, "1.239");
    held(ledger, "0.50");
    const reserved = ledger.hold(holdOf("0.80"));
    expect(reserved).toMatchObject({
      refusal: {
        code: "payg_reserved",
        retryAfterSeconds: 2,
        details: {
          retryable: true,
          retryAfter: 2,
          balanceCents: 123,
          availableCents: 73,
          estimatedCostCents: 80,
        },
      },
    });
    const insufficient = ledger.hold(holdOf("2.001"));
    expect(insufficient).toMatchObject({
      refusal: {
        code: "insufficient_balance",
        details: {
          retryable: false,
          balanceCents: 123,
          availableCents: 73,
          estimatedCostCents: 201,
          billingUrl: "https://billing.example",
        },
      },
    });
    expect(insufficient).not.toHaveProperty("refusal.retryAfterSeconds");
    await books.journal.appliedAll(null);
    expect(eventTypes(books)).toEqual([
      "payg.topup",
      "payg.hold.placed",
      "payg_reserved_by_inflight",
      "insufficient_balance_reservation",
    ]);
  });

  test("an organization that never had an account", async () => {
    const { ledger, store } = await openBooks();
    expect(codeOf(ledger.hold(holdOf("0")))).toBe("org_not_provisioned");
    valueOf(await ledger.openAccount(orgId));
    await ledger.caughtUp(orgId);
    store.journal.balances.resetReadTxn();
    expect(store.journal.balances.get(orgId)).toEqual({ v: 1, balance: "0", entries: 0 });
    expect(codeOf(ledger.hold(holdOf("0.01")))).toBe("insufficient_balance");
  });
});

describe("a settlement", () => {
  test("debits the exact cost and gives the rest back", async () => {
    const books = await openBooks();
    const { ledger } = books;
    await topUp(ledger, "1");
    const hold = held(ledger, "0.40");
    expect(spendable(ledger)).toEqual([1, 0.6]);
    const settlement = ledger.settle(hold, chargeOf("0.000001"), []);
    expect(settlement).toMatchObject({ kind: "debited", balance: usd("0.999999") });
    expect(spendable(ledger)).toEqual([0.999999, 0.999999]);
    expect(await settlement.durable()).toBe(true);
    await ledger.caughtUp(orgId);
    const { entries } = valueOf(ledger.list({ orgId, limit: 10, cursor: null }));
    expect(entries).toMatchObject([
      {
        id: "2",
        type: "debit",
        amountUsd: "0.000001",
        balanceAfterUsd: "0.999999",
        idempotencyKey: hold.requestId,
        requestId: hold.requestId,
        catalogVersion: "v1",
        usage: { uncachedInput: 3 },
      },
      { id: "1", type: "top_up", amountUsd: "1.000000", balanceAfterUsd: "1.000000" },
    ]);
  });

  test("that the balance can't cover is owed whole, audited, and paid by the next top-up", async () => {
    const books = await openBooks();
    const { ledger } = books;
    await topUp(ledger, "1");
    const hold = held(ledger, "0.10");
    held(ledger, "0.50", { requestId: "other" });
    const settlement = ledger.settle(hold, chargeOf("0.500001"), []);
    expect(settlement).toMatchObject({ kind: "owed", balance: usd("1") });
    expect(spendable(ledger)).toEqual([1, 0.5]);
    await books.journal.appliedAll(null);
    expect(eventsIn(books).at(-1)).toMatchObject({
      event_type: "payg.debit.insufficient_balance",
      data: { balanceCents: 100, requiredCents: 51, costUsd: "0.500001" },
    });
    await topUp(ledger, "0.000001", "second");
    expect(spendable(ledger)).toEqual([0.5, 0]);
    expect(ledger.counts).toMatchObject({ owed: 1, recovered: 1 });
    expect(eventsIn(books).at(-1)).toMatchObject({ event_type: "payg.debit.recovered" });
    // Nothing is left to recover.
    await topUp(ledger, "1", "third");
    await ledger.sweep();
    expect(spendable(ledger)).toEqual([1.5, 1]);
    const { entries } = valueOf(ledger.list({ orgId, limit: 10, cursor: null }));
    expect(entries.filter(({ type }) => type === "debit")).toHaveLength(1);
  });

  test("the oldest debt is paid first, however its request's id sorts", async () => {
    const clock = new ManualClock();
    const { ledger } = await openBooks({ clock });
    await topUp(ledger, "1");
    const other = held(ledger, "1");
    for (const requestId of ["id-9", "id-10", "id-11"]) {
      ledger.settle(held(ledger, "0", { requestId }), chargeOf("1"), []);
      clock.advance(1);
    }
    ledger.release(other, []);
    await ledger.sweep();
    await topUp(ledger, "1", "second");
    const { entries } = valueOf(ledger.list({ orgId, limit: 10, cursor: null }));
    const debits = entries.filter(({ type }) => type === "debit");
    expect(debits.map(({ requestId }) => requestId)).toEqual(["id-10", "id-9"]);
  });
});

describe("an entry that reaches the store twice", () => {
  /** Does as a bug would: a debit is taken from the account once more, and entered once more. */
  const doublerIn = (books: Books) => {
    const accounts = new SharedAccounts(books.accounts);
    return (requestId: string, cost: string): void => {
      changed(accounts, orgId, (account) => debit(account, usd(cost)));
      const paidBy = { apiKeyId: "key_1", team: null };
      const charge = chargeOf(cost);
      books.takeOver(null, [{ kind: "debit", requestId, orgId, by: paidBy, charge }]);
    };
  };
  const entriesOf = ({ ledger }: Books) =>
    valueOf(ledger.list({ orgId, limit: 10, cursor: null })).entries.map(
      ({ id, balanceAfterUsd, idempotencyKey }) => [id, balanceAfterUsd, idempotencyKey],
    );

  test("is written once; what it took is given back, and told of", async () => {
    const failures: unknown[] = [];
    const books = await openBooks({ onFailure: (error) => failures.push(error) });
    const { ledger } = books;
    await topUp(ledger, "1");
    const hold = held(ledger, "0.4");
    ledger.settle(hold, chargeOf("0.3"), []);
    doublerIn(books)(hold.requestId, "0.3");
    expect(spendable(ledger)).toEqual([0.4, 0.4]);
    const next = held(ledger, "0.1");
    const settled = ledger.settle(next, chargeOf("0.1"), []);
    expect(await settled.durable()).toBe(true);
    await ledger.caughtUp(orgId);
    await ledger.sweep();
    expect(spendable(ledger)).toEqual([0.6, 0.6]);
    expect(ledger.counts.refused).toBe(1);
    expect(String(failures)).toContain(`${hold.requestId}: duplicate_key`);
    ledger.settle(held(ledger, "0"), chargeOf("0.05"), []);
    await topUp(ledger, "1", "second");
    expect(entriesOf(books).map(([id, balance]) => [id, balance])).toEqual([
      ["5", "1.550000"],
      ["4", "0.550000"],
      ["3", "0.600000"],
      ["2", "0.700000"],
      ["1", "1.000000"],
    ]);
    expect(eventsIn(books).filter((event) => event["event_type"] === "payg.entry.refused")).toEqual(
      [
        expect.objectContaining({
          org_id: orgId,
          request_id: hold.requestId,
          data: {
            reason: "duplicate_key",
            type: "debit",
            amountUsd: "0.300000",
            idempotencyKey: hold.requestId,
          },
        }),
      ],
    );
    // It is taken back once.
    await ledger.sweep();
    expect(spendable(ledger)).toEqual([1.55, 1.55]);
    expect(failures).toHaveLength(1);
  });

  test("is taken back by a restart too, once", async () => {
    const store = await temporaryStore();
    const before = await openBooks({ store });
    await topUp(before.ledger, "1");
    const hold = held(before.ledger, "0.4");
    before.ledger.settle(hold, chargeOf("0.3"), []);
    doublerIn(before)(hold.requestId, "0.3");
    await before.close();
    const failures: unknown[] = [];
    const after = await openBooks({ store, onFailure: (error) => failures.push(error) });
    expect(spendable(after.ledger)).toEqual([0.7, 0.7]);
    for (let sweep = 0; sweep < 2; sweep += 1) {
      await after.ledger.sweep();
      await after.journal.appliedAll(null);
    }
    expect(spendable(after.ledger)).toEqual([0.7, 0.7]);
    expect(failures).toHaveLength(1);
    expect(eventTypes(after).filter((type) => type === "payg.entry.refused")).toHaveLength(1);
    await topUp(after.ledger, "1", "second");
    expect(entriesOf(after)[0]).toEqual(["3", "1.700000", "second"]);
  });

  test("is answered as the first one, where a top-up did not see that there is one", async () => {
    const books = await openBooks({ onFailure: () => undefined });
    const { ledger, store } = books;
    const draft = { orgId, amount: usd("1"), type: "top_up", idempotencyKey: "k" } as const;
    const first = valueOf(await ledger.topUp(draft));
    const overlooks = vi.spyOn(store.journal.ledgerKeys, "get");
    overlooks.mockReturnValueOnce(undefined);
    expect(valueOf(await ledger.topUp(draft))).toEqual(first);
    overlooks.mockReturnValueOnce(undefined);
    expect(codeOf(await ledger.topUp({ ...draft, amount: usd("2") }))).toBe("duplicate_entry");
    expect(spendable(ledger)).toEqual([1, 1]);
    expect(ledger.counts.refused).toBe(2);
    await topUp(ledger, "1", "l");
    expect(entriesOf(books)).toEqual([
      ["2", "2.000000", "l"],
      ["1", "1.000000", "k"],
    ]);
  });

  test("does not stop what is written behind it", async () => {
    const books = await openBooks({ onFailure: () => undefined });
    await topUp(books.ledger, "5");
    const hold = held(books.ledger, "0");
    books.ledger.settle(hold, chargeOf("0.1"), []);
    const debitAgain = doublerIn(books);
    for (let i = 0; i < 100; i += 1) {
      debitAgain(hold.requestId, "0.01");
      const settled = books.ledger.settle(held(books.ledger, "0"), chargeOf("0.01"), []);
      if (i % 10 === 0) expect(await settled.durable()).toBe(true);
    }
    await books.journal.appliedAll(null);
    await books.ledger.sweep();
    await expect.poll(() => books.ledger.counts.refused, { interval: 1 }).toBe(100);
    expect([books.ledger.counts.refused, spendable(books.ledger)]).toEqual([100, [3.9, 3.9]]);
    expect(entriesOf(books)[0]?.slice(0, 2)).toEqual(["102", "3.900000"]);
  });
});

describe("a top-up", () => {
  test("takes no key that is the id of a request, from its hold until its debit and after", async () => {
    const { ledger, journal } = await openBooks();
    await topUp(ledger, "1");
    const other = held(ledger, "1");
    const enter = async (idempotencyKey: string) =>
      codeOf(await ledger.topUp({ orgId, amount: usd("1"), type: "top_up", idempotencyKey }));
    // Its debit comes while the top-up waits for what was written before it.
    const settled = held(ledger, "0");
    const meanwhile = enter(settled.requestId);
    for (let i = 0; i < 2; i += 1) await new Promise(setImmediate);
    ledger.release(other, []);
    expect(ledger.settle(settled, chargeOf("0.1"), []).kind).toBe("debited");
    expect(await meanwhile).toBe("duplicate_entry");
    expect(await enter(settled.requestId)).toBe("duplicate_entry");
    const owing = held(ledger, "0");
    expect(ledger.settle(owing, chargeOf("5"), []).kind).toBe("owed");
    await journal.appliedAll(null);
    expect(await enter(owing.requestId)).toBe("duplicate_entry");
    expect(spendable(ledger)).toEqual([0.9, 0.9]);
  });

  test("looks at what other threads have appended before it", async () => {
    const books = await openBooks();
    await topUp(books.ledger, "1");
    const requestId = "of-another-thread";
    books.shareWith({
      handedOver: () => {
        books.takeOver(null, [{ kind: "hold", requestId, orgId, amount: usd("0.5") }]);
        return Promise.resolve();
      },
      flushBegins: () => () => undefined,
      flushFailed: () => undefined,
      flushResumed: () => undefined,
    });
    const draft = { orgId, amount: usd("1"), type: "top_up", idempotencyKey: requestId } as const;
    expect(codeOf(await books.ledger.topUp(draft))).toBe("duplicate_entry");
  });
});

/** What events about the money of `holdOf` say of its key. */
const by = { api_key_id: "key_1", team: "search" };

describe("after a restart", () => {
  test("balances and debts are as they were, and what was held is free and audited", async () => {
    const store = await temporaryStore();
    const before = await openBooks({ store });
    await topUp(before.ledger, "1");
    before.ledger.settle(held(before.ledger, "0.4"), chargeOf("0.25"), []);
    const owing = held(before.ledger, "0");
    const open = held(before.ledger, "0.75", { requestId: "left-open" });
    before.ledger.settle(owing, chargeOf("0.5"), []);
    await before.close();

    const after = await openBooks({ store });
    expect(open.requestId).toBe("left-open");
    expect(spendable(after.ledger)).toEqual([0.75, 0.75]);
    expect(after.ledger.counts).toMatchObject({ outcomeUnknown: 1, liveHolds: 0 });
    await after.ledger.sweep();
    expect(spendable(after.ledger)).toEqual([0.25, 0.25]);
    expect(eventsIn(after)).toContainEqual(
      expect.objectContaining({
        event_type: "payg.hold.expired",
        request_id: "left-open",
        data: { amountUsd: "0.750000", reason: "outcome_unknown", ...by },
      }),
    );
    expect(Array.from(store.journal.holds.getKeys())).toEqual([]);
  });
});

describe("an event about a request's money", () => {
  const moneyEvents = (books: Books) =>
    eventsIn(books).map(({ event_type, request_id, data }) => {
      const { api_key_id, team } = data as Record<string, unknown>;
      return [event_type, request_id, api_key_id, team];
    });

  test("says whose key and which team it was, whatever became of it, also after a restart", async () => {
    const store = await temporaryStore();
    const clock = new ManualClock();
    const books = await openBooks({ store, clock });
    const { ledger } = books;
    await topUp(ledger, "1");
    const named = (requestId: string, team: string | null) =>
      ({ requestId, by: { apiKeyId: `key of ${requestId}`, team } }) as const;
    ledger.settle(held(ledger, "0.1", named("paid", "a")), chargeOf("0.1"), []);
    ledger.release(held(ledger, "0.1", named("given back", null)), []);
    ledger.settle(held(ledger, "0.1", named("owed", "b")), chargeOf("2"), []);
    void ledger.hold(holdOf("5", named("refused", "c")));
    held(ledger, "0.9", named("left open", "d"));
    void ledger.hold(holdOf("0.5", named("reserved", "e")));
    held(ledger, "0", { ...named("expired", "f"), isLive: () => false });
    clock.advance(holdLeaseMs);
    await ledger.sweep();
    await books.close();
    const after = await openBooks({ store });
    await topUp(after.ledger, "2", "second");
    await after.journal.appliedAll(null);
    const told = (type: string, requestId: string, team?: string) => [
      type,
      requestId,
      `key of ${requestId}`,
      team,
    ];
    const all = moneyEvents(after).filter(([type]) => type !== "payg.hold.placed");
    expect(all).toEqual([
      ["payg.topup", null, undefined, undefined],
      told("payg.debit.applied", "paid", "a"),
      told("payg.hold.released", "given back"),
      told("payg.debit.insufficient_balance", "owed", "b"),
      told("insufficient_balance_reservation", "refused", "c"),
      told("payg_reserved_by_inflight", "reserved", "e"),
      told("payg.hold.expired", "expired", "f"),
      told("payg.hold.expired", "left open", "d"),
      ["payg.topup", null, undefined, undefined],
      told("payg.debit.recovered", "owed", "b"),
    ]);
    const placed = moneyEvents(after).filter(([type]) => type === "payg.hold.placed");
    expect(placed).toContainEqual(told("payg.hold.placed", "paid", "a"));
    expect(placed).toContainEqual(told("payg.hold.placed", "given back"));
  });

  test("of a hold or a debt that an older version has written says neither", async () => {
    const store = await temporaryStore();
    const books = await openBooks({ store });
    await topUp(books.ledger, "1");
    books.ledger.settle(held(books.ledger, "0", { requestId: "owed" }), chargeOf("1.5"), []);
    held(books.ledger, "0.5", { requestId: "open" });
    await books.close();
    const { holds, debts } = store.journal;
    await holds.transaction(() => {
      holds.putSync("open", { orgId, amount: "500000" });
      const debt = debts.get([orgId, "owed"]);
      if (debt === undefined) throw new Error("nothing is owed");
      const { requestId, owedAt = "", cost, catalogVersion, usage } = debt;
      debts.putSync([orgId, "owed"], { requestId, owedAt, cost, catalogVersion, usage });
    });
    const after = await openBooks({ store });
    await topUp(after.ledger, "2", "second");
    await after.journal.appliedAll(null);
    const told = moneyEvents(after).slice(-3);
    expect(told).toEqual([
      ["payg.hold.expired", "open", undefined, undefined],
      ["payg.topup", null, undefined, undefined],
      ["payg.debit.recovered", "owed", undefined, undefined],
    ]);
  });
});
