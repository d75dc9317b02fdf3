import { accountsMax } from "../../contract/limits.ts";
import { microUsd, type MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { countersBusy } from "../slots/counters-busy.ts";
import { SharedSlots } from "../slots/shared-slots.ts";
import type { AccountState, AccountStates } from "./account-states.ts";
import { notProvisioned } from "./hold-refusals.ts";

/** 64-bit words of a slot. `open`: the epoch plus 1; 0 if there is no account. */
const word = { balance: 0, held: 1, holds: 2, open: 3, elsewhere: 4 } as const;
const bytesPerSlot = 5 * 8;

/**
 * Accounts in shared memory, so that several threads spend one balance exactly (design: Store). If a
 * thread stops or ends in the middle of a change, it has changed nothing, and no other thread waits
 * for it.
 */
export class SharedAccounts implements AccountStates {
  readonly #slots: SharedSlots;

  /** `buffer`: the buffer of another thread's accounts. `between`: see `SlotMemoryOptions.between`. */
  constructor(buffer?: SharedArrayBuffer, between?: () => void) {
    this.#slots = new SharedSlots({
      slots: accountsMax,
      bytesPerSlot,
      ...(buffer === undefined ? {} : { buffer }),
      ...(between === undefined ? {} : { between }),
    });
  }

  get buffer(): SharedArrayBuffer {
    return this.#slots.buffer;
  }

  change<T>(orgId: string, change: (account: AccountState) => T): Outcome<T> {
    const slot = this.#slots.find(orgId);
    if (slot === undefined) return notProvisioned;
    let made: Outcome<T> = notProvisioned;
    const update = this.#slots.change(slot, (cell) => {
      if (!this.#isOpen(cell)) return false;
      const account = this.#read(cell);
      const before = { ...account };
      made = accept(change(account));
      if (isSame(account, before)) return false;
      this.#write(cell, account);
      return true;
    });
    return update === "busy" ? countersBusy : made;
  }

  open(orgId: string, state: AccountState): boolean {
    const update = this.#slots.changeOf(orgId, (cell) => {
      if (this.#isOpen(cell)) return false;
      this.#write(cell, state);
      return true;
    });
    if (update === "full") throw new Error(`more than ${accountsMax} accounts`);
    if (update === "busy") throw new Error("two threads open accounts");
    return update === "changed";
  }

  *balances(): Generator<MicroUsd> {
    for (let index = 0; index < this.#slots.end; index++) {
      let balance: MicroUsd | undefined;
      this.#slots.look(index, (cell) => {
        if (this.#isOpen(cell)) balance = this.#read(cell).balance;
      });
      if (balance !== undefined) yield balance;
    }
  }

  #isOpen(cell: number): boolean {
    return this.#slots.int64[this.#at(cell, word.open)] !== 0n;
  }

  #read(cell: number): AccountState {
    const { int64 } = this.#slots;
    return {
      balance: microUsd(int64[this.#at(cell, word.balance)] ?? 0n),
      held: microUsd(int64[this.#at(cell, word.held)] ?? 0n),
      holds: Number(int64[this.#at(cell, word.holds)]),
      elsewhere: microUsd(int64[this.#at(cell, word.elsewhere)] ?? 0n),
      epoch: Number(int64[this.#at(cell, word.open)]) - 1,
    };
  }

  #write(cell: number, { balance, held, holds, elsewhere, epoch }: AccountState): void {
    const { int64 } = this.#slots;
    int64[this.#at(cell, word.balance)] = balance;
    int64[this.#at(cell, word.held)] = held;
    int64[this.#at(cell, word.holds)] = BigInt(holds);
    int64[this.#at(cell, word.elsewhere)] = elsewhere;
    int64[this.#at(cell, word.open)] = BigInt(epoch + 1);
  }

  #at(cell: number, at: number): number {
    return (cell * this.#slots.bytesPerCell) / 8 + at;
  }
}

function isSame(one: AccountState, other: AccountState): boolean {
  return (
    one.balance === other.balance &&
    one.held === other.held &&
    one.holds === other.holds &&
    one.elsewhere === other.elsewhere &&
    one.epoch === other.epoch
  );
}
