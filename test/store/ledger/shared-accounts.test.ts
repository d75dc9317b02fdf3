import { expect, test } from "vitest";
import { organizationsMax } from "../../../src/contract/limits.ts";
import { microUsd } from "../../../src/contract/money.ts";
import { emptyAccount } from "../../../src/store/ledger/account-states.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";

test("every organization that there may be has room for its account", () => {
  const accounts = new SharedAccounts();
  for (let i = 0; i < organizationsMax; i++) accounts.open(`org_${i}`, emptyAccount());
  const last = `org_${organizationsMax - 1}`;
  accounts.change(last, (account) => {
    account.balance = microUsd(5n);
  });
  expect(accounts.change(last, ({ balance }) => balance)).toBe(5n);
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
