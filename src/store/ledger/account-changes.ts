import { microUsd, type MicroUsd } from "../../contract/money.ts";
import type { AccountState } from "./account-states.ts";
import { balanceVerdict } from "./hold-refusals.ts";
import type { AccountBalance } from "./ledger.ts";

/*
 * The changes that requests make to an account. A change must only touch the state that it is given,
 * because it runs again if another thread was faster.
 */

/** The outcome of a hold on an account. */
export type PlacedHold = { readonly refused: null; readonly after: AccountBalance } | RefusedHold;

export interface RefusedHold {
  readonly refused: "insufficient_balance" | "payg_reserved" | "payg_busy";
  readonly before: AccountBalance;
}

export function spendable({ balance, held, holds }: AccountState): AccountBalance {
  return { balance, available: microUsd(balance - held), holds };
}

/** Holds the estimate if the balance covers it and there are fewer than `holdsMax` holds. */
export function placeHold(account: AccountState, estimate: MicroUsd, holdsMax: number): PlacedHold {
  const before = spendable(account);
  const refused = balanceVerdict(estimate, before);
  if (refused !== null) return { refused, before };
  if (account.holds >= holdsMax) return { refused: "payg_busy", before };
  account.held = microUsd(account.held + estimate);
  account.holds += 1;
  return { refused: null, after: spendable(account) };
}

export function giveBack(account: AccountState, amount: MicroUsd): void {
  account.held = microUsd(account.held - amount);
  account.holds -= 1;
}

/** Returns false and changes nothing if the available balance does not cover the cost. */
export function debit(account: AccountState, cost: MicroUsd): boolean {
  if (cost > spendable(account).available) return false;
  account.balance = microUsd(account.balance - cost);
  return true;
}
