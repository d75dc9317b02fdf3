import { microUsd, type MicroUsd } from "../../contract/money.ts";
import type { Outcome } from "../../contract/outcome.ts";

/** The money of one organization as requests see it. */
export interface AccountState {
  balance: MicroUsd;
  /** The sum of its live holds; never more than the balance. */
  held: MicroUsd;
  /** Live holds. */
  holds: number;
}

/** Every account in memory, by organization. */
export interface AccountStates {
  /**
   * Runs `change` with the account's state and keeps what it made of it, all at once, unless another
   * thread has changed the account meanwhile: then `change` runs again. So it must have no effects but
   * on the state. Errors: `org_not_provisioned` where there is no such account; `detector_unavailable`
   * where other threads were quicker every time.
   */
  change<T>(orgId: string, change: (account: AccountState) => T): Outcome<T>;
  /** Opens an account; false where it is open already. For one thread alone. */
  open(orgId: string, state: AccountState): boolean;
  /** The balance of every open account, each as of some moment. */
  balances(): Iterable<MicroUsd>;
}

/** Changes an account that is known to be open; throws where it can't be changed. */
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
  return { balance: microUsd(0n), held: microUsd(0n), holds: 0 };
}
