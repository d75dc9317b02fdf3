import { canonicalEvent, type AuditEvent } from "../../contract/audit.ts";
import { refuse } from "../../contract/errors.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import {
  holdLeaseMs,
  holdsPerOrganizationMax,
  ledgerPageMax,
  ledgerSweepMs,
  settlementFlushWaitMsMax,
} from "../../contract/limits.ts";
import { formatUsd, microUsd, zeroUsd, type MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { Clock } from "../clock.ts";
import type { JobOperation } from "../jobs/job-rows.ts";
import type { Debt, JournalOperation } from "../journal/batch.ts";
import type { Journal, JournalMark } from "../journal/journal.ts";
import { emptyAccount, type AccountState, type AccountStates } from "./account-states.ts";
import {
  balanceVerdict,
  booksClosed,
  insufficientBalance,
  notProvisioned,
  paygBusy,
  paygReserved,
} from "./hold-refusals.ts";
import * as events from "./ledger-events.ts";
import { enter, type EntryOperation } from "./entry.ts";
import type { LedgerReads } from "./ledger-reads.ts";
import { LiveHold } from "./live-hold.ts";
import { Recovery } from "./recovery.ts";
import type {
  Balance,
  Charge,
  Hold,
  HoldRequest,
  Ledger,
  LedgerCounts,
  LedgerMonth,
  LedgerPage,
  LedgerQuery,
  Settlement,
  TopUp,
} from "./ledger.ts";

export interface LedgerOptions {
  readonly journal: Journal;
  readonly reads: LedgerReads;
  /** Empty; filled from what the store holds. */
  readonly accounts: AccountStates;
  readonly clock: Clock;
  /** Where a balance refusal sends people. */
  readonly billingUrl: string;
  readonly holdsMax?: number;
}

/** The ledger over a journal: state in memory, every change of it appended in the order it was made. */
export class JournalLedger implements Ledger {
  readonly #journal: Journal;
  readonly #reads: LedgerReads;
  readonly #accounts: AccountStates;
  readonly #clock: Clock;
  readonly #billingUrl: string;
  readonly #holdsMax: number;
  readonly #live = new Map<string, LiveHold>();
  readonly #recovery: Recovery;
  /** Top-ups that are not durable yet, by organization and key. */
  readonly #toppingUp = new Set<string>();
  readonly #sweeps: NodeJS.Timeout;
  #writtenMs = Number.NaN;
  #written = "";
  #owed = 0;
  #recovered = 0;
  #outcomeUnknown = 0;
  #expired = 0;

  constructor(options: LedgerOptions) {
    this.#journal = options.journal;
    this.#reads = options.reads;
    this.#accounts = options.accounts;
    this.#clock = options.clock;
    this.#billingUrl = options.billingUrl;
    this.#holdsMax = options.holdsMax ?? holdsPerOrganizationMax;
    this.#recovery = new Recovery(this.#journal, this.#reads, (orgId, debt) =>
      this.#debitDebt(orgId, debt),
    );
    this.#restore();
    this.#sweeps = setInterval(() => void this.sweep(), ledgerSweepMs).unref();
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
      recovered: this.#recovered,
      outcomeUnknown: this.#outcomeUnknown,
      expired: this.#expired,
      liveHolds: this.#live.size,
      lowBalances: (lowBalance) => this.#lowBalances(lowBalance),
    };
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
      if (account.holds >= this.#holdsMax) return paygBusy;
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
    const operations: JournalOperation[] = [...alongside];
    const happened: AuditEvent[] = [...more];
    const { kind, balance } = this.#change(orgId, (account) => {
      this.#endHold(account, hold, operations);
      if (cost === zeroUsd) return { kind: "free", balance: account.balance } as const;
      if (cost <= spendable(account).available) {
        operations.push(this.#enterDebit(account, orgId, requestId, charge));
        happened.push(events.debitApplied(hold, cost, account.balance));
        return { kind: "debited", balance: account.balance } as const;
      }
      operations.push({ kind: "owe", orgId, debt: debtOf(requestId, charge) });
      happened.push(events.debitSkipped(hold, cost, account.balance));
      this.#recovery.owes(orgId);
      this.#owed += 1;
      return { kind: "owed", balance: account.balance } as const;
    });
    const mark = this.#append(happened, operations);
    hold.settlement = { kind, cost, balance, durable: () => this.#durable(mark) };
    return hold.settlement;
  }

  release(hold: Hold, more: readonly AuditEvent[]): void {
    const operations: JournalOperation[] = [];
    this.#change(hold.orgId, (account) => this.#endHold(account, hold, operations));
    const released = operations.length > 0 ? [events.holdReleased(hold, hold.amount)] : [];
    this.#append([...more, ...released], operations);
  }

  record(more: readonly AuditEvent[]): void {
    this.#append(more, []);
  }

  recordRequest(event: RequestEvent): void {
    this.#journal.appendRequest(event, this.#clock.wallMs());
  }

  async openAccount(orgId: string): Promise<Outcome<null>> {
    if (!this.#journal.accepting) return booksClosed;
    this.#open(orgId);
    return (await this.#journal.flushedAll(settlementFlushWaitMsMax)) ? accept(null) : booksClosed;
  }

  async topUp(topUp: TopUp): Promise<Outcome<LedgerEntry>> {
    const { orgId, idempotencyKey } = topUp;
    const key = JSON.stringify([orgId, idempotencyKey]);
    if (this.#live.has(idempotencyKey)) return keyOfRequest;
    // What is not durable yet is not found in the store: another top-up, the debit of a request.
    do {
      if (!(await this.#journal.flushedAll(settlementFlushWaitMsMax))) return booksClosed;
    } while (this.#toppingUp.has(key));
    const before = this.#reads.entryByKey(orgId, idempotencyKey);
    if (before !== undefined) return sameAs(before, topUp);
    const owed = this.#reads.debts(orgId).some(({ requestId }) => requestId === idempotencyKey);
    if (owed || this.#live.has(idempotencyKey)) return keyOfRequest;
    const entered = this.#enterTopUp(topUp);
    if (!entered.ok) return entered;
    const { entry, mark } = entered.value;
    // Until it is durable the same key would not be found in the store.
    this.#toppingUp.add(key);
    void this.#journal.flushed(mark, null).then(() => this.#toppingUp.delete(key));
    if (!(await this.#durable(mark))) return booksClosed;
    await this.#recovery.recover([orgId]);
    return accept(entry);
  }

  balance(orgId: string): Balance | undefined {
    return this.#accounts.change(orgId, spendable);
  }

  list({ orgId, limit, cursor }: LedgerQuery): Outcome<LedgerPage> {
    const before = cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor);
    if (!Number.isSafeInteger(before) || before < 1) {
      return refuse("invalid_request", "The cursor is not one that a page of this list gave.");
    }
    const count = Math.min(limit, ledgerPageMax);
    const found = this.#reads.entriesBefore(orgId, before, count + 1);
    const entries = found.slice(0, count);
    return accept({
      entries,
      nextCursor: found.length > count ? (entries.at(-1)?.id ?? null) : null,
    });
  }

  months(orgId: string, limit: number): readonly LedgerMonth[] {
    return this.#reads.months(orgId, limit).map(({ month, row }) => ({
      month,
      debits: microUsd(BigInt(row.debits)),
      topUps: microUsd(BigInt(row.topUps)),
      corrections: microUsd(BigInt(row.corrections)),
      entries: row.entries,
    }));
  }

  async sweep(): Promise<void> {
    const now = this.#clock.monotonicMs();
    for (const hold of this.#live.values()) {
      if (hold.leaseEndsMs > now) continue;
      if (hold.isLive()) hold.leaseEndsMs = now + holdLeaseMs;
      else this.#expire(hold);
    }
    await this.#recovery.recover();
  }

  close(): void {
    clearInterval(this.#sweeps);
  }

  /** Balances as they were written; what a crash left held is given back, for nobody knows its cost. */
  #restore(): void {
    for (const { key, value } of this.#reads.balances()) {
      const balance = microUsd(BigInt(value.balance));
      this.#accounts.open(key, { ...emptyAccount(), balance, entries: value.entries });
    }
    for (const { key: requestId, value } of this.#reads.holds()) {
      const about = { requestId, orgId: value.orgId };
      this.#outcomeUnknown += 1;
      this.#append(
        [events.holdExpired(about, microUsd(BigInt(value.amount)), "outcome_unknown")],
        [{ kind: "unhold", requestId }],
      );
    }
  }

  #expire(hold: LiveHold): void {
    const operations: JournalOperation[] = [];
    this.#change(hold.orgId, (account) => this.#endHold(account, hold, operations));
    this.#expired += 1;
    this.#append([events.holdExpired(hold, hold.amount, "lease_expired")], operations);
  }

  /** Gives back what is held; a hold that has ended already (its lease ran out) stays so. */
  #endHold(account: AccountState, hold: Hold, operations: JournalOperation[]): void {
    if (!this.#live.delete(hold.requestId)) return;
    account.held = microUsd(account.held - hold.amount);
    account.holds -= 1;
    operations.push({ kind: "unhold", requestId: hold.requestId });
  }

  #enterDebit(
    account: AccountState,
    orgId: string,
    requestId: string,
    { cost: amount, catalogVersion, usage }: Charge,
  ): EntryOperation {
    const idempotencyKey = requestId;
    const draft = {
      type: "debit",
      amount,
      idempotencyKey,
      requestId,
      catalogVersion,
      usage,
    } as const;
    return enter(account, orgId, draft, this.#now());
  }

  #debitDebt(orgId: string, debt: Debt): boolean {
    const { requestId } = debt;
    const cost = microUsd(BigInt(debt.cost));
    return this.#change(orgId, (account) => {
      if (cost > spendable(account).available) return false;
      const entry = this.#enterDebit(account, orgId, requestId, { ...debt, cost });
      const event = events.debitRecovered({ requestId, orgId }, cost, account.balance);
      this.#append([event], [entry, { kind: "unowe", orgId, requestId }]);
      this.#recovered += 1;
      return true;
    });
  }

  #enterTopUp({
    orgId,
    amount,
    type,
    idempotencyKey,
  }: TopUp): Outcome<{ readonly entry: LedgerEntry; readonly mark: JournalMark }> {
    if (!this.#journal.accepting) return booksClosed;
    this.#open(orgId);
    const draft = { type, amount, idempotencyKey, ...noRequest };
    return this.#change(orgId, (account) => {
      if (spendable(account).available + amount < 0n) return correctionTooLarge;
      const operation = enter(account, orgId, draft, this.#now());
      const about = { requestId: null, orgId };
      const event = events.toppedUp(about, type, amount, account.balance, idempotencyKey);
      return accept({ entry: operation.entry, mark: this.#append([event], [operation]) });
    });
  }

  #open(orgId: string): void {
    if (this.#accounts.open(orgId, emptyAccount())) this.#append([], [{ kind: "open", orgId }]);
  }

  #change<T>(orgId: string, change: (account: AccountState) => T): T {
    let changed: { readonly value: T } | undefined;
    this.#accounts.change(orgId, (account) => {
      changed = { value: change(account) };
    });
    if (changed === undefined) throw new Error("an account that was open is gone");
    return changed.value;
  }

  #append(what: readonly AuditEvent[], operations: readonly JournalOperation[]): JournalMark {
    const now = this.#now();
    return this.#journal.append(
      what.map((event) => canonicalEvent(event, now)),
      operations,
    );
  }

  #durable(mark: JournalMark): Promise<boolean> {
    return this.#journal.flushed(mark, settlementFlushWaitMsMax);
  }

  /** Writing a time costs a microsecond, and most events share theirs with the one before. */
  #now(): string {
    const wallMs = this.#clock.wallMs();
    if (wallMs !== this.#writtenMs) {
      this.#writtenMs = wallMs;
      this.#written = new Date(wallMs).toISOString();
    }
    return this.#written;
  }

  #lowBalances(lowBalance: MicroUsd): number {
    let count = 0;
    for (const orgId of this.#accounts.organizations()) {
      const state = this.balance(orgId);
      if (state !== undefined && state.balance < lowBalance) count += 1;
    }
    return count;
  }
}

const noRequest = { requestId: null, catalogVersion: null, usage: null };

/** A request's id is the key of its debit, which is still to come. */
const keyOfRequest = refuse(
  "duplicate_entry",
  "This idempotency key is the id of a request that is not debited yet; use another one.",
);

const correctionTooLarge = refuse(
  "invalid_request",
  "The correction takes more than is available; nothing was changed.",
);

function spendable({ balance, held, holds }: AccountState): Balance {
  return { balance, available: microUsd(balance - held), holds };
}

function debtOf(requestId: string, { cost, catalogVersion, usage }: Charge): Debt {
  return { requestId, cost: String(cost), catalogVersion, usage };
}

function sameAs(entry: LedgerEntry, { type, amount }: TopUp): Outcome<LedgerEntry> {
  return entry.type === type && entry.amountUsd === formatUsd(amount)
    ? accept(entry)
    : refuse("duplicate_entry", "This idempotency key was used for another amount or type.");
}
