import type { AuditEvent } from "../../contract/audit.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import type { MicroUsd } from "../../contract/money.ts";
import type { BindOperation } from "../provider-state/provider-state.ts";
import type { JobOperation } from "../jobs/job-rows.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { UsageOperation } from "../windows/usage-count.ts";

/** Whose request costs money, for the audit events about it. */
export interface PaidBy {
  readonly apiKeyId: string | null;
  /** The name of the key's team. */
  readonly team: string | null;
}

/** The reservation that a request needs before it costs money. */
export interface HoldRequest {
  /** The request's id, which is the idempotency key of its debit. */
  readonly requestId: string;
  readonly orgId: string;
  readonly by: PaidBy;
  /** The most that the request can cost. */
  readonly estimate: MicroUsd;
  /** Whether the request is still running; otherwise the hold expires with its lease. */
  readonly isLive: () => boolean;
}

/** Money set aside for one request, until it is settled, released or expired. */
export interface Hold {
  readonly requestId: string;
  readonly orgId: string;
  readonly by: PaidBy;
  readonly amount: MicroUsd;
  /** The balance at admission. */
  readonly balance: MicroUsd;
  /** The available balance after this hold and all others. */
  readonly available: MicroUsd;
}

/** The cost of a request. */
export interface Charge {
  /** 0: nothing is debited. */
  readonly cost: MicroUsd;
  /** The version of the price catalog; null if the provider itself named the cost. */
  readonly catalogVersion: string | null;
  readonly usage: LedgerEntry["usage"];
}

/** Data that may become durable together with a debit. */
export type AlongsideOperation = JobOperation | UsageOperation | BindOperation;

/** The outcome of a charge. */
export interface Settlement {
  /**
   * `debited` applied; `owed`: the balance did not cover it; `free`: there was nothing to debit; `undecided`: the shared
   * store debits the whole cost, or the whole cost is owed.
   */
  readonly kind: "debited" | "owed" | "free" | "undecided";
  readonly cost: MicroUsd;
  /** The balance after it. */
  readonly balance: MicroUsd;
  /** Resolves true once everything is durable; false if that takes too long. */
  durable(): Promise<boolean>;
}

export interface TopUp {
  readonly orgId: string;
  /** More than 0; only a correction may be below 0. */
  readonly amount: MicroUsd;
  readonly type: "top_up" | "correction";
  /** A second call with the same key changes nothing and returns the first answer. */
  readonly idempotencyKey: string;
}

export interface AccountBalance {
  readonly balance: MicroUsd;
  /** Balance less live holds. */
  readonly available: MicroUsd;
  /** Live holds. */
  readonly holds: number;
}

export interface LedgerQuery {
  readonly orgId: string;
  /** 1 to `ledgerPageMax`. */
  readonly limit: number;
  /** A page's `nextCursor`; null: from the newest. */
  readonly cursor: string | null;
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  readonly nextCursor: string | null;
}

/** One month of an organization's books. */
export interface LedgerMonth {
  /** `2026-11`, UTC. */
  readonly month: string;
  readonly debits: MicroUsd;
  readonly topUps: MicroUsd;
  readonly corrections: MicroUsd;
  readonly entries: number;
}

/** Values that operators watch. */
export interface LedgerCounts {
  /** Debits that a balance could not cover, since the start. */
  readonly owed: number;
  /** Debts debited later, since the start. */
  readonly recovered: number;
  /** Holds without a settlement that the start found after a crash. */
  readonly outcomeUnknown: number;
  /** Holds whose lease ran out, since the start. */
  readonly expired: number;
  /** Entries that the store refused and the ledger took back, since the start. */
  readonly refused: number;
  readonly liveHolds: number;
  /** Organizations whose balance is below `lowBalance`. */
  lowBalances(lowBalance: MicroUsd): number;
}

/**
 * The books as requests see them (design: Money). At every moment: balance ≥ 0, Σ holds ≤ balance, one
 * entry per idempotency key. Holds are written, but no caller waits for that write. A debit is durable
 * when its settlement says so, or about one flush later.
 */
export interface Spender {
  /** False while the store can't be written: no hold is given. */
  readonly accepting: boolean;
  /** Too much waits to be written. No further request can be recorded, so none may be served. */
  readonly full: boolean;
  readonly counts: LedgerCounts;

  /**
   * Holds the estimate (spec: Balance refusals). Errors: `insufficient_balance`, `payg_reserved`,
   * `payg_busy`, `org_not_provisioned` if the organization has no account, `internal_error` if the
   * store can't be written, `detector_unavailable` if other threads keep changing the account. It waits only where a
   * shared store must be asked. Never rejects.
   */
  hold(request: HoldRequest): Outcome<Hold> | Promise<Outcome<Hold>>;

  /**
   * Ends a hold with the request's cost. `events` and `alongside` (counts against usage limits, the end
   * of a batch item) become durable together with the debit, all or nothing. If hold and available
   * balance can't cover the cost, nothing is debited and the whole cost is owed. Settling twice changes
   * nothing and returns the first settlement.
   */
  settle(
    hold: Hold,
    charge: Charge,
    events: readonly AuditEvent[],
    alongside?: readonly AlongsideOperation[],
  ): Settlement;

  /** Ends a hold without a cost. If the hold has already ended, only the events are kept. */
  release(hold: Hold, events: readonly AuditEvent[]): void;

  /** Records events that move no money. Durable about one flush later. */
  record(events: readonly AuditEvent[]): void;

  /** Like `record`, for counts against usage limits that belong to no debit. */
  count(usage: UsageOperation): void;

  /** Like `record`, for the event that every request leaves. */
  recordRequest(event: RequestEvent): void;

  /** Undefined if the organization has no account. */
  balance(orgId: string): AccountBalance | undefined;
}

/** The books as a whole, in the thread that writes them. */
export interface Ledger extends Spender {
  /**
   * Opens the organization's account if it has none. Durable when resolved. Errors: `internal_error` if
   * the store can't be written.
   */
  openAccount(orgId: string): Promise<Outcome<null>>;

  /**
   * Adds money and then debits debts, oldest first, as far as the balance covers them. Durable when
   * resolved. Errors: `duplicate_entry` if the key was used for another amount or type, or is the id of
   * a request that is in flight or owed (its debit will have that key); `invalid_request` for a
   * correction that takes more than is available, and for a balance beyond `balanceUsdMax`;
   * `internal_error`.
   */
  topUp(topUp: TopUp): Promise<Outcome<LedgerEntry>>;

  /**
   * Resolves when `balance`, `list` and `months` of the organization have everything that is durable at the call. If the
   * store can't be written it gives up after `settlementFlushWaitMsMax`.
   */
  caughtUp(orgId: string): Promise<void>;

  /** As `balance`; where a store is shared, as that store has it now. Rejects if that can't be reached. */
  freshBalance(orgId: string): AccountBalance | undefined | Promise<AccountBalance | undefined>;

  /** Newest first. Errors: `invalid_request` for an invalid cursor. Rejects if a shared store can't be reached. */
  list(query: LedgerQuery): Outcome<LedgerPage> | Promise<Outcome<LedgerPage>>;

  /** Newest first, at most `limit`. Rejects if a shared store can't be reached. */
  months(orgId: string, limit: number): readonly LedgerMonth[] | Promise<readonly LedgerMonth[]>;

  /** Debits debts as far as balances cover them, and ends holds whose lease ran out. */
  sweep(): Promise<void>;

  /** Stops sweeping. Live holds stay in the store and become `outcome_unknown` at the next start. */
  close(): void;
}
