import type { ProviderStateRow } from "../../src/store/provider-state/provider-state.ts";
import type { LedgerEntry } from "../../src/contract/ledger.ts";
import type {
  BalanceRow,
  Debt,
  HoldRow,
  JournalCount,
  JournalTables,
  MonthRow,
  RefusedEntryRow,
  Rows,
} from "../../src/store/journal/batch.ts";
import type { TimeSpan } from "../../src/store/audit/event-times.ts";
import type { LedgerReads } from "../../src/store/embedded/ledger/ledger-reads.ts";
import { amountOf } from "./amounts.ts";

/** Undoes the steps of a transaction, the last one first. */
type UndoLog = (() => void)[];

class MemoryRows<K, V> implements Rows<K, V> {
  readonly #rows: Map<string, { readonly key: K; readonly value: V }>;
  readonly #undo: UndoLog;
  /** Told of a row that is written over; undefined where rows may be. */
  readonly #overwritten: ((key: K) => void) | undefined;

  constructor(undo: UndoLog, from?: MemoryRows<K, V>, overwritten?: (key: K) => void) {
    this.#rows = new Map(from === undefined ? [] : from.#rows);
    this.#undo = undo;
    this.#overwritten = overwritten;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: K): V | undefined {
    return this.#rows.get(JSON.stringify(key))?.value;
  }

  putSync(key: K, value: V): void {
    if (this.get(key) !== undefined) this.#overwritten?.(key);
    this.#set(JSON.stringify(key), { key, value });
  }

  removeSync(key: K): void {
    this.#set(JSON.stringify(key), undefined);
  }

  /** As LMDB's, in no order. */
  getRange(): Iterable<{ readonly key: K; readonly value: V }> {
    return [...this.all()];
  }

  *all(): Iterable<{ readonly key: K; readonly value: V }> {
    yield* this.#rows.values();
  }

  #set(id: string, row: { readonly key: K; readonly value: V } | undefined): void {
    const before = this.#rows.get(id);
    this.#undo.push(() => {
      if (before === undefined) this.#rows.delete(id);
      else this.#rows.set(id, before);
    });
    if (row === undefined) this.#rows.delete(id);
    else this.#rows.set(id, row);
  }
}

export interface MemoryTables extends JournalTables {
  readonly meta: MemoryRows<JournalCount, number>;
  readonly events: MemoryRows<number, Uint8Array>;
  readonly eventTimes: MemoryRows<[level: number, index: number], TimeSpan>;
  readonly tiles: MemoryRows<[level: number, index: number], Uint8Array>;
  readonly holds: MemoryRows<string, HoldRow>;
  readonly balances: MemoryRows<string, BalanceRow>;
  readonly ledger: MemoryRows<[orgId: string, number: number], LedgerEntry>;
  readonly ledgerKeys: MemoryRows<[orgId: string, idempotencyKey: string], number>;
  readonly ledgerMonths: MemoryRows<[orgId: string, month: string], MonthRow>;
  readonly debts: MemoryRows<[orgId: string, requestId: string], Debt>;
  readonly debtsByAge: MemoryRows<[orgId: string, owedAt: string, requestId: string], true>;
  readonly refusedEntries: MemoryRows<number, RefusedEntryRow>;
  readonly rateWindows: MemoryRows<string, Uint8Array>;
  readonly passthroughWindows: MemoryRows<string, Uint8Array>;
  readonly usageWindows: MemoryRows<string, Uint8Array>;
  readonly usageLog: MemoryRows<number, string>;
  readonly providerState: MemoryRows<[orgId: string, id: string], ProviderStateRow>;
}

/** The journal's tables in memory, with transactions. Ledger rows are written once. */
export class MemoryStore {
  readonly tables: MemoryTables;
  readonly #undo: UndoLog = [];

  /** `fail` is told of a ledger row that is written over. */
  constructor(fail: (violation: string) => void, from?: MemoryStore) {
    const undo = this.#undo;
    const before = from?.tables;
    const once =
      (what: string) =>
      (key: unknown): void =>
        fail(`${what} ${String(key)} is written twice`);
    this.tables = {
      meta: new MemoryRows(undo, before?.meta),
      events: new MemoryRows(undo, before?.events, (first) => fail(`event ${first} is lost`)),
      eventTimes: new MemoryRows(undo, before?.eventTimes),
      tiles: new MemoryRows(undo, before?.tiles),
      holds: new MemoryRows(undo, before?.holds, (id) => fail(`${id} holds twice`)),
      balances: new MemoryRows(undo, before?.balances),
      ledger: new MemoryRows(undo, before?.ledger, once("the entry")),
      ledgerKeys: new MemoryRows(undo, before?.ledgerKeys, once("the idempotency key")),
      ledgerMonths: new MemoryRows(undo, before?.ledgerMonths),
      debts: new MemoryRows(undo, before?.debts, once("the debt")),
      debtsByAge: new MemoryRows(undo, before?.debtsByAge, once("the debt's age")),
      refusedEntries: new MemoryRows(undo, before?.refusedEntries, once("the refusal")),
      usageWindows: new MemoryRows(undo, before?.usageWindows),
      usageLog: new MemoryRows(undo, before?.usageLog),
      // No world restarts its rate windows, nor has batch jobs or erases anything.
      erasures: new MemoryRows(undo),
      providerState: new MemoryRows(undo, before?.providerState),
      rateWindows: new MemoryRows(undo),
      passthroughWindows: new MemoryRows(undo),
      jobs: new MemoryRows(undo),
      jobItems: new MemoryRows(undo),
      jobStates: new MemoryRows(undo),
      jobPayloads: new MemoryRows(undo),
      jobResults: new MemoryRows(undo),
      jobsOpen: new MemoryRows(undo),
      jobsToCome: new MemoryRows(undo),
      jobsByOrg: new MemoryRows(undo),
      jobsByEnd: new MemoryRows(undo),
    };
  }

  /** All of `run` or, where it throws, nothing. */
  transaction(run: () => void): void {
    this.#undo.length = 0;
    try {
      run();
    } catch (error) {
      while (this.#undo.length > 0) this.#undo.pop()?.();
      throw error;
    }
  }

  /** What is debited or owed for a request; undefined for nothing. */
  recordedCharge(orgId: string, requestId: string): bigint | undefined {
    const entry = this.reads.entryByKey(orgId, requestId);
    if (entry !== undefined) return amountOf(entry.amountUsd);
    const debt = this.tables.debts.get([orgId, requestId]);
    return debt === undefined ? undefined : BigInt(debt.cost);
  }

  /** What there is of money: equal for stores with the same books. */
  booksText(): string {
    const { meta, holds, balances, ledger, ledgerMonths, debts, refusedEntries } = this.tables;
    const rows = [meta, holds, balances, ledger, ledgerMonths, debts, refusedEntries].map((table) =>
      Array.from<object, string>(table.all(), (row) => JSON.stringify(row)).sort(),
    );
    return JSON.stringify(rows);
  }

  get reads(): LedgerReads {
    const { meta, balances, holds, debts, debtsByAge } = this.tables;
    const { ledger, ledgerKeys, ledgerMonths, refusedEntries } = this.tables;
    return {
      lastBatch: meta.get("journalBatch") ?? 0,
      balances: () => [...balances.all()],
      holds: () => [...holds.all()],
      debtors: () => new Set(Array.from(debtsByAge.all(), ({ key: [orgId] }) => orgId)),
      debts: (orgId, after, limit) =>
        Array.from(debtsByAge.all(), ({ key: [of, owedAt, id] }) => ({ of, age: [owedAt, id] }))
          .filter(({ of, age }) => of === orgId && isBehind(age, after))
          .sort((one, other) => (String(one.age) < String(other.age) ? -1 : 1))
          .slice(0, limit)
          .flatMap(({ age: [, id = ""] }) => debts.get([orgId, id]) ?? []),
      owes: (orgId, requestId) => debts.get([orgId, requestId]) !== undefined,
      refusedEntryCount: meta.get("refusedEntryCount") ?? 0,
      refusedEntries: (limit) =>
        [...refusedEntries.all()].sort((one, other) => one.key - other.key).slice(0, limit),
      entryByKey(orgId, idempotencyKey) {
        const number = ledgerKeys.get([orgId, idempotencyKey]);
        return number === undefined ? undefined : ledger.get([orgId, number]);
      },
      entriesBefore: (orgId, before, limit) =>
        [...ledger.all()]
          .filter(({ key }) => key[0] === orgId && key[1] < before)
          .sort((one, other) => other.key[1] - one.key[1])
          .slice(0, limit)
          .map(({ value }) => value),
      months: (orgId, limit) =>
        [...ledgerMonths.all()]
          .filter(({ key }) => key[0] === orgId)
          .map(({ key: [, month], value: row }) => ({ month, row }))
          .sort((one, other) => (one.month < other.month ? 1 : -1))
          .slice(0, limit),
    };
  }
}

function isBehind(age: readonly string[], after: Debt | null): boolean {
  return after === null || String(age) > String([after.owedAt ?? "", after.requestId]);
}
