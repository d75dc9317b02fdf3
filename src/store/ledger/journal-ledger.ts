import { canonicalEvent, type AuditEvent } from "../../contract/audit.ts";
import { refuse } from "../../contract/errors.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import {
  balanceUsdMax,
  ledgerPageMax,
  ledgerSweepMs,
  settlementFlushWaitMsMax,
} from "../../contract/limits.ts";
import { formatUsd, microUsd, microUsdPerUsd, type MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { Clock } from "../clock.ts";
import type { JobOperation } from "../jobs/job-rows.ts";
import type { Debt, JournalOperation } from "../journal/batch.ts";
import type { JournalMark } from "../journal/flush-waiters.ts";
import type { Journal } from "../journal/journal.ts";
import type { PackedEvents } from "../journal/packed-events.ts";
import { debit, spendable } from "./account-changes.ts";
import { changed, emptyAccount, type AccountStates } from "./account-states.ts";
import { Bookkeeper } from "./bookkeeper.ts";
import { booksClosed } from "./hold-refusals.ts";
import * as events from "./ledger-events.ts";
import type { LedgerReads } from "./ledger-reads.ts";
import { Recovery } from "./recovery.ts";
import { balanceTooLarge, correctionTooLarge, keyOfRequest } from "./top-up-refusals.ts";
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
import { Spending, type SpendingOperation } from "./spending.ts";

export interface LedgerOptions {
  readonly journal: Journal;
  readonly reads: LedgerReads;
  /** Empty; filled from what the store holds. */
  readonly accounts: AccountStates;
  readonly clock: Clock;
  /** Where a balance refusal sends people. */
  readonly billingUrl: string;
  readonly holdsMax?: number;
  /** Resolves once all is taken over that other threads had appended before the call. */
  readonly others?: () => Promise<void>;
  /** Told of a sweep or a recovery that threw; the next one begins anew. */
  readonly onFailure: (error: unknown) => void;
}

/** The ledger over a journal: state in memory, every change of it appended in the order it was made. */
export class JournalLedger implements Ledger {
  readonly #journal: Journal;
  readonly #reads: LedgerReads;
  readonly #accounts: AccountStates;
  readonly #clock: Clock;
  readonly #others: () => Promise<void>;
  readonly #spending: Spending;
  readonly #bookkeeper: Bookkeeper;
  readonly #recovery: Recovery;
  /** Top-ups that are not durable yet, by organization and key. */
  readonly #toppingUp = new Set<string>();
  readonly #sweeps: NodeJS.Timeout;
  #recovered = 0;
  #outcomeUnknown = 0;

  constructor(options: LedgerOptions) {
    this.#journal = options.journal;
    this.#reads = options.reads;
    this.#accounts = options.accounts;
    this.#clock = options.clock;
    this.#others = options.others ?? (() => Promise.resolve());
    this.#bookkeeper = new Bookkeeper(this.#journal, this.#clock, (orgId) =>
      this.#recovery.owes(orgId),
    );
    this.#spending = new Spending({ ...options, journal: this.#bookkeeper });
    this.#recovery = new Recovery(
      this.#journal,
      this.#reads,
      (orgId, debt) => this.#debitDebt(orgId, debt),
      options.onFailure,
    );
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
      lowBalances: (lowBalance) => this.#lowBalances(lowBalance),
    };
  }

  hold(request: HoldRequest): Outcome<Hold> {
    return this.#spending.hold(request);
  }

  settle(
    hold: Hold,
    charge: Charge,
    more: readonly AuditEvent[],
    alongside: readonly JobOperation[] = [],
  ): Settlement {
    return this.#spending.settle(hold, charge, more, alongside);
  }

  release(hold: Hold, more: readonly AuditEvent[]): void {
    this.#spending.release(hold, more);
  }

  record(more: readonly AuditEvent[]): void {
    this.#spending.record(more);
  }

  recordRequest(event: RequestEvent): void {
    this.#spending.recordRequest(event);
  }

  /** What another thread has appended to the books. */
  takeOver(packed: PackedEvents | null, operations: readonly SpendingOperation[]): void {
    this.#bookkeeper.takeOver(packed, operations);
  }

  async openAccount(orgId: string): Promise<Outcome<null>> {
    if (!this.#journal.accepting) return booksClosed;
    this.#open(orgId);
    return (await this.#journal.flushedAll(settlementFlushWaitMsMax)) ? accept(null) : booksClosed;
  }

  async topUp(topUp: TopUp): Promise<Outcome<LedgerEntry>> {
    const { orgId, idempotencyKey } = topUp;
    const key = JSON.stringify([orgId, idempotencyKey]);
    await this.#others();
    if (this.#isLive(idempotencyKey)) return keyOfRequest;
    // What is not durable yet is not found in the store: another top-up, the debit of a request.
    do {
      if (!(await this.#journal.flushedAll(settlementFlushWaitMsMax))) return booksClosed;
    } while (this.#toppingUp.has(key));
    const before = this.#reads.entryByKey(orgId, idempotencyKey);
    if (before !== undefined) return sameAs(before, topUp);
    const owed = this.#reads.debts(orgId).some(({ requestId }) => requestId === idempotencyKey);
    if (owed || this.#isLive(idempotencyKey)) return keyOfRequest;
    const entered = this.#enterTopUp(topUp);
    if (!entered.ok) return entered;
    const { entry, mark } = entered.value;
    // Until it is durable the same key would not be found in the store.
    this.#toppingUp.add(key);
    void this.#journal.flushed(mark, null).then(() => this.#toppingUp.delete(key));
    if (!(await this.#journal.flushed(mark, settlementFlushWaitMsMax))) return booksClosed;
    await this.#recovery.recover([orgId]);
    return accept(entry);
  }

  balance(orgId: string): Balance | undefined {
    return this.#spending.balance(orgId);
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
    await this.#recovery.recover();
  }

  close(): void {
    clearInterval(this.#sweeps);
    this.#recovery.stop();
  }

  /** Balances as they were written; what a crash left held is given back, for nobody knows its cost. */
  #restore(): void {
    for (const { key, value } of this.#reads.balances()) {
      const balance = microUsd(BigInt(value.balance));
      this.#accounts.open(key, { ...emptyAccount(), balance });
      this.#bookkeeper.restore(key, { balance, entries: value.entries });
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

  #debitDebt(orgId: string, debt: Debt): boolean {
    const { requestId, catalogVersion, usage } = debt;
    const amount = microUsd(BigInt(debt.cost));
    const charged = { idempotencyKey: requestId, requestId, catalogVersion, usage };
    if (!changed(this.#accounts, orgId, (account) => debit(account, amount))) return false;
    const entry = this.#bookkeeper.enter(orgId, { type: "debit", amount, ...charged });
    const event = events.debitRecovered({ requestId, orgId }, amount, entry.balance);
    this.#append([event], [entry, { kind: "unowe", orgId, requestId }]);
    this.#recovered += 1;
    return true;
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
    const refused = changed(this.#accounts, orgId, (account) => {
      if (spendable(account).available + amount < 0n) return correctionTooLarge;
      if (amount > 0n && account.balance + amount > balanceMax) return balanceTooLarge;
      account.balance = microUsd(account.balance + amount);
      return null;
    });
    if (refused !== null) return refused;
    const operation = this.#bookkeeper.enter(orgId, draft);
    const about = { requestId: null, orgId };
    const event = events.toppedUp(about, type, amount, operation.balance, idempotencyKey);
    return accept({ entry: operation.entry, mark: this.#append([event], [operation]) });
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

const noRequest = { requestId: null, catalogVersion: null, usage: null };

const balanceMax = BigInt(balanceUsdMax) * microUsdPerUsd;

function sameAs(entry: LedgerEntry, { type, amount }: TopUp): Outcome<LedgerEntry> {
  return entry.type === type && entry.amountUsd === formatUsd(amount)
    ? accept(entry)
    : refuse("duplicate_entry", "This idempotency key was used for another amount or type.");
}
