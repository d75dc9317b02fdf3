import { microUsd, type MicroUsd } from "../../contract/money.ts";
import type { AccountState } from "./account-states.ts";
import { balanceVerdict } from "./hold-refusals.ts";
import type { AccountBalance } from "./ledger.ts";

/*
 * What requests do to an account. Each only changes the state that it is given, for it may be done again
 * where another thread was quicker.
 */

/** What became of a hold on an account. */
export type PlacedHold = { readonly refused: null; readonly after: AccountBalance } | RefusedHold;

export interface RefusedHold {
  readonly refused: "insufficient_balance" | "payg_reserved" | "payg_busy";
  readonly before: AccountBalance;
}

export function spendable({ balance, held, holds }: AccountState): AccountBalance {
  return { balance, available: microUsd(balance - held), holds };
}

/** Sets the estimate aside where the balance covers it and there are fewer than `holdsMax` holds. */
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

/** False, and no change, where what is available does not cover the cost. */
export function debit(account: AccountState, cost: MicroUsd): boolean {
  if (cost > spendable(account).available) return false;
  account.balance = microUsd(account.balance - cost);
  return true;
}
