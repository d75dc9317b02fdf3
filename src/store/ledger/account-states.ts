import { microUsd, type MicroUsd } from "../../contract/money.ts";

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
  /** Undefined where there is no such account; else runs `change` while nobody else sees the state. */
  change<T>(orgId: string, change: (account: AccountState) => T): T | undefined;
  /** Opens an account; false where it is open already. */
  open(orgId: string, state: AccountState): boolean;
  /** The balance of every open account, each as of some moment. */
  balances(): Iterable<MicroUsd>;
}

export function emptyAccount(): AccountState {
  return { balance: microUsd(0n), held: microUsd(0n), holds: 0 };
}
