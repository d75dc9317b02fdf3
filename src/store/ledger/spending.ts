import { canonicalEvent, type AuditEvent } from "../../contract/audit.ts";
import {
  holdLeaseMs,
  holdsPerOrganizationMax,
  settlementFlushWaitMsMax,
} from "../../contract/limits.ts";
import { microUsd, zeroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { Clock } from "../clock.ts";
import type { JobOperation } from "../jobs/job-rows.ts";
import type { Debt, JournalOperation } from "../journal/batch.ts";
import type { JournalMark } from "../journal/flush-waiters.ts";
import type { AccountState, AccountStates } from "./account-states.ts";
import {
  balanceVerdict,
  booksClosed,
  insufficientBalance,
  notProvisioned,
  paygBusy,
  paygReserved,
} from "./hold-refusals.ts";
import * as events from "./ledger-events.ts";
import type {
  Balance,
  Charge,
  Hold,
  HoldRequest,
  LedgerCounts,
  Settlement,
  Spender,
} from "./ledger.ts";
import { LiveHold } from "./live-hold.ts";
import { RenewedMap } from "./renewed-map.ts";
import { WrittenTime } from "./written-time.ts";

/** A debit that has been taken from the account and is to be entered into the books. */
export interface DebitOperation {
  readonly kind: "debit";
  readonly requestId: string;
  readonly orgId: string;
  readonly charge: Charge;
}

/** What requests do to the books. */
export type SpendingOperation =
  Extract<JournalOperation, { kind: "hold" | "unhold" | "owe" }> | JobOperation | DebitOperation;

/** Where it is written: all that one call appends becomes durable together, and in order. */
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
  /** Where a balance refusal sends people. */
  readonly billingUrl: string;
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
  readonly #billingUrl: string;
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
      liveHolds: this.#live.size,
      lowBalances: () => 0,
    };
  }

  isLive(requestId: string): boolean {
    return this.#live.has(requestId);
  }

  hold(request: HoldRequest): Outcome<Hold> {
    if (!this.#journal.accepting) return booksClosed;
    const { requestId, orgId, estimate } = request;
    if (this.#live.has(requestId)) throw new Error("a request may hold once only");
    const outcome = this.#accounts.change(orgId, (account): Outcome<LiveHold> => {
      const before = spendable(account);
      const verdict = balanceVerdict(estimate, before);
      if (verdict === "insufficient_balance") {
        this.record([events.holdRefused("insufficient_balance_reservation", request, before)]);
        return insufficientBalance(estimate, before, this.#billingUrl);
      }
      if (verdict === "payg_reserved") {
        this.record([events.holdRefused("payg_reserved_by_inflight", request, before)]);
        return paygReserved(estimate, before);
      }
      if (account.holds >= this.#holdsMax) return paygBusy(this.#holdsMax);
      account.held = microUsd(account.held + estimate);
      account.holds += 1;
      const leaseEndsMs = this.#clock.monotonicMs() + holdLeaseMs;
      return accept(new LiveHold(request, spendable(account), leaseEndsMs));
    });
    if (outcome === undefined) return notProvisioned;
    if (!outcome.ok) return outcome;
    const hold = outcome.value;
    this.#live.set(requestId, hold);
    this.#append(
      [events.holdPlaced(hold, hold.amount, hold.available)],
      [{ kind: "hold", requestId, orgId, amount: hold.amount }],
    );
    return outcome;
  }

  settle(
    hold: Hold,
    charge: Charge,
    more: readonly AuditEvent[],
    alongside: readonly JobOperation[] = [],
  ): Settlement {
    if (!(hold instanceof LiveHold)) throw new Error("a hold comes from this ledger");
    if (hold.settlement !== null) return hold.settlement;
    const { requestId, orgId } = hold;
    const { cost } = charge;
    const operations: SpendingOperation[] = [...alongside];
    const happened: AuditEvent[] = [...more];
    const { kind, balance } = changed(this.#accounts, orgId, (account) => {
      this.#endHold(account, hold, operations);
      if (cost === zeroUsd) return { kind: "free", balance: account.balance } as const;
      if (cost <= spendable(account).available) {
        account.balance = microUsd(account.balance - cost);
        operations.push({ kind: "debit", requestId, orgId, charge });
        return { kind: "debited", balance: account.balance } as const;
      }
      operations.push({ kind: "owe", orgId, debt: debtOf(requestId, charge, this.#time.now()) });
      happened.push(events.debitSkipped(hold, cost, account.balance));
      this.#owed += 1;
      return { kind: "owed", balance: account.balance } as const;
    });
    const mark = this.#append(happened, operations);
    const durable = () => this.#journal.flushed(mark, settlementFlushWaitMsMax);
    hold.settlement = { kind, cost, balance, durable };
    return hold.settlement;
  }

  release(hold: Hold, more: readonly AuditEvent[]): void {
    const operations: SpendingOperation[] = [];
    changed(this.#accounts, hold.orgId, (account) => this.#endHold(account, hold, operations));
    const released = operations.length > 0 ? [events.holdReleased(hold, hold.amount)] : [];
    this.#append([...more, ...released], operations);
  }

  record(more: readonly AuditEvent[]): void {
    this.#append(more, []);
  }

  recordRequest(event: RequestEvent): void {
    this.#journal.appendRequest(event, this.#clock.wallMs());
  }

  balance(orgId: string): Balance | undefined {
    return this.#accounts.change(orgId, spendable);
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

  #expire(hold: LiveHold): void {
    const operations: SpendingOperation[] = [];
    changed(this.#accounts, hold.orgId, (account) => this.#endHold(account, hold, operations));
    this.#expired += 1;
    this.#append([events.holdExpired(hold, hold.amount, "lease_expired")], operations);
  }

  /** Gives back what is held; a hold that has ended already (its lease ran out) stays so. */
  #endHold(account: AccountState, hold: Hold, operations: SpendingOperation[]): void {
    if (!this.#live.delete(hold.requestId)) return;
    account.held = microUsd(account.held - hold.amount);
    account.holds -= 1;
    operations.push({ kind: "unhold", requestId: hold.requestId });
  }

  #append(what: readonly AuditEvent[], operations: readonly SpendingOperation[]): JournalMark {
    const now = this.#time.now();
    return this.#journal.append(
      what.map((event) => canonicalEvent(event, now)),
      operations,
    );
  }
}

/** Changes an account that is known to be open. */
export function changed<T>(
  accounts: AccountStates,
  orgId: string,
  change: (account: AccountState) => T,
): T {
  let outcome: { readonly value: T } | undefined;
  accounts.change(orgId, (account) => {
    outcome = { value: change(account) };
  });
  if (outcome === undefined) throw new Error("an account that was open is gone");
  return outcome.value;
}

export function spendable({ balance, held, holds }: AccountState): Balance {
  return { balance, available: microUsd(balance - held), holds };
}

function debtOf(requestId: string, { cost, catalogVersion, usage }: Charge, owedAt: string): Debt {
  return { requestId, owedAt, cost: String(cost), catalogVersion, usage };
}
