import { expect, test } from "vitest";
import { readEvent } from "../../../src/contract/audit.ts";
import { microUsd } from "../../../src/contract/money.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { countersBusy } from "../../../src/store/slots/counters-busy.ts";
import {
  changed,
  emptyAccount,
  type AccountStates,
} from "../../../src/store/ledger/account-states.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";
import {
  Spending,
  type SpendingJournal,
  type SpendingOperation,
} from "../../../src/store/ledger/spending.ts";

const orgId = "org_1";

/** Remembers what is appended, and writes nothing. */
class NotedJournal implements SpendingJournal {
  readonly accepting = true;
  readonly full = false;
  readonly failing = false;
  readonly events: string[] = [];
  readonly operations: SpendingOperation[] = [];

  append(events: readonly string[], operations: readonly SpendingOperation[]): number {
    this.events.push(...events);
    this.operations.push(...operations);
    return 0;
  }

  appendRequest(): number {
    return 0;
  }

  flushed(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

function spendingFrom(accounts: AccountStates): { spending: Spending; journal: NotedJournal } {
  const journal = new NotedJournal();
  return {
    spending: new Spending({ journal, accounts, clock: systemClock, billingUrl: () => "" }),
    journal,
  };
}

/** An account, seen by a thread in the middle of whose next change another one takes `cost` from it. */
function overtakenBy(cost: bigint, balance: bigint) {
  const main = new SharedAccounts();
  main.open(orgId, { ...emptyAccount(), balance: microUsd(balance) });
  let isDue = false;
  const accounts = new SharedAccounts(main.buffer, () => {
    if (!isDue) return;
    isDue = false;
    changed(main, orgId, (account) => {
      account.balance = microUsd(account.balance - cost);
    });
  });
  return { accounts, next: (): boolean => (isDue = true) };
}

const request = (estimate: bigint) => ({
  requestId: "r-1",
  orgId,
  by: { apiKeyId: "key_1", team: null },
  estimate: microUsd(estimate),
  isLive: () => true,
});

const typesOf = ({ events }: NotedJournal): string[] =>
  events.map((event) => readEvent(event).event_type);

test("a hold that another thread's debit leaves no room for is refused, and only that is recorded", () => {
  const { accounts, next } = overtakenBy(900_000n, 1_000_000n);
  const { spending, journal } = spendingFrom(accounts);
  next();
  const held = spending.holdAtOnce(request(500_000n));
  expect(held.ok ? null : held.refusal.code).toBe("insufficient_balance");
  expect(journal.operations).toEqual([]);
  expect(typesOf(journal)).toEqual(["insufficient_balance_reservation"]);
  expect(spending.counts.liveHolds).toBe(0);
  expect(spending.balance(orgId)).toEqual({ balance: 100_000n, available: 100_000n, holds: 0 });
});

test("a settlement that another thread's debit leaves no room for owes its cost, and does that once", () => {
  const { accounts, next } = overtakenBy(400_000n, 1_000_000n);
  const { spending, journal } = spendingFrom(accounts);
  const held = spending.holdAtOnce(request(500_000n));
  if (!held.ok) throw new Error(held.refusal.code);
  next();
  const charge = { cost: microUsd(800_000n), catalogVersion: null, usage: null };
  expect(spending.settle(held.value, charge, [])).toMatchObject({
    kind: "owed",
    balance: 600_000n,
  });
  expect(journal.operations.map(({ kind }) => kind)).toEqual(["hold", "unhold", "owe"]);
  expect(spending.counts).toMatchObject({ owed: 1, liveHolds: 0 });
  expect(spending.balance(orgId)).toEqual({ balance: 600_000n, available: 600_000n, holds: 0 });
});

test("an account that can't be changed just now holds nothing", () => {
  const { spending, journal } = spendingFrom({
    change: () => countersBusy,
    open: () => false,
    balances: () => [],
  });
  const held = spending.holdAtOnce(request(1n));
  expect(held.ok ? null : held.refusal).toMatchObject({
    code: "detector_unavailable",
    retryAfterSeconds: 1,
  });
  expect(journal.operations).toEqual([]);
  expect(spending.counts.liveHolds).toBe(0);
});
