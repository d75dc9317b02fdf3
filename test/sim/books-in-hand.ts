import type { SpendingOperation } from "../../src/store/ledger/spending.ts";
import type { MemoryStore } from "./memory-store.ts";

interface HeldMoney {
  readonly orgId: string;
  readonly amount: bigint;
}

/**
 * The books as they will be once everything is written: what was appended to the journal, and what
 * proxy threads have on its way there.
 */
export class BooksInHand {
  /** What was appended. */
  readonly store: MemoryStore;
  readonly #underWay: () => readonly SpendingOperation[];
  /** What was refused before the start never was in memory. */
  readonly #refusedBefore: number;

  constructor(store: MemoryStore, underWay: () => readonly SpendingOperation[]) {
    this.store = store;
    this.#underWay = underWay;
    this.#refusedBefore = store.reads.refusedEntryCount;
  }

  /** By request. */
  holds(): ReadonlyMap<string, HeldMoney> {
    const holds = new Map<string, HeldMoney>();
    for (const { key, value } of this.store.tables.holds.all()) {
      holds.set(key, { orgId: value.orgId, amount: BigInt(value.amount) });
    }
    for (const operation of this.#underWay()) {
      if (operation.kind === "hold") holds.set(operation.requestId, operation);
      else if (operation.kind === "unhold") holds.delete(operation.requestId);
    }
    return holds;
  }

  holdsFor(requestId: string): boolean {
    let holds = this.store.tables.holds.get(requestId) !== undefined;
    for (const operation of this.#underWay()) {
      if (operation.kind !== "hold" && operation.kind !== "unhold") continue;
      if (operation.requestId === requestId) holds = operation.kind === "hold";
    }
    return holds;
  }

  /** What is debited or owed for a request; undefined for nothing. */
  charge(orgId: string, requestId: string): bigint | undefined {
    const recorded = this.store.recordedCharge(orgId, requestId);
    if (recorded !== undefined) return recorded;
    for (const operation of this.#underWay()) {
      if (operation.kind === "debit" && operation.requestId === requestId)
        return operation.charge.cost;
      if (operation.kind === "owe" && operation.debt.requestId === requestId)
        return BigInt(operation.debt.cost);
    }
    return undefined;
  }

  /** Of every organization with an account, as the ledger has it in memory. */
  *balances(): Iterable<readonly [orgId: string, balance: bigint]> {
    const debits = new Map<string, bigint>();
    for (const operation of this.#underWay()) {
      if (operation.kind !== "debit") continue;
      const { orgId, charge } = operation;
      debits.set(orgId, (debits.get(orgId) ?? 0n) + charge.cost);
    }
    // What was refused is missing in memory until it is taken back.
    for (const { key: number, value } of this.store.tables.refusedEntries.all()) {
      const { orgId, type, amount } = value;
      if (type === "debit" && number > this.#refusedBefore)
        debits.set(orgId, (debits.get(orgId) ?? 0n) + BigInt(amount));
    }
    for (const { key: orgId, value } of this.store.tables.balances.all()) {
      yield [orgId, BigInt(value.balance) - (debits.get(orgId) ?? 0n)];
    }
  }
}
