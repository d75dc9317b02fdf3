import type { AccountState, AccountStates } from "./account-states.ts";

/** Accounts of a gateway that serves with one thread: nobody else can see a state while it changes. */
export class LocalAccounts implements AccountStates {
  readonly #accounts = new Map<string, AccountState>();

  change<T>(orgId: string, change: (account: AccountState) => T): T | undefined {
    const account = this.#accounts.get(orgId);
    return account === undefined ? undefined : change(account);
  }

  open(orgId: string, state: AccountState): boolean {
    if (this.#accounts.has(orgId)) return false;
    this.#accounts.set(orgId, state);
    return true;
  }

  organizations(): Iterable<string> {
    return this.#accounts.keys();
  }
}
