import type { LedgerEntry } from "../../../contract/ledger.ts";
import type { BalanceRow, Debt, HoldRow, MonthRow, RefusedEntryRow } from "../../journal/batch.ts";
import type { LmdbJournalTables } from "../journal/journal-tables.ts";

/** The reads of the ledger from the journal's tables. */
export interface LedgerReads {
  readonly lastBatch: number;
  balances(): Iterable<{ readonly key: string; readonly value: BalanceRow }>;
  holds(): Iterable<{ readonly key: string; readonly value: HoldRow }>;
  /** Organizations that owe something, each once. */
  debtors(): Iterable<string>;
  /** The oldest debts after `after`, at most `limit`; null: from the first. */
  debts(orgId: string, after: Debt | null, limit: number): readonly Debt[];
  /** Whether the request is owed. */
  owes(orgId: string, requestId: string): boolean;
  /** How many entries have been refused so far. */
  readonly refusedEntryCount: number;
  /** Refused entries that the ledger has not taken back yet, the oldest first. */
  refusedEntries(
    limit: number,
  ): readonly { readonly key: number; readonly value: RefusedEntryRow }[];
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
  // lmdb keeps a read transaction for the rest of a turn, which would not show what the journal's
  // thread wrote meanwhile. Tests: ledger.test.ts, "top-up".
  const fresh = (): LmdbJournalTables => {
    tables.ledger.resetReadTxn();
    return tables;
  };
  return {
    lastBatch: fresh().meta.get("journalBatch") ?? 0,
    balances: () => fresh().balances.getRange(),
    holds: () => fresh().holds.getRange(),
    debtors: () => debtorsIn(fresh()),
    debts(orgId, after, limit) {
      const { debts, debtsByAge } = fresh();
      const start: AgedKey =
        after === null ? [orgId, "", ""] : [orgId, after.owedAt ?? "", after.requestId];
      const end: AgedKey = [orgId, afterIds, ""];
      const keys = debtsByAge.getKeys({ start, exclusiveStart: true, end, limit });
      return Array.from(keys, ([, , requestId]) => {
        const debt = debts.get([orgId, requestId]);
        if (debt === undefined) throw new Error("a debt is missing");
        return debt;
      });
    },
    owes: (orgId, requestId) => fresh().debts.get([orgId, requestId]) !== undefined,
    refusedEntryCount: fresh().meta.get("refusedEntryCount") ?? 0,
    refusedEntries: (limit) => Array.from(fresh().refusedEntries.getRange({ limit })),
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

type AgedKey = [orgId: string, owedAt: string, requestId: string];

function* debtorsIn({ debtsByAge }: LmdbJournalTables): Generator<string> {
  let start: AgedKey = ["", "", ""];
  for (;;) {
    const [key] = debtsByAge.getKeys({ start, limit: 1 });
    if (key === undefined) return;
    const [orgId] = key;
    yield orgId;
    start = [orgId, afterIds, ""];
  }
}

/** Sorts after every id, because ids are ASCII. */
const afterIds = "\uffff";
