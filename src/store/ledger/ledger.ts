import type { AuditEvent } from "../../contract/audit.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import type { MicroUsd } from "../../contract/money.ts";
import type { JobOperation } from "../jobs/job-rows.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { UsageOperation } from "../windows/usage-count.ts";

/** What a request needs reserved before anything costs money. */
export interface HoldRequest {
  /** The request's id, which is the idempotency key of its debit. */
  readonly requestId: string;
  readonly orgId: string;
  /** The most that it can cost. */
  readonly estimate: MicroUsd;
  /** Whether the request still lives; a hold that nobody vouches for expires with its lease. */
  readonly isLive: () => boolean;
}

/** Money set aside for one request, until it is settled, released or expired. */
export interface Hold {
  readonly requestId: string;
  readonly orgId: string;
  readonly amount: MicroUsd;
  /** The balance at admission. */
  readonly balance: MicroUsd;
  /** What was left to spend after this hold and the others. */
  readonly available: MicroUsd;
}

/** What a request has cost. */
export interface Charge {
  /** 0: nothing is debited. */
  readonly cost: MicroUsd;
  /** The price catalog; null where the provider itself named the cost. */
  readonly catalogVersion: string | null;
  readonly usage: LedgerEntry["usage"];
}

/** What may become durable together with a debit. */
export type AlongsideOperation = JobOperation | UsageOperation;

/** What became of a charge. */
export interface Settlement {
  /** `debited` applied; `owed`: the balance did not cover it; `free`: there was nothing to debit. */
  readonly kind: "debited" | "owed" | "free";
  readonly cost: MicroUsd;
  /** The balance after it. */
  readonly balance: MicroUsd;
  /** Resolves true once all of it is durable; false where that takes too long. */
  durable(): Promise<boolean>;
}

export interface TopUp {
  readonly orgId: string;
  /** More than 0; a correction may be less. */
  readonly amount: MicroUsd;
  readonly type: "top_up" | "correction";
  /** The same key again changes nothing and answers as the first time. */
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

/** What operators watch. */
export interface LedgerCounts {
  /** Debits that a balance could not cover, since the start. */
  readonly owed: number;
  /** Debts debited later, since the start. */
  readonly recovered: number;
  /** Holds that a crash left without a settlement, found at the start. */
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
 * entry per idempotency key. Holds are written but not waited for; a debit is durable when its
 * settlement says so, or about one flush later.
 */
export interface Spender {
  /** False while the store can't be written: no hold is given. */
  readonly accepting: boolean;
  /** So much waits to be written that nothing more may be recorded: nothing may be served. */
  readonly full: boolean;
  readonly counts: LedgerCounts;

  /**
   * Sets the estimate aside (spec: Balance refusals). Errors: `insufficient_balance`,
   * `payg_reserved`, `payg_busy`, `org_not_provisioned` where the organization has no account,
   * `internal_error` where the store can't be written, `detector_unavailable` where other threads change
   * the account all the time.
   */
  hold(request: HoldRequest): Outcome<Hold>;

  /**
   * Ends a hold with what the request has cost; `events` and `alongside` (what it counts against
   * usage limits, the end of a batch item) become durable together with it, all or nothing. A cost
   * that hold and available balance can't cover is not debited at all but owed. Settling twice
   * changes nothing and returns the first settlement.
   */
  settle(
    hold: Hold,
    charge: Charge,
    events: readonly AuditEvent[],
    alongside?: readonly AlongsideOperation[],
  ): Settlement;

  /** Ends a hold that cost nothing; for one that has ended already only the events are kept. */
  release(hold: Hold, events: readonly AuditEvent[]): void;

  /** Keeps events that move no money. Durable about one flush later. */
  record(events: readonly AuditEvent[]): void;

  /** As `record`, for what a request counts against usage limits and no debit takes along. */
  count(usage: UsageOperation): void;

  /** As `record`, for what every request leaves. */
  recordRequest(event: RequestEvent): void;

  /** Undefined where the organization has no account. */
  balance(orgId: string): AccountBalance | undefined;
}

/** The books as a whole, in the thread that writes them. */
export interface Ledger extends Spender {
  /**
   * Opens the organization's account where it has none. Durable when resolved.
   * Errors: `internal_error` where the store can't be written.
   */
  openAccount(orgId: string): Promise<Outcome<null>>;

  /**
   * Adds money and then debits what is owed, oldest first, as far as it goes. Durable when resolved.
   * Errors: `duplicate_entry` where the key was used for another amount or type, or is the id of a
   * request that is in flight or owed (its debit will have that key), `invalid_request`
   * for a correction below what is available and a balance beyond `balanceUsdMax`, `internal_error`.
   */
  topUp(topUp: TopUp): Promise<Outcome<LedgerEntry>>;

  /** Newest first. Errors: `invalid_request` for a cursor that is none. */
  list(query: LedgerQuery): Outcome<LedgerPage>;

  /** Newest first, at most `limit`. */
  months(orgId: string, limit: number): readonly LedgerMonth[];

  /** Debits what is owed as far as balances go, and ends holds whose lease ran out. */
  sweep(): Promise<void>;

  /** Stops sweeping. Holds that live stay in the store, and become `outcome_unknown`. */
  close(): void;
}
