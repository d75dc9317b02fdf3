import { microUsd, type MicroUsd } from "../../contract/money.ts";
import type { Outcome } from "../../contract/outcome.ts";

/** The money of one organization as requests see it. */
export interface AccountState {
  balance: MicroUsd;
  /** The sum of its live holds; never more than the balance. */
  held: MicroUsd;
  /** Live holds. */
  holds: number;
  /** The part of the balance that other gateways may spend, and this one may not; 0 in a store of one gateway. */
  elsewhere: MicroUsd;
  /** Of what was granted here: it grows when that is gone. 0 in a store of one gateway. */
  epoch: number;
}

/** Every account in memory, by organization. */
export interface AccountStates {
  /**
   * Runs `change` with the account's state and stores the changed state in one step. If another thread
   * has changed the account meanwhile, `change` runs again, so it must have no effects except on the
   * state. Errors: `org_not_provisioned` if there is no such account; `detector_unavailable` if other
   * threads were faster at every try.
   */
  change<T>(orgId: string, change: (account: AccountState) => T): Outcome<T>;
  /** Opens an account; false if it is already open. Only one thread may call this. */
  open(orgId: string, state: AccountState): boolean;
  /** The balance of every open account; the values may be from different moments. */
  balances(): Iterable<MicroUsd>;
}

/** Changes an account that is known to be open; throws if it can't be changed. */
export function changed<T>(
  accounts: AccountStates,
  orgId: string,
  change: (account: AccountState) => T,
): T {
  const outcome = accounts.change(orgId, change);
  if (!outcome.ok) throw new Error(`an account could not be changed: ${outcome.refusal.code}`);
  return outcome.value;
}

export function emptyAccount(): AccountState {
  const none = microUsd(0n);
  return { balance: none, held: none, holds: 0, elsewhere: none, epoch: 0 };
}
