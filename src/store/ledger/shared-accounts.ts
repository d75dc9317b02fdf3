import { accountsMax } from "../../contract/limits.ts";
import { microUsd, type MicroUsd } from "../../contract/money.ts";
import { SharedSlots } from "../shared-slots.ts";
import type { AccountState, AccountStates } from "./account-states.ts";

/** 64-bit words of a slot. */
const word = { balance: 0, held: 1, holds: 2, open: 3 } as const;
const words = 4;

/**
 * Accounts in shared memory with one lock each, so that several threads spend one balance exactly
 * (design: Store). A thread that dies inside a lock leaves amounts of one moment or the next one,
 * for each is written once, at the end.
 */
export class SharedAccounts implements AccountStates {
  readonly #slots: SharedSlots;

  /** `buffer`: that of another thread's accounts. */
  constructor(buffer?: SharedArrayBuffer) {
    const shape = { slots: accountsMax, bytesPerSlot: words * 8 };
    this.#slots = new SharedSlots(buffer === undefined ? shape : { ...shape, buffer });
  }

  get buffer(): SharedArrayBuffer {
    return this.#slots.buffer;
  }

  change<T>(orgId: string, change: (account: AccountState) => T): T | undefined {
    if (this.#slots.find(orgId) === undefined) return undefined;
    return this.#slots.withLock(orgId, (index) => {
      const first = index * words;
      if (this.#slots.int64[first + word.open] !== 1n) return undefined;
      const account = this.#read(first);
      const changed = change(account);
      this.#write(first, account);
      return changed;
    });
  }

  open(orgId: string, state: AccountState): boolean {
    const opened = this.#slots.withLock(orgId, (index) => {
      const first = index * words;
      if (this.#slots.int64[first + word.open] === 1n) return false;
      this.#slots.int64[first + word.open] = 1n;
      this.#write(first, state);
      return true;
    });
    if (opened === undefined) throw new Error(`more than ${accountsMax} accounts`);
    return opened;
  }

  /** Without locks, for the metrics ask it of all of them: a balance is one word, written once. */
  *balances(): Generator<MicroUsd> {
    const { int64 } = this.#slots;
    for (let first = 0; first < int64.length; first += words) {
      if (int64[first + word.open] === 1n) yield microUsd(int64[first + word.balance] ?? 0n);
    }
  }

  #read(first: number): AccountState {
    const { int64 } = this.#slots;
    return {
      balance: microUsd(int64[first + word.balance] ?? 0n),
      held: microUsd(int64[first + word.held] ?? 0n),
      holds: Number(int64[first + word.holds]),
    };
  }

  #write(first: number, { balance, held, holds }: AccountState): void {
    const { int64 } = this.#slots;
    int64[first + word.balance] = balance;
    int64[first + word.held] = held;
    int64[first + word.holds] = BigInt(holds);
  }
}
