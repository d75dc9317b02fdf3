import { canonicalEvent, type AuditEvent } from "../../../contract/audit.ts";
import { refuse } from "../../../contract/errors.ts";
import type { LedgerEntry } from "../../../contract/ledger.ts";
import {
  ledgerPageMax,
  ledgerSweepMs,
  settlementFlushWaitMsMax,
} from "../../../contract/limits.ts";
import { microUsd, zeroUsd, type MicroUsd } from "../../../contract/money.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import type { RequestEvent } from "../../../contract/request-event.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Debt, JournalOperation } from "../../journal/batch.ts";
import type { JournalMark } from "../../journal/flush-waiters.ts";
import type { Journal } from "../../journal/journal.ts";
import type { PackedEvents } from "../../journal/packed-events.ts";
import type { UsageOperation } from "../../windows/usage-count.ts";
import { debit } from "../../ledger/account-changes.ts";
import { changed, emptyAccount, type AccountStates } from "../../ledger/account-states.ts";
import { Bookkeeper } from "../../ledger/bookkeeper.ts";
import { ledgerUnavailable } from "../../ledger/hold-refusals.ts";
import * as events from "../../ledger/ledger-events.ts";
import type { LedgerReads } from "./ledger-reads.ts";
import { Recovery } from "./recovery.ts";
import { RefusedEntries, type RefusedEntry } from "./refused-entries.ts";
import type {
  AlongsideOperation,
  AccountBalance,
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
} from "../../ledger/ledger.ts";
import { Spending, type SpendingOperation } from "../../ledger/spending.ts";
import { TopUps } from "./top-ups.ts";

export interface LedgerOptions {
  readonly journal: Journal;
  readonly reads: LedgerReads;
  /** Empty at first; the ledger fills it from the store. */
  readonly accounts: AccountStates;
  readonly clock: Clock;
  /** The address in a balance refusal. */
  readonly billingUrl: () => string;
  readonly holdsMax?: number;
  /** Resolves once everything that other threads had appended before the call is taken over. */
  readonly others?: () => Promise<void>;
  /** Called when a sweep or a recovery threw; the next one starts from the beginning. */
  readonly onFailure: (error: unknown) => void;
  /** Called for every entry that the store refused; if absent, `onFailure` is called. */
  readonly onRefused?: (error: RefusedEntry) => void;
}

/** The ledger over a journal: the state is in memory, and every change is appended in its order. */
export class JournalLedger implements Ledger {
  readonly #journal: Journal;
  readonly #reads: LedgerReads;
  readonly #accounts: AccountStates;
  readonly #clock: Clock;
  readonly #spending: Spending;
  readonly #bookkeeper: Bookkeeper;
  readonly #recovery: Recovery;
  readonly #refused: RefusedEntries;
  readonly #topUps: TopUps;
  readonly #sweeps: NodeJS.Timeout;
  #recovered = 0;
  #outcomeUnknown = 0;

  constructor(options: LedgerOptions) {
    this.#journal = options.journal;
    this.#reads = options.reads;
    this.#accounts = options.accounts;
    this.#clock = options.clock;
    const owes = (orgId: string, cost: MicroUsd): void => this.#recovery.owes(orgId, cost);
    this.#bookkeeper = new Bookkeeper(this.#journal, this.#clock, owes);
    this.#spending = new Spending({ ...options, journal: this.#bookkeeper });
    const [journal, reads, onFailed] = [this.#journal, this.#reads, options.onFailure];
    this.#recovery = new Recovery({
      journal,
      reads,
      available: (orgId) => this.balance(orgId)?.available ?? zeroUsd,
      debit: (orgId, debt) => this.#debitDebt(orgId, debt),
      onFailed,
    });
    const takeBack = (orgId: string, moved: MicroUsd): void => this.#takeBack(orgId, moved);
    this.#refused = new RefusedEntries({ onRefused: onFailed, ...options, takeBack, owes });
    this.#topUps = new TopUps({
      ...options,
      bookkeeper: this.#bookkeeper,
      recovery: this.#recovery,
      refused: this.#refused,
      isLive: (requestId) => this.#isLive(requestId),
      openAccount: (orgId) => this.#open(orgId),
    });
    this.#restore();
    const sweep = (): void => void this.sweep().catch(options.onFailure);
    this.#sweeps = setInterval(sweep, ledgerSweepMs).unref();
  }

  get accepting(): boolean {
    return this.#journal.accepting;
  }

  get full(): boolean {
    return this.#journal.full;
  }

  get counts(): LedgerCounts {
    return {
      ...this.#spending.counts,
      recovered: this.#recovered,
      outcomeUnknown: this.#outcomeUnknown,
      refused: this.#refused.count,
      lowBalances: (lowBalance) => this.#lowBalances(lowBalance),
    };
  }

  hold(request: HoldRequest): Outcome<Hold> {
    return this.#spending.holdAtOnce(request);
  }

  settle(
    hold: Hold,
    charge: Charge,
    more: readonly AuditEvent[],
    alongside: readonly AlongsideOperation[] = [],
  ): Settlement {
    return this.#spending.settle(hold, charge, more, alongside);
  }

  release(hold: Hold, more: readonly AuditEvent[]): void {
    this.#spending.release(hold, more);
  }

  record(more: readonly AuditEvent[]): void {
    this.#spending.record(more);
  }

  count(usage: UsageOperation): void {
    this.#spending.count(usage);
  }

  recordRequest(event: RequestEvent): void {
    this.#spending.recordRequest(event);
  }

  /** Takes over the entries of another thread. */
  takeOver(packed: PackedEvents | null, operations: readonly SpendingOperation[]): void {
    this.#bookkeeper.takeOver(packed, operations);
  }

  async openAccount(orgId: string): Promise<Outcome<null>> {
    if (!this.#journal.accepting) return ledgerUnavailable;
    this.#open(orgId);
    return (await this.#journal.flushedAll(settlementFlushWaitMsMax))
      ? accept(null)
      : ledgerUnavailable;
  }

  topUp(topUp: TopUp): Promise<Outcome<LedgerEntry>> {
    return this.#topUps.topUp(topUp);
  }

  balance(orgId: string): AccountBalance | undefined {
    return this.#spending.balance(orgId);
  }

  freshBalance(orgId: string): AccountBalance | undefined {
    return this.balance(orgId);
  }

  async caughtUp(): Promise<void> {
    await this.#journal.caughtUp(settlementFlushWaitMsMax);
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
    this.#spending.expireLeases();
    this.#refused.take();
    await this.#recovery.sweep();
  }

  close(): void {
    clearInterval(this.#sweeps);
    this.#recovery.stop();
    this.#refused.stop();
  }

  /**
   * Restores the balances from the store. Holds that a crash left are given back, because their costs
   * are unknown.
   */
  #restore(): void {
    for (const { key, value } of this.#reads.balances()) {
      const balance = microUsd(BigInt(value.balance));
      this.#accounts.open(key, { ...emptyAccount(), balance });
      this.#bookkeeper.restore(key, { balance, entries: value.entries });
    }
    for (const { key: requestId, value } of this.#reads.holds()) {
      const about = { requestId, orgId: value.orgId, by: value.by };
      this.#outcomeUnknown += 1;
      this.#append(
        [events.holdExpired(about, microUsd(BigInt(value.amount)), "outcome_unknown")],
        [{ kind: "unhold", requestId }],
      );
    }
  }

  #debitDebt(orgId: string, debt: Debt): boolean {
    const { requestId, by, catalogVersion, usage } = debt;
    const amount = microUsd(BigInt(debt.cost));
    const charged = { idempotencyKey: requestId, requestId, catalogVersion, usage };
    if (!changed(this.#accounts, orgId, (account) => debit(account, amount))) return false;
    const { operation, balance } = this.#bookkeeper.enter(orgId, {
      type: "debit",
      amount,
      ...charged,
    });
    const event = events.debitRecovered({ requestId, orgId, by }, amount, balance);
    this.#append([event], [operation, { kind: "unowe", orgId, requestId }]);
    this.#recovered += 1;
    return true;
  }

  /** An entry was refused: changes the account as if there had been no entry. */
  #takeBack(orgId: string, moved: MicroUsd): void {
    changed(this.#accounts, orgId, (account) => {
      account.balance = microUsd(account.balance - moved);
    });
    this.#bookkeeper.takeBack(orgId, moved);
  }

  #isLive(requestId: string): boolean {
    return this.#spending.isLive(requestId) || this.#bookkeeper.isLiveElsewhere(requestId);
  }

  #open(orgId: string): void {
    if (this.#accounts.open(orgId, emptyAccount())) this.#append([], [{ kind: "open", orgId }]);
  }

  #append(what: readonly AuditEvent[], operations: readonly JournalOperation[]): JournalMark {
    const now = new Date(this.#clock.wallMs()).toISOString();
    return this.#journal.append(
      what.map((event) => canonicalEvent(event, now)),
      operations,
    );
  }

  #lowBalances(lowBalance: MicroUsd): number {
    let count = 0;
    for (const balance of this.#accounts.balances()) {
      if (balance < lowBalance) count += 1;
    }
    return count;
  }
}
