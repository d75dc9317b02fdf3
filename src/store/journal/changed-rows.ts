import type { LedgerEntry } from "../../contract/ledger.ts";
import type { MicroUsd } from "../../contract/money.ts";
import type { BalanceRow, HoldRow, JournalTables, MonthRow } from "./batch.ts";

interface ChangedHold {
  /** null: the row was removed. */
  readonly row: HoldRow | null;
  /** True: an earlier batch has written the row. */
  readonly isStored: boolean;
}

/**
 * Rows that a batch may change many times, written once. A hold that begins and ends within one batch
 * leaves no trace, because no reader could have seen it.
 */
export class ChangedRows {
  readonly #tables: JournalTables;
  readonly #holds = new Map<string, ChangedHold>();
  readonly #balances = new Map<string, BalanceRow>();
  readonly #months = new Map<string, { key: [orgId: string, month: string]; row: MonthRow }>();

  constructor(tables: JournalTables) {
    this.#tables = tables;
  }

  hold(requestId: string, row: HoldRow): void {
    const isStored = this.#holds.get(requestId)?.isStored ?? false;
    this.#holds.set(requestId, { row, isStored });
  }

  unhold(requestId: string): void {
    const isStored = this.#holds.get(requestId)?.isStored ?? true;
    this.#holds.set(requestId, { row: null, isStored });
  }

  /** The balance after the batch's changes so far. */
  balanceOf(orgId: string): BalanceRow | undefined {
    return this.#balances.get(orgId) ?? this.#tables.balances.get(orgId);
  }

  balance(orgId: string, row: BalanceRow): void {
    this.#balances.set(orgId, row);
  }

  addToMonth(orgId: string, amount: MicroUsd, entry: LedgerEntry): void {
    const key: [string, string] = [orgId, entry.createdAt.slice(0, 7)];
    const name = key.join(" ");
    const month = this.#months.get(name)?.row ?? this.#tables.ledgerMonths.get(key) ?? emptyMonth;
    const column = columns[entry.type];
    const row = {
      ...month,
      [column]: String(BigInt(month[column]) + amount),
      entries: month.entries + 1,
    };
    this.#months.set(name, { key, row });
  }

  write(): void {
    const { holds, balances, ledgerMonths } = this.#tables;
    for (const [requestId, { row, isStored }] of this.#holds) {
      if (row !== null) holds.putSync(requestId, row);
      else if (isStored) holds.removeSync(requestId);
    }
    for (const [orgId, row] of this.#balances) balances.putSync(orgId, row);
    for (const { key, row } of this.#months.values()) ledgerMonths.putSync(key, row);
  }
}

const columns = { debit: "debits", top_up: "topUps", correction: "corrections" } as const;
const emptyMonth: MonthRow = { debits: "0", topUps: "0", corrections: "0", entries: 0 };
