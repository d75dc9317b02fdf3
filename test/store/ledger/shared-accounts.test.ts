import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { organizationsMax } from "../../../src/contract/limits.ts";
import { microUsd } from "../../../src/contract/money.ts";
import { changed, emptyAccount } from "../../../src/store/ledger/account-states.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";
import type { AccountWork, StandingDebit } from "../programs/account-worker.ts";
import { openGate } from "../programs/stand-still.ts";

function startWorker(workerData: AccountWork | StandingDebit): Worker {
  return new Worker(new URL("../programs/account-worker.ts", import.meta.url), { workerData });
}

test("every organization that there may be has room for its account", () => {
  const accounts = new SharedAccounts();
  for (let i = 0; i < organizationsMax; i++) accounts.open(`org_${i}`, emptyAccount());
  const last = `org_${organizationsMax - 1}`;
  accounts.change(last, (account) => {
    account.balance = microUsd(5n);
  });
  expect(changed(accounts, last, ({ balance }) => balance)).toBe(5n);
});

test("an account is opened once, and one that is not open can't be changed", () => {
  const accounts = new SharedAccounts();
  expect(accounts.change("org_1", () => 1)).toMatchObject({
    refusal: { code: "org_not_provisioned" },
  });
  expect(accounts.open("org_1", { ...emptyAccount(), balance: microUsd(7n) })).toBe(true);
  expect(accounts.open("org_1", emptyAccount())).toBe(false);
  expect([...accounts.balances()]).toEqual([7n]);
});

test("tells the balances of open accounts, also of those that another thread has changed", () => {
  const accounts = new SharedAccounts();
  accounts.open("org_1", { ...emptyAccount(), balance: microUsd(7n) });
  accounts.open("org_2", emptyAccount());
  new SharedAccounts(accounts.buffer).change("org_2", (account) => {
    account.balance = microUsd(3n);
  });
  expect([...accounts.balances()]).toEqual([7n, 3n]);
});

test("a thread that stands still in a debit keeps nobody waiting, and takes nobody's debit back", async () => {
  const accounts = new SharedAccounts();
  accounts.open("org_1", { ...emptyAccount(), balance: microUsd(1_000n) });
  const gate = new SharedArrayBuffer(4);
  const worker = startWorker({ buffer: accounts.buffer, orgId: "org_1", cost: 10n, gate });
  await once(worker, "message");
  // The worker goes on when this one is done, and not before.
  accounts.change("org_1", (account) => {
    account.balance = microUsd(account.balance - 900n);
  });
  openGate(gate);
  await once(worker, "exit");
  expect([...accounts.balances()]).toEqual([90n]);
});

test("a debit for which another one has left too little is seen to be so", () => {
  const accounts = new SharedAccounts();
  accounts.open("org_1", { ...emptyAccount(), balance: microUsd(100n) });
  const debit = (by: SharedAccounts, cost: bigint): boolean =>
    changed(by, "org_1", (account) => {
      if (cost > account.balance) return false;
      account.balance = microUsd(account.balance - cost);
      return true;
    });
  let others = 0;
  const slow = new SharedAccounts(accounts.buffer, () => {
    if (others++ === 0) debit(accounts, 70n);
  });
  expect(debit(slow, 60n)).toBe(false);
  expect(debit(slow, 30n)).toBe(true);
  expect([...accounts.balances()]).toEqual([0n]);
});

test("three threads hold and debit at random: nothing is lost, and never more held than there is", async () => {
  const accounts = new SharedAccounts();
  const orgIds = ["org_1", "org_2", "org_3"];
  const opening = 4_000_000n;
  for (const id of orgIds) accounts.open(id, { ...emptyAccount(), balance: microUsd(opening) });
  const workers = [1, 2, 3].map((seed) =>
    startWorker({ buffer: accounts.buffer, orgIds, rounds: 60_000, seed }),
  );
  const told = await Promise.all(
    workers.map(async (worker) => {
      const [debited] = (await once(worker, "message")) as [ReadonlyMap<string, bigint>];
      return debited;
    }),
  );
  for (const id of orgIds) {
    const debited = told.reduce((sum, of) => sum + (of.get(id) ?? 0n), 0n);
    expect(debited).toBeGreaterThan(opening / 2n);
    expect(changed(accounts, id, (account) => ({ ...account }))).toEqual({
      balance: opening - debited,
      held: 0n,
      elsewhere: 0n,
      epoch: 0,
      holds: 0,
    });
  }
});
