import type { LedgerEntry } from "../../contract/ledger.ts";
import { formatUsd, microUsd, type MicroUsd } from "../../contract/money.ts";
import type { JournalOperation, JournalTables, RefusedEntryRow } from "./batch.ts";
import type { ChangedRows } from "./changed-rows.ts";

type Operation<Kind extends JournalOperation["kind"]> = Extract<JournalOperation, { kind: Kind }>;

/**
 * Entries and debts as a batch writes them; call it inside the batch's transaction. The store decides
 * (docs/decisions/0029), independent of the callers' checks: a key has one entry, no balance is below
 * zero, and entries get their numbers when they are written. The bookkeeper's number and balance for
 * an entry are predictions. They are right as long as no entry is refused. A refused entry leaves a
 * row, which the ledger uses to take back the entry's change in memory.
 */
export class BookRows {
  readonly #tables: JournalTables;
  readonly #changed: ChangedRows;

  constructor(tables: JournalTables, changed: ChangedRows) {
    this.#tables = tables;
    this.#changed = changed;
  }

  open({ orgId }: Operation<"open">): void {
    if (this.#changed.balanceOf(orgId) !== undefined) return;
    this.#changed.balance(orgId, emptyBalance);
  }

  entry({ orgId, amount, entry }: Operation<"entry">): void {
    const { idempotencyKey, type } = entry;
    const row = this.#changed.balanceOf(orgId) ?? emptyBalance;
    const before = BigInt(row.balance);
    const after = microUsd(type === "debit" ? before - amount : before + amount);
    const about = { orgId, type, amount: String(amount), idempotencyKey };
    if (this.#numberOf(orgId, idempotencyKey) !== undefined) {
      this.#refuse({ ...about, reason: "duplicate_key" }, entry);
      return;
    }
    if (after < 0n) {
      // The request was served but the balance does not cover it, so its cost is owed.
      if (type === "debit") this.#oweEntry(orgId, amount, entry);
      this.#refuse({ ...about, reason: "not_covered" }, entry);
      return;
    }
    const number = row.entries + 1;
    const written = { ...entry, id: String(number), balanceAfterUsd: formatUsd(after) };
    this.#tables.ledger.putSync([orgId, number], written);
    this.#tables.ledgerKeys.putSync([orgId, idempotencyKey], number);
    this.#changed.balance(orgId, { v: 1, balance: String(after), entries: number });
    this.#changed.addToMonth(orgId, amount, entry);
  }

  /** Writes one debt for a request, and none if the request is already debited. */
  owe({ orgId, debt }: Operation<"owe">): void {
    const { requestId, cost, owedAt = "" } = debt;
    const { debts, debtsByAge } = this.#tables;
    const isKnown =
      debts.get([orgId, requestId]) !== undefined || this.#numberOf(orgId, requestId) !== undefined;
    if (isKnown) {
      const about = { orgId, type: "debt", amount: cost, idempotencyKey: requestId } as const;
      this.#refuse({ ...about, reason: "duplicate_key" }, { requestId, createdAt: owedAt });
      return;
    }
    debts.putSync([orgId, requestId], debt);
    debtsByAge.putSync([orgId, owedAt, requestId], true);
  }

  /** A debt ends with its debit; if the debit was refused, the debt stays. */
  unowe({ orgId, requestId }: Operation<"unowe">): void {
    const { debts, debtsByAge } = this.#tables;
    const debt = debts.get([orgId, requestId]);
    if (debt === undefined || this.#numberOf(orgId, requestId) === undefined) return;
    debts.removeSync([orgId, requestId]);
    debtsByAge.removeSync([orgId, debt.owedAt ?? "", requestId]);
  }

  #oweEntry(orgId: string, amount: MicroUsd, entry: LedgerEntry): void {
    const { requestId, createdAt: owedAt, catalogVersion, usage } = entry;
    if (requestId === null) throw new Error("a debit is of a request");
    // The debit of a debt was refused: the debt is already written.
    if (this.#tables.debts.get([orgId, requestId]) !== undefined) return;
    const debt = { requestId, owedAt, cost: String(amount), catalogVersion, usage };
    this.owe({ kind: "owe", orgId, debt });
  }

  #numberOf(orgId: string, idempotencyKey: string): number | undefined {
    return this.#tables.ledgerKeys.get([orgId, idempotencyKey]);
  }

  #refuse(
    about: Omit<RefusedEntryRow, "requestId" | "createdAt">,
    { requestId, createdAt }: Pick<RefusedEntryRow, "requestId" | "createdAt">,
  ): void {
    const { meta, refusedEntries } = this.#tables;
    const number = (meta.get("refusedEntryCount") ?? 0) + 1;
    meta.putSync("refusedEntryCount", number);
    refusedEntries.putSync(number, { ...about, requestId, createdAt });
  }
}

const emptyBalance = { v: 1, balance: "0", entries: 0 } as const;
