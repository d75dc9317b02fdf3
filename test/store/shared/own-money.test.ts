import { expect, test } from "vitest";
import { microUsd } from "../../../src/contract/money.ts";
import type { ReturnOperation } from "../../../src/store/journal/batch.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";
import { OwnMoney } from "../../../src/store/shared/own-money.ts";

function ownMoney() {
  const returned: ReturnOperation[] = [];
  const own = new OwnMoney(new SharedAccounts(), (operation) => returned.push(operation));
  const amounts = (): readonly bigint[] => returned.map(({ amount }) => amount);
  return { own, amounts };
}

function figures(balance: bigint, own: bigint) {
  return { balance: microUsd(balance), own: microUsd(own) };
}

test("a grant goes back, although the answer to a flush before it comes later", () => {
  const { own, amounts } = ownMoney();
  own.told("org", figures(1_000n, 48n), 48n);
  own.told("org", figures(1_000n, 0n));
  own.returnIdle();
  own.returnIdle();
  expect(amounts()).toEqual([48n]);
});

test("others get such a grant as soon as they ask for it", () => {
  const { own, amounts } = ownMoney();
  own.told("org", figures(1_000n, 48n), 48n);
  own.told("org", figures(1_000n, 0n));
  own.recalled("org");
  expect(amounts()).toEqual([48n]);
});

test("what has gone back goes back once", () => {
  const { own, amounts } = ownMoney();
  own.told("org", figures(1_000n, 48n), 48n);
  own.recalled("org");
  own.returned([{ orgId: "org", amount: microUsd(48n) }]);
  own.told("org", figures(1_000n, 0n));
  own.recalled("org");
  own.returnIdle();
  own.returnIdle();
  expect(amounts()).toEqual([48n]);
});
