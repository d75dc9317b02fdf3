import type { LedgerEntry } from "../../contract/ledger.ts";
import { auditRowEventsMax } from "../../contract/limits.ts";
import type { MicroUsd } from "../../contract/money.ts";
import { appendLeaves, type Tiles } from "../audit/merkle-tree.ts";
import { applyJobOperation, type JobOperation, type JobTables } from "../jobs/job-rows.ts";
import { createdAtOf } from "../audit/event-line.ts";
import { noteEventTimes, type TimeSpan } from "../audit/event-times.ts";
import { leafHash } from "../audit/merkle.ts";
import type {
  BindOperation,
  ProviderStateRow,
  UnbindOperation,
} from "../provider-state/provider-state.ts";
import type { Charge, PaidBy } from "../ledger/ledger.ts";
import type { RateReturnOperation } from "../windows/rate-return.ts";
import type { UsageOperation } from "../windows/usage-count.ts";
import { UsageLog } from "../windows/usage-log.ts";
import { applyWindowChange, type WindowChange } from "../windows/window-change.ts";
import { BookRows } from "./book-rows.ts";
import { ChangedRows } from "./changed-rows.ts";
import { unpackLines, type PackedEvents } from "./packed-events.ts";

/** A change of the books. Each is applied once, in the order in which it was appended. */
export type JournalOperation =
  | {
      readonly kind: "hold";
      readonly requestId: string;
      readonly orgId: string;
      /** Absent in batches of older versions. */
      readonly by?: PaidBy;
      readonly amount: MicroUsd;
      /** Only for the shared store: as of `ChargeOperation`. */
      readonly epoch?: number;
    }
  | { readonly kind: "unhold"; readonly requestId: string }
  /** Opens an account with nothing on it. */
  | { readonly kind: "open"; readonly orgId: string }
  /**
   * A ledger entry with the number and balance that the bookkeeper expects. The store counts for
   * itself, and refuses an entry if its key already has one (`BookRows`).
   */
  | {
      readonly kind: "entry";
      readonly orgId: string;
      readonly amount: MicroUsd;
      readonly entry: LedgerEntry;
    }
  | ChargeOperation
  | ReturnOperation
  /** A debit that the balance could not cover. */
  | { readonly kind: "owe"; readonly orgId: string; readonly debt: Debt }
  | { readonly kind: "unowe"; readonly orgId: string; readonly requestId: string }
  /** The ledger has taken back a refused entry's change in memory. */
  | { readonly kind: "refusalTaken"; readonly number: number }
  /**
   * An erasure of content begins. The next operation says that it is done or that no caller waits
   * for it.
   */
  | { readonly kind: "erasure"; readonly id: string; readonly erasure: ErasureRow }
  | { readonly kind: "erasureEnd"; readonly id: string }
  | { readonly kind: "windows"; readonly table: WindowTableName; readonly change: WindowChange }
  | UsageOperation
  | RateReturnOperation
  | BindOperation
  | UnbindOperation
  | JobOperation;

/** Only for the shared store, which decides whether it is debited or owed. */
export interface ChargeOperation {
  readonly kind: "charge";
  readonly requestId: string;
  readonly orgId: string;
  readonly by: PaidBy;
  readonly charge: Charge;
  /** How much of the cost comes out of this gateway's escrow … */
  readonly paid: MicroUsd;
  /** … that it had in this epoch. In a later one, that is gone. */
  readonly epoch: number;
  /** ISO 8601. */
  readonly at: string;
  /** The item of a batch job that ends with it. */
  readonly item?: { readonly jobId: string; readonly index: number } | undefined;
}

/** Only for the shared store: escrow of this gateway that it does not use. It must be gone from memory before. */
export interface ReturnOperation {
  readonly kind: "return";
  readonly orgId: string;
  readonly amount: MicroUsd;
  /** As in `ChargeOperation`. */
  readonly epoch: number;
}

/** The tables of the windows of limits. */
export type WindowTableName = "rateWindows" | "passthroughWindows" | "usageWindows";

/** The amount that a served request still owes, in the form of its later debit. */
export interface Debt {
  readonly requestId: string;
  /** Absent in rows of older versions. */
  readonly by?: PaidBy;
  /** ISO 8601; absent in rows of older versions. */
  readonly owedAt?: string;
  /** Decimal micro-dollars. */
  readonly cost: string;
  readonly catalogVersion: string | null;
  readonly usage: LedgerEntry["usage"];
}

/** The writes of one flush, all or nothing. */
export interface JournalBatch {
  /** Counts from 1 in each store, so that a batch is not applied twice if its reply got lost. */
  readonly number: number;
  readonly events: readonly PackedEvents[];
  readonly operations: readonly JournalOperation[];
}

/** The operations of `applyBatch` on a table. */
export interface Rows<K, V> {
  get(key: K): V | undefined;
  putSync(key: K, value: V): unknown;
  removeSync(key: K): unknown;
}

export interface HoldRow {
  readonly orgId: string;
  /** Absent in rows of older versions. */
  readonly by?: PaidBy;
  /** Decimal micro-dollars. */
  readonly amount: string;
}

export interface BalanceRow {
  readonly v: 1;
  /** Decimal micro-dollars. */
  readonly balance: string;
  /** Ledger entries so far. */
  readonly entries: number;
}

/** An entry or a debt that was not written. */
export interface RefusedEntryRow {
  readonly orgId: string;
  /** `not_covered`: the balance would have fallen below zero; such a debit is owed. */
  readonly reason: "duplicate_key" | "not_covered";
  readonly type: LedgerEntry["type"] | "debt";
  /** Decimal micro-dollars. */
  readonly amount: string;
  readonly idempotencyKey: string;
  readonly requestId: string | null;
  /** Of the entry, ISO 8601. */
  readonly createdAt: string;
}

/** Readable content that is to be erased. */
export interface ErasureRow {
  readonly orgId: string;
  /** The request whose content is erased; null: all requests of the organization. */
  readonly requestId: string | null;
  /** Unix milliseconds; content that was there at the time of the request is older than this. */
  readonly beforeMs: number;
  /** The index of the event that named the request; null: none. */
  readonly index: number | null;
  readonly byKeyId: string;
}

/** The sums of an organization's ledger in one month, decimal micro-dollars. */
export interface MonthRow {
  readonly debits: string;
  readonly topUps: string;
  readonly corrections: string;
  readonly entries: number;
}

/**
 * `journalBatch`: the last one applied, or in a copy of a shared store the last run; `changeCount`: in such a copy, the
 * changes of the configuration that it has; `eventCount`: audit events so far; `eventTimesFrom`: from this
 * event on all times are indexed, absent if all times are; `refusedEntryCount`: entries that were
 * refused so far.
 */
export type JournalCount =
  "journalBatch" | "changeCount" | "eventCount" | "eventTimesFrom" | "refusedEntryCount";

/** The tables that the journal alone writes. */
export interface JournalTables extends JobTables {
  readonly meta: Rows<JournalCount, number>;
  /** Events that were written together, one on each line, UTF-8; by the index of the first event. */
  readonly events: Rows<number, Uint8Array>;
  readonly eventTimes: Rows<[level: number, index: number], TimeSpan>;
  readonly tiles: Tiles;
  /** By request. */
  readonly holds: Rows<string, HoldRow>;
  /** By organization. */
  readonly balances: Rows<string, BalanceRow>;
  readonly ledger: Rows<[orgId: string, number: number], LedgerEntry>;
  /** The entry's number: one entry per idempotency key and organization. */
  readonly ledgerKeys: Rows<[orgId: string, idempotencyKey: string], number>;
  readonly ledgerMonths: Rows<[orgId: string, month: string], MonthRow>;
  readonly debts: Rows<[orgId: string, requestId: string], Debt>;
  /** The same debts in the order in which they are recovered; "" if a debt has no time. */
  readonly debtsByAge: Rows<[orgId: string, owedAt: string, requestId: string], true>;
  /** By their number: refused entries that the ledger has not taken back yet. */
  readonly refusedEntries: Rows<number, RefusedEntryRow>;
  /** What providers store, by the organization that has created it. */
  readonly providerState: Rows<[orgId: string, id: string], ProviderStateRow>;
  /** By the request that asked for it: erasures that have not ended. */
  readonly erasures: Rows<string, ErasureRow>;
  readonly rateWindows: Rows<string, Uint8Array>;
  readonly passthroughWindows: Rows<string, Uint8Array>;
  readonly usageWindows: Rows<string, Uint8Array>;
  /** Counts that are not in the rows of the usage windows yet; see `UsageLog`. */
  readonly usageLog: Rows<number, string>;
}

/** Writes a batch; call it inside a transaction. A batch that was applied before is skipped. */
export function applyBatch(tables: JournalTables, batch: JournalBatch): void {
  if ((tables.meta.get("journalBatch") ?? 0) >= batch.number) return;
  const { number, operations } = batch;
  applyLines(tables, { number, lines: unpackLines(batch.events), operations });
}

/** A batch whose events are canonical lines. */
export interface BatchOfLines {
  readonly number: number;
  readonly lines: readonly string[];
  readonly operations: readonly JournalOperation[];
}

/** Writes a batch that was not applied before; call it inside a transaction. */
export function applyLines(
  tables: JournalTables,
  { number, lines, operations }: BatchOfLines,
): void {
  tables.meta.putSync("journalBatch", number);
  if (lines.length > 0) appendEvents(tables, lines);
  const changed = new ChangedRows(tables);
  const books = new BookRows(tables, changed);
  const usage = new UsageLog(tables);
  for (const operation of operations) apply(tables, changed, books, usage, operation);
  changed.write();
  usage.write();
}

/**
 * Writes batches that follow each other, as one; call it inside a transaction. Those that were applied
 * before are skipped. Throws if one is missing before the first.
 */
export function applyBatches(tables: JournalTables, batches: readonly JournalBatch[]): void {
  const applied = tables.meta.get("journalBatch") ?? 0;
  const rest = batches.filter(({ number }) => number > applied);
  const [first] = rest;
  if (first === undefined) return;
  if (first.number !== applied + 1) throw new Error(`batch ${applied + 1} is missing`);
  applyBatch(tables, {
    number: applied + rest.length,
    events: rest.flatMap(({ events }) => events),
    operations: rest.flatMap(({ operations }) => operations),
  });
}

type EventTables = Pick<JournalTables, "meta" | "events" | "eventTimes" | "tiles">;

/** Writes canonical events and their leaves of the Merkle tree; call it inside a transaction. */
export function appendEvents(
  { meta, events, eventTimes, tiles }: EventTables,
  lines: readonly string[],
): void {
  const first = meta.get("eventCount") ?? 0;
  const leaves = lines.map((line) => leafHash(Buffer.from(line)));
  for (let at = 0; at < lines.length; at += auditRowEventsMax) {
    const row = lines.slice(at, at + auditRowEventsMax);
    events.putSync(first + at, Buffer.from(row.join("\n")));
  }
  appendLeaves(tiles, first, leaves);
  meta.putSync("eventCount", first + leaves.length);
  noteEventTimes(eventTimes, first, lines.map(createdAtOf));
}

function apply(
  tables: JournalTables,
  changed: ChangedRows,
  books: BookRows,
  usage: UsageLog,
  operation: JournalOperation,
): void {
  switch (operation.kind) {
    case "hold": {
      const { requestId, orgId, by, amount } = operation;
      const row = { orgId, amount: String(amount) };
      changed.hold(requestId, by === undefined ? row : { ...row, by });
      return;
    }
    case "unhold":
      changed.unhold(operation.requestId);
      return;
    case "open":
      books.open(operation);
      return;
    case "entry":
      books.entry(operation);
      return;
    case "owe":
      books.owe(operation);
      return;
    case "unowe":
      books.unowe(operation);
      return;
    case "refusalTaken":
      tables.refusedEntries.removeSync(operation.number);
      return;
    case "erasure":
      tables.erasures.putSync(operation.id, operation.erasure);
      return;
    case "erasureEnd":
      tables.erasures.removeSync(operation.id);
      return;
    case "charge":
    case "return":
    case "capUse":
    case "rateReturn":
      throw new Error("only a shared store takes charges and what gateways return");
    case "usage":
      usage.add(operation);
      return;
    case "bind": {
      const { orgId, account, ids, atMs } = operation;
      for (const id of ids) tables.providerState.putSync([orgId, id], { account, atMs });
      return;
    }
    case "unbind":
      for (const [orgId, id] of operation.keys) tables.providerState.removeSync([orgId, id]);
      return;
    case "windows":
      // Counts are added first, because a window may be deleted after it was counted.
      if (operation.table === "usageWindows") usage.fold();
      applyWindowChange(tables[operation.table], operation.change);
      return;
    default:
      applyJobOperation(tables, operation);
  }
}
