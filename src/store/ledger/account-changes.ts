import { microUsd, zeroUsd, type MicroUsd } from "../../contract/money.ts";
import type { AccountState } from "./account-states.ts";
import { balanceVerdict } from "./hold-refusals.ts";
import type { AccountBalance } from "./ledger.ts";

/*
 * The changes that requests make to an account. A change must only touch the state that it is given,
 * because it runs again if another thread was faster.
 */

/** The outcome of a hold on an account. */
export type PlacedHold =
  | {
      readonly refused: null;
      readonly after: AccountBalance;
      /** Of what was granted: see `AccountState`. */
      readonly epoch: number;
    }
  | RefusedHold;

export interface RefusedHold {
  readonly refused: "insufficient_balance" | "payg_reserved" | "payg_busy";
  readonly before: AccountBalance;
}

/** The balance as callers see it. Holds of other gateways are not known. */
export function shown({ balance, held, holds }: AccountState): AccountBalance {
  return { balance, available: microUsd(balance - held), holds };
}

/** What may be spent here without asking. */
export function spendable({ balance, held, holds, elsewhere }: AccountState): AccountBalance {
  return { balance, available: microUsd(balance - elsewhere - held), holds };
}

/** Holds the estimate if the balance covers it and there are fewer than `holdsMax` holds. */
export function placeHold(account: AccountState, estimate: MicroUsd, holdsMax: number): PlacedHold {
  const before = spendable(account);
  const refused = balanceVerdict(estimate, before);
  if (refused !== null) return { refused, before };
  if (account.holds >= holdsMax) return { refused: "payg_busy", before };
  account.held = microUsd(account.held + estimate);
  account.holds += 1;
  return { refused: null, after: shown(account), epoch: account.epoch };
}

export function giveBack(account: AccountState, amount: MicroUsd): void {
  account.held = microUsd(account.held - amount);
  account.holds -= 1;
}

/** Takes as much of the cost as is available here, and returns that; the rest is for the shared store to decide. */
export function payPart(account: AccountState, cost: MicroUsd): MicroUsd {
  const { available } = spendable(account);
  const paid = available <= 0n ? zeroUsd : available < cost ? available : cost;
  account.balance = microUsd(account.balance - paid);
  return paid;
}

/** Returns false and changes nothing if the available balance does not cover the cost. */
export function debit(account: AccountState, cost: MicroUsd): boolean {
  if (cost > spendable(account).available) return false;
  account.balance = microUsd(account.balance - cost);
  return true;
}
