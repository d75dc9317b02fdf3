import type { LedgerEntry } from "../../contract/ledger.ts";
import type { BalanceRow, Debt, HoldRow, MonthRow } from "../journal/batch.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";

/** What the ledger reads of what the journal has written. */
export interface LedgerReads {
  readonly lastBatch: number;
  balances(): Iterable<{ readonly key: string; readonly value: BalanceRow }>;
  holds(): Iterable<{ readonly key: string; readonly value: HoldRow }>;
  /** Organizations that owe something. */
  debtors(): Iterable<string>;
  /** Oldest first. */
  debts(orgId: string): readonly Debt[];
  /** The entry with this idempotency key. */
  entryByKey(orgId: string, idempotencyKey: string): LedgerEntry | undefined;
  /** Entries with numbers below `before`, highest first. */
  entriesBefore(orgId: string, before: number, limit: number): readonly LedgerEntry[];
  /** Newest first. */
  months(
    orgId: string,
    limit: number,
  ): readonly { readonly month: string; readonly row: MonthRow }[];
}

export function lmdbLedgerReads(tables: LmdbJournalTables): LedgerReads {
  // lmdb keeps a read transaction for the rest of a turn: it would not see what the journal's thread
  // wrote meanwhile. Tests: ledger.test.ts, "top-up".
  const fresh = (): LmdbJournalTables => {
    tables.ledger.resetReadTxn();
    return tables;
  };
  return {
    lastBatch: fresh().meta.get("journalBatch") ?? 0,
    balances: () => fresh().balances.getRange(),
    holds: () => fresh().holds.getRange(),
    debtors: () =>
      new Set(
        fresh()
          .debts.getKeys()
          .map(([orgId]) => orgId),
      ),
    debts: (orgId) =>
      Array.from(
        fresh().debts.getRange({ start: [orgId, ""], end: [orgId, afterIds] }),
        ({ value }) => value,
      ).sort(byAge),
    entryByKey(orgId, idempotencyKey) {
      const number = fresh().ledgerKeys.get([orgId, idempotencyKey]);
      return number === undefined ? undefined : fresh().ledger.get([orgId, number]);
    },
    entriesBefore: (orgId, before, limit) =>
      Array.from(
        fresh().ledger.getRange({
          start: [orgId, before],
          exclusiveStart: true,
          end: [orgId, 0],
          reverse: true,
          limit,
        }),
        ({ value }) => value,
      ),
    months: (orgId, limit) =>
      Array.from(
        fresh().ledgerMonths.getRange({
          start: [orgId, afterIds],
          end: [orgId, ""],
          reverse: true,
          limit,
        }),
        ({ key: [, month], value }) => ({ month, row: value }),
      ),
  };
}

/** Ids of requests do not sort by time. */
function byAge({ owedAt: one = "" }: Debt, { owedAt: other = "" }: Debt): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Behind every id, for ids are ASCII. */
const afterIds = "\uffff";
