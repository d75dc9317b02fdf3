import { canonicalEvent, type AuditEvent } from "../../contract/audit.ts";
import {
  holdLeaseMs,
  holdsPerOrganizationMax,
  settlementFlushWaitMsMax,
} from "../../contract/limits.ts";
import { zeroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Debt, JournalOperation } from "../journal/batch.ts";
import type { JournalMark } from "../journal/flush-waiters.ts";
import type { UsageOperation } from "../windows/usage-count.ts";
import { debit, giveBack, placeHold, spendable, type RefusedHold } from "./account-changes.ts";
import { changed, type AccountStates } from "./account-states.ts";
import { ledgerUnavailable, insufficientBalance, paygBusy, paygReserved } from "./hold-refusals.ts";
import * as events from "./ledger-events.ts";
import type {
  AlongsideOperation,
  AccountBalance,
  Charge,
  Hold,
  HoldRequest,
  LedgerCounts,
  Settlement,
  Spender,
} from "./ledger.ts";
import { LiveHold } from "./live-hold.ts";
import { RenewedMap } from "../../runtime/renewed-map.ts";
import { WrittenTime } from "./written-time.ts";

/** A debit that was taken from the account and must now be entered into the books. */
export interface DebitOperation {
  readonly kind: "debit";
  readonly requestId: string;
  readonly orgId: string;
  readonly charge: Charge;
}

/** The operations of requests on the books. */
export type SpendingOperation =
  | Extract<JournalOperation, { kind: "hold" | "unhold" | "owe" }>
  | AlongsideOperation
  | DebitOperation;

/**
 * The destination of writes. Everything that one call appends becomes durable together, in order.
 */
export interface SpendingJournal {
  readonly accepting: boolean;
  readonly full: boolean;
  append(events: readonly string[], operations: readonly SpendingOperation[]): JournalMark;
  appendRequest(event: RequestEvent, createdAtMs: number): JournalMark;
  /** As `Journal.flushed`. */
  flushed(mark: JournalMark, waitMsMax: number | null): Promise<boolean>;
}

export interface SpendingOptions {
  readonly journal: SpendingJournal;
  readonly accounts: AccountStates;
  readonly clock: Clock;
  /** The address that a balance refusal names. */
  readonly billingUrl: () => string;
  readonly holdsMax?: number | undefined;
}

/**
 * Holds and settlements of the requests of one thread. Several threads spend from the same accounts,
 * each with its own holds.
 */
export class Spending implements Spender {
  readonly #journal: SpendingJournal;
  readonly #accounts: AccountStates;
  readonly #clock: Clock;
  readonly #billingUrl: () => string;
  readonly #holdsMax: number;
  readonly #live = new RenewedMap<LiveHold>();
  readonly #time: WrittenTime;
  #owed = 0;
  #expired = 0;

  constructor(options: SpendingOptions) {
    this.#journal = options.journal;
    this.#accounts = options.accounts;
    this.#clock = options.clock;
    this.#time = new WrittenTime(options.clock);
    this.#billingUrl = options.billingUrl;
    this.#holdsMax = options.holdsMax ?? holdsPerOrganizationMax;
  }

  get accepting(): boolean {
    return this.#journal.accepting;
  }

  get full(): boolean {
    return this.#journal.full;
  }

  get counts(): LedgerCounts {
    return {
      owed: this.#owed,
      recovered: 0,
      outcomeUnknown: 0,
      expired: this.#expired,
      refused: 0,
      liveHolds: this.#live.size,
      lowBalances: () => 0,
    };
  }

  isLive(requestId: string): boolean {
    return this.#live.has(requestId);
  }

  hold(request: HoldRequest): Outcome<Hold> {
    if (!this.#journal.accepting) return ledgerUnavailable;
    const { requestId, orgId, estimate } = request;
    if (this.#live.has(requestId)) throw new Error("a request may hold once only");
    const placed = this.#accounts.change(orgId, (account) =>
      placeHold(account, estimate, this.#holdsMax),
    );
    if (!placed.ok) return placed;
    if (placed.value.refused !== null) return this.#refuse(request, placed.value);
    const leaseEndsMs = this.#clock.monotonicMs() + holdLeaseMs;
    const hold = new LiveHold(request, placed.value.after, leaseEndsMs);
    this.#live.set(requestId, hold);
    this.#append(
      [events.holdPlaced(hold, hold.amount, hold.available)],
      [{ kind: "hold", requestId, orgId, amount: hold.amount }],
    );
    return accept(hold);
  }

  settle(
    hold: Hold,
    charge: Charge,
    more: readonly AuditEvent[],
    alongside: readonly AlongsideOperation[] = [],
  ): Settlement {
    if (!(hold instanceof LiveHold)) throw new Error("a hold comes from this ledger");
    if (hold.settlement !== null) return hold.settlement;
    const { requestId, orgId } = hold;
    const { cost } = charge;
    const isLive = this.#live.has(requestId);
    const { kind, balance } = changed(this.#accounts, orgId, (account) => {
      if (isLive) giveBack(account, hold.amount);
      const kind = cost === zeroUsd ? "free" : debit(account, cost) ? "debited" : "owed";
      return { kind, balance: account.balance } as const;
    });
    const operations: SpendingOperation[] = [...alongside, ...this.#ended(hold)];
    const happened: AuditEvent[] = [...more];
    if (kind === "debited") operations.push({ kind: "debit", requestId, orgId, charge });
    if (kind === "owed") {
      operations.push({ kind: "owe", orgId, debt: debtOf(requestId, charge, this.#time.now()) });
      happened.push(events.debitSkipped(hold, cost, balance));
      this.#owed += 1;
    }
    const mark = this.#append(happened, operations);
    const durable = () => this.#journal.flushed(mark, settlementFlushWaitMsMax);
    hold.settlement = { kind, cost, balance, durable };
    return hold.settlement;
  }

  release(hold: Hold, more: readonly AuditEvent[]): void {
    const operations = this.#end(hold);
    const released = operations.length > 0 ? [events.holdReleased(hold, hold.amount)] : [];
    this.#append([...more, ...released], operations);
  }

  record(more: readonly AuditEvent[]): void {
    this.#append(more, []);
  }

  count(usage: UsageOperation): void {
    this.#journal.append([], [usage]);
  }

  recordRequest(event: RequestEvent): void {
    this.#journal.appendRequest(event, this.#clock.wallMs());
  }

  balance(orgId: string): AccountBalance | undefined {
    const state = this.#accounts.change(orgId, spendable);
    return state.ok ? state.value : undefined;
  }

  /** Ends holds whose lease ran out. */
  expireLeases(): void {
    const now = this.#clock.monotonicMs();
    for (const hold of this.#live.values()) {
      if (hold.leaseEndsMs > now) continue;
      if (hold.isLive()) hold.leaseEndsMs = now + holdLeaseMs;
      else this.#expire(hold);
    }
  }

  #refuse(request: HoldRequest, { refused, before }: RefusedHold): Outcome<never> {
    switch (refused) {
      case "insufficient_balance":
        this.record([events.holdRefused("insufficient_balance_reservation", request, before)]);
        return insufficientBalance(request.estimate, before, this.#billingUrl());
      case "payg_reserved":
        this.record([events.holdRefused("payg_reserved_by_inflight", request, before)]);
        return paygReserved(request.estimate, before);
      case "payg_busy":
        return paygBusy(this.#holdsMax);
    }
  }

  #expire(hold: LiveHold): void {
    const operations = this.#end(hold);
    this.#expired += 1;
    this.#append([events.holdExpired(hold, hold.amount, "lease_expired")], operations);
  }

  /** Gives the held amount back; does nothing if the hold has already ended (its lease ran out). */
  #end(hold: Hold): readonly SpendingOperation[] {
    if (this.#live.has(hold.requestId)) {
      changed(this.#accounts, hold.orgId, (account) => giveBack(account, hold.amount));
    }
    return this.#ended(hold);
  }

  /** Call it after the held amount was given back. */
  #ended({ requestId }: Hold): readonly SpendingOperation[] {
    return this.#live.delete(requestId) ? [{ kind: "unhold", requestId }] : [];
  }

  #append(what: readonly AuditEvent[], operations: readonly SpendingOperation[]): JournalMark {
    const now = this.#time.now();
    return this.#journal.append(
      what.map((event) => canonicalEvent(event, now)),
      operations,
    );
  }
}

function debtOf(requestId: string, { cost, catalogVersion, usage }: Charge, owedAt: string): Debt {
  return { requestId, owedAt, cost: String(cost), catalogVersion, usage };
}
