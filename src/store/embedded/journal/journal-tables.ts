import type { Database, RootDatabase } from "lmdb";
import type { LedgerEntry } from "../../../contract/ledger.ts";
import type { TimeSpan } from "../../audit/event-times.ts";
import type { ProviderStateRow } from "../../provider-state/provider-state.ts";
import { openJobTables, type LmdbJobTables } from "../jobs/job-tables.ts";
import type { WindowTable } from "../window-table.ts";
import type {
  BalanceRow,
  Debt,
  ErasureRow,
  HoldRow,
  JournalCount,
  JournalTables,
  MonthRow,
  RefusedEntryRow,
} from "../../journal/batch.ts";

/** The LMDB tables that only the journal writes; `JournalTables` says what they hold. */
export interface LmdbJournalTables extends LmdbJobTables, Omit<JournalTables, keyof LmdbJobTables> {
  readonly meta: Database<number, JournalCount>;
  readonly events: Database<Uint8Array, number>;
  readonly eventTimes: Database<TimeSpan, [level: number, index: number]>;
  readonly tiles: Database<Uint8Array, [level: number, index: number]>;
  /** Signed notes by the number of events that they cover. */
  readonly checkpoints: Database<string, number>;
  readonly holds: Database<HoldRow, string>;
  readonly balances: Database<BalanceRow, string>;
  readonly ledger: Database<LedgerEntry, [orgId: string, number: number]>;
  readonly ledgerKeys: Database<number, [orgId: string, idempotencyKey: string]>;
  readonly ledgerMonths: Database<MonthRow, [orgId: string, month: string]>;
  readonly debts: Database<Debt, [orgId: string, requestId: string]>;
  readonly debtsByAge: Database<true, [orgId: string, owedAt: string, requestId: string]>;
  readonly refusedEntries: Database<RefusedEntryRow, number>;
  readonly providerState: Database<ProviderStateRow, [orgId: string, id: string]>;
  readonly erasures: Database<ErasureRow, string>;
  readonly rateWindows: WindowTable;
  readonly passthroughWindows: WindowTable;
  readonly usageWindows: WindowTable;
  readonly usageLog: Database<string, number>;
}

export function openJournalTables(root: RootDatabase): LmdbJournalTables {
  const encoding = "json";
  return {
    ...openJobTables(root),
    meta: root.openDB({ name: "journalMeta", encoding }),
    events: root.openDB({ name: "events", encoding: "binary" }),
    eventTimes: root.openDB({ name: "eventTimes", encoding }),
    tiles: root.openDB({ name: "tiles", encoding: "binary" }),
    checkpoints: root.openDB({ name: "checkpoints", encoding }),
    holds: root.openDB({ name: "holds", encoding }),
    balances: root.openDB({ name: "balances", encoding }),
    ledger: root.openDB({ name: "ledger", encoding }),
    ledgerKeys: root.openDB({ name: "ledgerKeys", encoding }),
    ledgerMonths: root.openDB({ name: "ledgerMonths", encoding }),
    debts: root.openDB({ name: "debts", encoding }),
    debtsByAge: root.openDB({ name: "debtsByAge", encoding }),
    refusedEntries: root.openDB({ name: "refusedEntries", encoding }),
    providerState: root.openDB({ name: "providerState", encoding }),
    erasures: root.openDB({ name: "erasures", encoding }),
    rateWindows: root.openDB({ name: "rateWindows", encoding: "binary" }),
    passthroughWindows: root.openDB({ name: "passthroughWindows", encoding: "binary" }),
    usageWindows: root.openDB({ name: "usageWindows", encoding: "binary" }),
    usageLog: root.openDB({ name: "usageLog", encoding: "string" }),
  };
}
