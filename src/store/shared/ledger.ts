import type { AuditEvent } from "../../contract/audit.ts";
import { refuse } from "../../contract/errors.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import {
  grantWaitsMs,
  ledgerPageMax,
  ledgerSweepMs,
  recoveryDebtsPerSlice,
  recoveryOrgsPerSweep,
  settlementFlushWaitMsMax,
  sharedIdleMs,
} from "../../contract/limits.ts";
import { formatUsd, microUsd, type MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { JournalOperation } from "../journal/batch.ts";
import type { Journal } from "../journal/journal.ts";
import type { PackedEvents } from "../journal/packed-events.ts";
import type { UsageOperation } from "../windows/usage-count.ts";
import type { AccountStates } from "../ledger/account-states.ts";
import { ledgerUnavailable } from "../ledger/hold-refusals.ts";
import type {
  AccountBalance,
  AlongsideOperation,
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
} from "../ledger/ledger.ts";
import {
  Spending,
  type MoneyAnswer,
  type MoneyGrants,
  type SpendingOperation,
} from "../ledger/spending.ts";
import { balanceTooLarge, correctionTooLarge, keyOfRequest } from "../ledger/top-up-refusals.ts";
import type { SharedCalls } from "./calls.ts";
import type { AppliedFlush, Amount } from "./functions.ts";
import { MoneyQueue } from "./money-queue.ts";
import { OwnMoney } from "./own-money.ts";

export interface SharedLedgerOptions {
  readonly journal: Journal;
  /** Empty at first; it holds what this gateway may spend. */
  readonly accounts: AccountStates;
  readonly calls: SharedCalls;
  readonly clock: Clock;
  /** The address in a balance refusal. */
  readonly billingUrl: () => string;
  readonly holdsMax?: number;
  /** Resolves once the journal has what other threads had appended before the call. */
  readonly handedOver?: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** The books of a store that several gateways share, as one of them sees them (docs/decisions/0060-the-shared-store.md). */
export class SharedLedger implements Ledger, MoneyGrants {
  readonly #options: SharedLedgerOptions;
  readonly #spending: Spending;
  readonly #own: OwnMoney;
  readonly #queue: MoneyQueue;
  /** What charges that are not flushed yet have paid, by request. */
  readonly #paid = new Map<string, { readonly orgId: string; readonly paid: bigint }>();
  readonly #timers: readonly NodeJS.Timeout[];
  #closed = false;
  #owed = 0;
  #refused = 0;
  #recovered = 0;

  constructor(options: SharedLedgerOptions) {
    this.#options = options;
    const { journal, accounts, calls, clock, billingUrl, holdsMax, onFailure } = options;
    this.#own = new OwnMoney(accounts, (operation) => journal.append([], [operation]));
    this.#queue = new MoneyQueue({ own: this.#own, calls, onFailure });
    this.#spending = new Spending({
      journal: {
        get accepting() {
          return journal.accepting;
        },
        get full() {
          return journal.full;
        },
        get failing() {
          return journal.failing;
        },
        append: (events, operations) => {
          this.#note(operations);
          return journal.append(events, journalOperations(operations));
        },
        appendRequest: (event, createdAtMs) => journal.appendRequest(event, createdAtMs),
        flushed: (mark, waitMsMax) => journal.flushed(mark, waitMsMax),
      },
      ...{ accounts, clock, billingUrl, holdsMax },
      grants: this.#queue,
    });
    const sweep = (): void => void this.sweep().catch(onFailure);
    this.#timers = [
      setInterval(sweep, ledgerSweepMs).unref(),
      setInterval(() => this.#returnIdle(), sharedIdleMs / 2).unref(),
    ];
  }

  /** Reads all accounts. Rejects if the store can't be reached. */
  async open(): Promise<void> {
    for (const [orgId, account] of await this.#options.calls.accounts(null)) {
      this.#own.toldBalance(orgId, account.balance);
    }
  }

  get accepting(): boolean {
    return this.#options.journal.accepting;
  }

  get full(): boolean {
    return this.#options.journal.full;
  }

  get counts(): LedgerCounts {
    return {
      ...this.#spending.counts,
      owed: this.#owed,
      recovered: this.#recovered,
      refused: this.#refused,
      lowBalances: (lowBalance) =>
        [...this.#options.accounts.balances()].filter((balance) => balance < lowBalance).length,
    };
  }

  hold(request: HoldRequest): Outcome<Hold> | Promise<Outcome<Hold>> {
    return this.#spending.hold(request);
  }

  settle(
    hold: Hold,
    charge: Charge,
    events: readonly AuditEvent[],
    alongside: readonly AlongsideOperation[] = [],
  ): Settlement {
    return this.#spending.settle(hold, charge, events, alongside);
  }

  release(hold: Hold, events: readonly AuditEvent[]): void {
    this.#spending.release(hold, events);
  }

  record(events: readonly AuditEvent[]): void {
    this.#spending.record(events);
  }

  count(usage: UsageOperation): void {
    this.#spending.count(usage);
  }

  recordRequest(event: RequestEvent): void {
    this.#spending.recordRequest(event);
  }

  balance(orgId: string): AccountBalance | undefined {
    return this.#spending.balance(orgId);
  }

  /** Takes over the entries of another thread. */
  takeOver(packed: PackedEvents | null, operations: readonly SpendingOperation[]): void {
    const { journal } = this.#options;
    this.#note(operations);
    if (packed !== null) journal.appendPacked(packed);
    if (operations.length > 0) journal.append([], journalOperations(operations));
  }

  /** As `MoneyGrants`. */
  money(orgId: string, estimate: MicroUsd): Promise<MoneyAnswer> {
    return this.#queue.money(orgId, estimate);
  }

  async openAccount(orgId: string): Promise<Outcome<null>> {
    try {
      await this.#options.calls.openAccount(orgId);
      await this.refresh(orgId);
      return accept(null);
    } catch (error) {
      this.#options.onFailure(error);
      return ledgerUnavailable;
    }
  }

  async topUp({ orgId, amount, type, idempotencyKey }: TopUp): Promise<Outcome<LedgerEntry>> {
    const { calls, onFailure } = this.#options;
    try {
      // The store knows the ids of requests in flight from their holds.
      if (!(await this.#flushed())) return ledgerUnavailable;
      let reply = await calls.topUp(orgId, type, amount, idempotencyKey);
      if (reply.outcome === "too_much") {
        // The other gateways were asked to return what they don't use.
        this.recalled(orgId);
        await this.#options.journal.flushedAll(settlementFlushWaitMsMax);
        await new Promise((resolve) => setTimeout(resolve, recallMs));
        reply = await calls.topUp(orgId, type, amount, idempotencyKey);
      }
      switch (reply.outcome) {
        case "key_of_request":
          return keyOfRequest;
        case "too_much":
          return correctionTooLarge;
        case "too_large":
          return balanceTooLarge;
        case "written":
        case "known":
          await this.refresh(orgId);
          return reply.entry.type === type && reply.entry.amountUsd === formatUsd(amount)
            ? accept(reply.entry)
            : usedKey;
      }
    } catch (error) {
      onFailure(error);
      return ledgerUnavailable;
    }
  }

  async caughtUp(orgId: string): Promise<void> {
    await this.#options.journal.flushedAll(settlementFlushWaitMsMax);
    await this.refresh(orgId).catch(this.#options.onFailure);
  }

  async freshBalance(orgId: string): Promise<AccountBalance | undefined> {
    const { calls, journal } = this.#options;
    await journal.flushedAll(settlementFlushWaitMsMax);
    const account = (await calls.accounts([orgId])).get(orgId);
    if (account === undefined) return undefined;
    const { amount, holds } = await calls.held(orgId);
    const { balance } = account;
    return { balance, available: microUsd(balance - amount), holds };
  }

  async list({ orgId, limit, cursor }: LedgerQuery): Promise<Outcome<LedgerPage>> {
    const before = cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor);
    if (!Number.isSafeInteger(before) || before < 1) {
      return refuse("invalid_request", "The cursor is not one that a page of this list gave.");
    }
    const count = Math.min(limit, ledgerPageMax);
    const found = await this.#options.calls.entriesBefore(orgId, before, count + 1);
    const entries = found.slice(0, count);
    const nextCursor = found.length > count ? (entries.at(-1)?.id ?? null) : null;
    return accept({ entries, nextCursor });
  }

  months(orgId: string, limit: number): Promise<readonly LedgerMonth[]> {
    return this.#options.calls.months(orgId, limit);
  }

  async sweep(): Promise<void> {
    this.#spending.expireLeases();
    const { calls } = this.#options;
    this.#recovered += await calls.recoverSome(recoveryOrgsPerSweep, recoveryDebtsPerSlice);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** While the store is away nobody else can have it. */
  #returnIdle(): void {
    if (!this.#options.journal.failing) this.#own.returnIdle();
  }

  /** A flush was applied, which has brought `returns` back. */
  applied({ owed, refused, accounts }: AppliedFlush, returns: readonly Amount[]): void {
    this.#owed += owed.length;
    this.#refused += refused.length;
    for (const requestId of [...owed, ...refused]) {
      const charge = this.#paid.get(requestId);
      if (charge !== undefined) this.#own.giveBack(charge.orgId, charge.paid);
    }
    this.#own.returned(returns);
    for (const [orgId, account] of accounts) this.#own.told(orgId, account);
  }

  /** The operations of a flush are durable. */
  flushed(operations: readonly JournalOperation[]): void {
    for (const operation of operations) {
      if (operation.kind === "charge") this.#paid.delete(operation.requestId);
    }
  }

  /** The store has granted this, and its answer was lost. */
  lateGrant(orgId: string, amount: bigint): void {
    this.#own.late(orgId, amount);
  }

  /** Others need what is idle here. */
  recalled(orgId: string): void {
    // What is left goes back when the gateway leaves.
    if (this.#closed) return;
    this.#own.recalled(orgId);
    // Somebody waits for it.
    void this.#options.journal.flushedAll(settlementFlushWaitMsMax);
  }

  /** Nothing is left of what was granted: others have taken this gateway for dead. Its next grants are of this epoch. */
  lost(epoch: number): void {
    this.#own.lost(epoch);
    for (const [requestId, { orgId }] of this.#paid) this.#paid.set(requestId, { orgId, paid: 0n });
  }

  /** Asks for the organization's balance. Rejects if the store can't be reached. */
  async refresh(orgId: string): Promise<void> {
    const account = (await this.#options.calls.accounts([orgId])).get(orgId);
    if (account !== undefined) this.#own.toldBalance(orgId, account.balance);
  }

  async #flushed(): Promise<boolean> {
    const { journal, handedOver } = this.#options;
    await handedOver?.();
    return journal.flushedAll(settlementFlushWaitMsMax);
  }

  #note(operations: readonly SpendingOperation[]): void {
    for (const operation of operations) {
      if (operation.kind !== "charge") continue;
      const { requestId, orgId, epoch } = operation;
      const paid = epoch === this.#own.epoch ? operation.paid : 0n;
      this.#paid.set(requestId, { orgId, paid });
    }
  }
}

/** `debit` is for a store of one gateway. */
function journalOperations(operations: readonly SpendingOperation[]) {
  return operations.filter((operation) => operation.kind !== "debit");
}

/** Others return what they don't use within this time, if they were asked to. */
const recallMs = grantWaitsMs.reduce<number>((sum, ms) => sum + ms, 0);

const usedKey = refuse(
  "duplicate_entry",
  "This idempotency key was used for another amount or type.",
);
