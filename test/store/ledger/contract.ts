import { describe, expect, test, vi } from "vitest";
import {
  balanceUsdMax,
  holdLeaseMs,
  holdsPerOrganizationMax,
} from "../../../src/contract/limits.ts";
import { microUsd, microUsdPerUsd } from "../../../src/contract/money.ts";
import type { Outcome } from "../../../src/contract/outcome.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import type { Hold, HoldRequest, Ledger, Settlement } from "../../../src/store/ledger/ledger.ts";
import { chargeOf, holdOf, orgId, spendable, topUp, usd } from "./books.ts";

export interface LedgerOptions {
  readonly clock?: Clock;
  readonly holdsMax?: number;
}

async function codeOf(answered: Outcome<unknown> | Promise<Outcome<unknown>>): Promise<string> {
  const outcome = await answered;
  return outcome.ok ? "accepted" : outcome.refusal.code;
}

async function valueOf<T>(answered: Outcome<T> | Promise<Outcome<T>>): Promise<T> {
  const outcome = await answered;
  if (!outcome.ok) throw new Error(`${outcome.refusal.code}: ${outcome.refusal.message}`);
  return outcome.value;
}

/** The contract of the books, which every store keeps. `open` opens empty books that are closed with the test. */
export function ledgerContract(open: (options?: LedgerOptions) => Promise<Ledger>): void {
  const held = (ledger: Ledger, estimate: string, more: Partial<HoldRequest> = {}): Promise<Hold> =>
    valueOf(ledger.hold(holdOf(estimate, more)));
  const settled = async (ledger: Ledger, hold: Hold, cost: string): Promise<Settlement> => {
    const settlement = ledger.settle(hold, chargeOf(cost), []);
    expect(await settlement.durable()).toBe(true);
    return settlement;
  };
  /** What a shared store has granted and nobody uses goes back first. */
  const recovered = (ledger: Ledger, balance: readonly [number, number]): Promise<void> =>
    vi.waitFor(
      async () => {
        await ledger.sweep();
        await ledger.caughtUp(orgId);
        expect(spendable(ledger)).toEqual(balance);
      },
      { timeout: 10_000, interval: 50 },
    );
  const entries = async (ledger: Ledger) => {
    await ledger.caughtUp(orgId);
    return (await valueOf(ledger.list({ orgId, limit: 10, cursor: null }))).entries;
  };

  describe("a hold", () => {
    test.each<[string, readonly string[], string, string]>([
      ["what the balance just covers", [], "1.00", "accepted"],
      ["a part of a cent over the balance", [], "1.000001", "insufficient_balance"],
      ["what others leave", ["0.50"], "0.50", "accepted"],
      ["what others hold", ["0.50"], "0.51", "payg_reserved"],
      ["what no balance covers, whatever others hold", ["0.50"], "1.01", "insufficient_balance"],
      ["nothing, with nothing left", ["1.00"], "0", "accepted"],
      ["a part of a cent, with a part of one left", ["0.995"], "0.001", "payg_reserved"],
    ])("%s", async (_, others, estimate, code) => {
      const ledger = await open();
      await topUp(ledger, "1.00");
      for (const other of others) await held(ledger, other);
      expect(await codeOf(ledger.hold(holdOf(estimate)))).toBe(code);
    });

    test("balance refusals carry their amounts", async () => {
      const ledger = await open();
      await topUp(ledger, "1.239");
      await held(ledger, "0.50");
      const amounts = { balanceCents: 123, availableCents: 73 };
      expect(await ledger.hold(holdOf("0.80"))).toMatchObject({
        refusal: {
          code: "payg_reserved",
          retryAfterSeconds: 2,
          details: { retryable: true, retryAfter: 2, ...amounts, estimatedCostCents: 80 },
        },
      });
      const insufficient = await ledger.hold(holdOf("2.001"));
      expect(insufficient).toMatchObject({
        refusal: {
          code: "insufficient_balance",
          details: {
            ...{ retryable: false, ...amounts, estimatedCostCents: 201 },
            billingUrl: "https://billing.example",
          },
        },
      });
      expect(insufficient).not.toHaveProperty("refusal.retryAfterSeconds");
    });

    test("an organization that never had an account", async () => {
      const ledger = await open();
      expect(await codeOf(ledger.hold(holdOf("0")))).toBe("org_not_provisioned");
      expect(ledger.balance(orgId)).toBeUndefined();
      await valueOf(ledger.openAccount(orgId));
      expect(await codeOf(ledger.hold(holdOf("0.01")))).toBe("insufficient_balance");
      expect(ledger.balance(orgId)).toEqual({ balance: 0n, available: 0n, holds: 0 });
    });

    test("one more than the workspace may have is busy, and is not once another ends", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      const first = await held(ledger, "0");
      for (let i = 1; i < holdsPerOrganizationMax; i += 1) await held(ledger, "0");
      expect(await ledger.hold(holdOf("0"))).toMatchObject({
        refusal: { code: "payg_busy", details: { retryable: true, retryAfter: 1 } },
      });
      ledger.release(first, []);
      expect(await codeOf(ledger.hold(holdOf("0")))).toBe("accepted");
    });

    test("how many that are is the operator's to say", async () => {
      const ledger = await open({ holdsMax: 2 });
      await topUp(ledger, "1");
      for (let i = 0; i < 2; i += 1) await held(ledger, "0");
      expect(await ledger.hold(holdOf("0"))).toMatchObject({
        refusal: {
          code: "payg_busy",
          message: expect.stringMatching(/ has 2 requests /) as unknown,
        },
      });
    });
  });

  describe("a settlement", () => {
    test("debits the exact cost and gives the rest back", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      const hold = await held(ledger, "0.40");
      expect(spendable(ledger)).toEqual([1, 0.6]);
      const settlement = await settled(ledger, hold, "0.000001");
      expect(settlement).toMatchObject({ kind: "debited", balance: usd("0.999999") });
      expect(spendable(ledger)).toEqual([0.999999, 0.999999]);
      expect(await entries(ledger)).toMatchObject([
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

    test("twice changes nothing", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      const hold = await held(ledger, "0.40");
      const first = await settled(ledger, hold, "0.1");
      expect(ledger.settle(hold, chargeOf("0.3"), [])).toBe(first);
      ledger.release(hold, []);
      expect(spendable(ledger)).toEqual([0.9, 0.9]);
    });

    test("of nothing is no entry", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      expect((await settled(ledger, await held(ledger, "0.1"), "0")).kind).toBe("free");
      expect(await entries(ledger)).toHaveLength(1);
      expect(spendable(ledger)).toEqual([1, 1]);
    });

    test("may cost more than its hold, as far as nobody else holds it", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      const hold = await held(ledger, "0.10");
      await held(ledger, "0.50");
      await settled(ledger, hold, "0.50");
      expect(spendable(ledger)).toEqual([0.5, 0]);
      expect((await entries(ledger))[0]).toMatchObject({ type: "debit", amountUsd: "0.500000" });
    });

    test("that the balance can't cover is owed whole, and paid after the next top-up", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      const hold = await held(ledger, "0.10");
      await held(ledger, "0.50");
      await settled(ledger, hold, "0.500001");
      expect(spendable(ledger)).toEqual([1, 0.5]);
      expect(ledger.counts.owed).toBe(1);
      await topUp(ledger, "0.000001", "second");
      await recovered(ledger, [0.5, 0]);
      // Nothing is left to recover.
      await topUp(ledger, "1", "third");
      await ledger.sweep();
      expect(spendable(ledger)).toEqual([1.5, 1]);
      expect((await entries(ledger)).filter(({ type }) => type === "debit")).toHaveLength(1);
    });

    test("a debt that is still too high is left out, a smaller one behind it is paid", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      const [dear, cheap] = [await held(ledger, "0"), await held(ledger, "0")];
      const other = await held(ledger, "1");
      await settled(ledger, dear, "5");
      await settled(ledger, cheap, "0.2");
      ledger.release(other, []);
      await recovered(ledger, [0.8, 0.8]);
      await topUp(ledger, "4.2", "more");
      await recovered(ledger, [0, 0]);
    });
  });

  test("a lease runs out where nobody vouches for the request, and a late cost is still debited", async () => {
    let nowMs = 0;
    const clock = { wallMs: () => 1e12 + nowMs, monotonicMs: () => nowMs };
    const ledger = await open({ clock });
    await topUp(ledger, "1");
    const lost = await held(ledger, "0.3", { isLive: () => false });
    const alive = await held(ledger, "0.3");
    nowMs = holdLeaseMs - 1;
    await ledger.sweep();
    expect(spendable(ledger)).toEqual([1, 0.4]);
    nowMs = holdLeaseMs;
    await ledger.sweep();
    expect(spendable(ledger)).toEqual([1, 0.7]);
    expect(ledger.counts).toMatchObject({ expired: 1, liveHolds: 1 });
    await settled(ledger, lost, "0.2");
    ledger.release(alive, []);
    expect(spendable(ledger)).toEqual([0.8, 0.8]);
  });

  describe("a top-up", () => {
    test("with the same key changes nothing, with another amount it is refused", async () => {
      const ledger = await open();
      const draft = { orgId, amount: usd("2"), type: "top_up", idempotencyKey: "k" } as const;
      const [first, second] = await Promise.all([ledger.topUp(draft), ledger.topUp(draft)]);
      expect(second).toEqual(first);
      expect(await ledger.topUp(draft)).toEqual(first);
      const other = { ...draft, amount: usd("3") };
      expect(await codeOf(ledger.topUp(other))).toBe("duplicate_entry");
      const correction = { ...draft, type: "correction" } as const;
      expect(await codeOf(ledger.topUp(correction))).toBe("duplicate_entry");
      expect(spendable(ledger)).toEqual([2, 2]);
    });

    test("takes no key that is the id of a request, from its hold until its debit and after", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      const enter = (idempotencyKey: string) =>
        codeOf(ledger.topUp({ orgId, amount: usd("1"), type: "top_up", idempotencyKey }));
      const hold = await held(ledger, "0.1");
      expect(await enter(hold.requestId)).toBe("duplicate_entry");
      await settled(ledger, hold, "0.1");
      expect(await enter(hold.requestId)).toBe("duplicate_entry");
      const owing = await held(ledger, "0");
      await settled(ledger, owing, "5");
      expect(await enter(owing.requestId)).toBe("duplicate_entry");
      expect(spendable(ledger)).toEqual([0.9, 0.9]);
    });

    test("nothing brings a balance beyond its maximum", async () => {
      const ledger = await open();
      const most = microUsd(BigInt(balanceUsdMax) * microUsdPerUsd);
      const enter = (amount: bigint, type: "top_up" | "correction", key: string) =>
        ledger.topUp({ orgId, amount: microUsd(amount), type, idempotencyKey: key });
      await valueOf(enter(most - 1n, "top_up", "a"));
      expect(await codeOf(enter(2n, "top_up", "b"))).toBe("invalid_request");
      expect(await codeOf(enter(2n, "correction", "b"))).toBe("invalid_request");
      await valueOf(enter(1n, "top_up", "b"));
      expect(ledger.balance(orgId)).toEqual({ balance: most, available: most, holds: 0 });
      expect(await codeOf(enter(1n, "correction", "c"))).toBe("invalid_request");
      await valueOf(enter(-1n, "correction", "c"));
      expect(ledger.balance(orgId)?.balance).toBe(most - 1n);
    });

    test("a correction takes no more than is available", async () => {
      const ledger = await open();
      await topUp(ledger, "1");
      await held(ledger, "0.4");
      const draft = { orgId, type: "correction", idempotencyKey: "c" } as const;
      const much = { ...draft, amount: usd("-0.600001") };
      expect(await codeOf(ledger.topUp(much))).toBe("invalid_request");
      await valueOf(ledger.topUp({ ...draft, amount: usd("-0.6") }));
      expect(spendable(ledger)).toEqual([0.4, 0]);
    });
  });

  test("pages of a ledger go from the newest to the oldest, and months add up", async () => {
    const ledger = await open();
    for (let i = 1; i <= 5; i += 1) await topUp(ledger, `${i}`, `top-up-${i}`);
    const page = (cursor: string | null) => valueOf(ledger.list({ orgId, limit: 2, cursor }));
    const first = await page(null);
    const second = await page(first.nextCursor);
    const third = await page(second.nextCursor);
    const ids = [first, second, third].map(({ entries }) => entries.map(({ id }) => id));
    expect(ids).toEqual([["5", "4"], ["3", "2"], ["1"]]);
    expect(third.nextCursor).toBeNull();
    expect(await codeOf(ledger.list({ orgId, limit: 2, cursor: "x" }))).toBe("invalid_request");
    expect(await ledger.months(orgId, 12)).toMatchObject([
      { topUps: usd("15"), debits: 0n, entries: 5 },
    ]);
    expect(await ledger.months("org_2", 12)).toEqual([]);
  });
}
