import { microUsd, type MicroUsd } from "../../contract/money.ts";
import type { ReturnOperation } from "../journal/batch.ts";
import { spendable } from "../ledger/account-changes.ts";
import { emptyAccount, type AccountState, type AccountStates } from "../ledger/account-states.ts";
import type { AccountBalance } from "../ledger/ledger.ts";
import type { AccountAfter, Amount } from "./functions.ts";

/** This gateway's escrow of one organization. */
interface Part {
  /** As the store has told it last. */
  stored: bigint;
  /** What of it is on its way back to the store. */
  returning: bigint;
  /** What was idle at the last look. */
  idle: bigint;
}

/**
 * What this gateway may spend of each organization's balance without asking. An account's `balance` less its `elsewhere` is
 * that part: what the store has granted, less what was spent or returned and may not be flushed yet. So it is never more
 * than what the store has for this gateway. For the main thread; other threads spend from the same accounts.
 */
export class OwnMoney {
  readonly #accounts: AccountStates;
  readonly #append: (operation: ReturnOperation) => void;
  readonly #parts = new Map<string, Part>();
  #epoch = 0;

  /** `append` writes what is returned with the next flush. */
  constructor(accounts: AccountStates, append: (operation: ReturnOperation) => void) {
    this.#accounts = accounts;
    this.#append = append;
  }

  /** Grows when everything that was granted is gone. */
  get epoch(): number {
    return this.#epoch;
  }

  /** What may be spent here now; undefined if no account is known. */
  spendable(orgId: string): AccountBalance | undefined {
    return this.#change(orgId, spendable);
  }

  /** The store's figures. Of `own`, `raised` is new. */
  told(orgId: string, { balance, own }: Pick<AccountAfter, "balance" | "own">, raised = 0n): void {
    const part = this.#partOf(orgId);
    part.stored = own;
    this.#set(orgId, balance - own + part.returning, raised);
    this.#forgetUnused(orgId, part);
  }

  /** The organization's whole balance, as the store has it. */
  toldBalance(orgId: string, balance: MicroUsd): void {
    const part = this.#parts.get(orgId);
    const elsewhere = balance - (part?.stored ?? 0n) + (part?.returning ?? 0n);
    // What the store had told of this gateway's part may be older than the balance.
    this.#set(orgId, elsewhere > 0n ? elsewhere : 0n, 0n);
  }

  /** The store has granted this, and its answer was lost. */
  late(orgId: string, amount: bigint): void {
    this.#partOf(orgId).stored += amount;
    const raise = (account: AccountState): void => {
      const known = account.elsewhere < amount ? account.elsewhere : amount;
      account.elsewhere = microUsd(account.elsewhere - known);
      account.balance = microUsd(account.balance - known + amount);
      account.epoch = this.#epoch;
    };
    if (this.#isOpen(orgId)) this.#change(orgId, raise);
    else this.#open(orgId, raise);
  }

  /** The store has left this in the escrow, although it was spent here. */
  giveBack(orgId: string, amount: bigint): void {
    if (amount === 0n) return;
    this.#change(orgId, (account) => (account.balance = microUsd(account.balance + amount)));
  }

  /** A flush has brought this back to the store. Call it before the flush's figures are told. */
  returned(amounts: readonly Amount[]): void {
    for (const { orgId, amount } of amounts) {
      const part = this.#parts.get(orgId);
      if (part !== undefined) part.returning -= amount;
    }
  }

  /** Returns what was idle at the last look, and still is. */
  returnIdle(): void {
    for (const [orgId, part] of this.#parts) this.#return(orgId, part, part.idle);
  }

  /** Returns what is idle now: others need it. */
  recalled(orgId: string): void {
    const part = this.#parts.get(orgId);
    if (part !== undefined) this.#return(orgId, part, null);
  }

  /** Nothing is left of what was granted. Grants from here on are of this epoch. */
  lost(epoch: number): void {
    this.#epoch = epoch;
    for (const orgId of this.#parts.keys()) {
      this.#change(orgId, (account) => {
        account.elsewhere = account.balance;
        account.epoch = epoch;
      });
    }
    this.#parts.clear();
  }

  #set(orgId: string, elsewhere: bigint, raised: bigint): void {
    const set = (account: AccountState): void => {
      const own = account.balance - account.elsewhere + raised;
      account.elsewhere = microUsd(elsewhere);
      account.balance = microUsd(own + elsewhere);
      account.epoch = this.#epoch;
    };
    if (this.#isOpen(orgId)) this.#change(orgId, set);
    else this.#open(orgId, set);
  }

  #isOpen(orgId: string): boolean {
    return this.#change(orgId, () => true) !== undefined;
  }

  #open(orgId: string, set: (account: AccountState) => void): void {
    const opened = emptyAccount();
    set(opened);
    this.#accounts.open(orgId, opened);
  }

  #return(orgId: string, part: Part, most: bigint | null): void {
    let amount = 0n;
    const idle = this.#change(orgId, (account) => {
      const { available } = spendable(account);
      const idle = available > 0n ? available : 0n;
      amount = most === null || idle < most ? idle : most;
      account.elsewhere = microUsd(account.elsewhere + amount);
      return idle - amount;
    });
    part.idle = idle ?? 0n;
    if (amount === 0n) return;
    part.returning += amount;
    this.#append({ kind: "return", orgId, amount: microUsd(amount), epoch: this.#epoch });
  }

  #partOf(orgId: string): Part {
    let part = this.#parts.get(orgId);
    if (part === undefined)
      this.#parts.set(orgId, (part = { stored: 0n, returning: 0n, idle: 0n }));
    return part;
  }

  /** An answer to a flush may be older than a grant that came before it. Then there is money here that must go back. */
  #forgetUnused(orgId: string, { stored, returning }: Part): void {
    if (stored !== 0n || returning !== 0n) return;
    const here = this.#change(orgId, ({ balance, elsewhere }) => balance - elsewhere) ?? 0n;
    if (here === 0n) this.#parts.delete(orgId);
  }

  /** Undefined if there is no such account. */
  #change<T>(orgId: string, change: (account: AccountState) => T): T | undefined {
    for (let tries = 0; tries < changeTriesMax; tries += 1) {
      const changed = this.#accounts.change(orgId, change);
      if (changed.ok) return changed.value;
      if (changed.refusal.code !== "detector_unavailable") return undefined;
    }
    throw new Error("an account could not be changed");
  }
}

/** A try fails only if another thread was faster. */
const changeTriesMax = 1_000;
