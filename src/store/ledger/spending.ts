import { canonicalEvent, type AuditEvent } from "../../contract/audit.ts";
import {
  grantTriesMax,
  holdLeaseMs,
  holdsPerOrganizationMax,
  settlementFlushWaitMsMax,
} from "../../contract/limits.ts";
import { zeroUsd, type MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { ChargeOperation, Debt, JournalOperation } from "../journal/batch.ts";
import type { JournalMark } from "../journal/flush-waiters.ts";
import type { UsageOperation } from "../windows/usage-count.ts";
import {
  debit,
  giveBack,
  payPart,
  placeHold,
  shown,
  type PlacedHold,
  type RefusedHold,
} from "./account-changes.ts";
import { changed, type AccountStates } from "./account-states.ts";
import {
  balanceVerdict,
  ledgerUnavailable,
  insufficientBalance,
  notProvisioned,
  paygBusy,
  paygReserved,
} from "./hold-refusals.ts";
import * as events from "./ledger-events.ts";
import type {
  AlongsideOperation,
  AccountBalance,
  Charge,
  Hold,
  HoldRequest,
  LedgerCounts,
  PaidBy,
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
  readonly by: PaidBy;
  readonly charge: Charge;
}

/** The operations of requests on the books. */
export type SpendingOperation =
  | Extract<JournalOperation, { kind: "hold" | "unhold" | "owe" }>
  | AlongsideOperation
  | DebitOperation
  | ChargeOperation;

/** What a gateway may spend of a shared store's balances is granted to it, a part at a time. */
export interface MoneyGrants {
  /** Asks for a grant that makes this hold possible. Never rejects. */
  money(orgId: string, estimate: MicroUsd): Promise<MoneyAnswer>;
}

/** What a question for money has brought. */
export type MoneyAnswer =
  /** The hold may be possible now; other requests may be faster. */
  | { readonly outcome: "again" }
  /** Nobody has so much to spare. `available`: the most that this gateway could have. */
  | { readonly outcome: "refused"; readonly account: AccountBalance }
  | { readonly outcome: "no_account" }
  /** The shared store could not be asked in time. */
  | { readonly outcome: "away" };

/**
 * The destination of writes. Everything that one call appends becomes durable together, in order.
 */
export interface SpendingJournal {
  readonly accepting: boolean;
  readonly full: boolean;
  /** Writes fail at present, and are tried again. */
  readonly failing: boolean;
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
  /** Absent: the whole balance may be spent here. */
  readonly grants?: MoneyGrants | undefined;
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
  readonly #grants: MoneyGrants | null;
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
    this.#grants = options.grants ?? null;
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

  hold(request: HoldRequest): Outcome<Hold> | Promise<Outcome<Hold>> {
    return this.#grants === null
      ? this.holdAtOnce(request)
      : this.#holdOnGrants(request, this.#grants);
  }

  /** As `hold`, without grants. */
  holdAtOnce(request: HoldRequest): Outcome<Hold> {
    return this.#held(request, this.#place(request));
  }

  #holdOnGrants(request: HoldRequest, grants: MoneyGrants): Outcome<Hold> | Promise<Outcome<Hold>> {
    const placed = this.#place(request);
    return needsGrant(placed) ? this.#holdWithGrant(request, grants) : this.#held(request, placed);
  }

  /** Others may spend what was granted first, so it is asked for more than once. */
  async #holdWithGrant(request: HoldRequest, grants: MoneyGrants): Promise<Outcome<Hold>> {
    const { orgId, estimate } = request;
    for (let tries = 0; tries < grantTriesMax; tries += 1) {
      const answer = await grants.money(orgId, estimate);
      if (answer.outcome === "away") return ledgerUnavailable;
      if (answer.outcome === "no_account") return notProvisioned;
      if (answer.outcome === "refused") {
        const { account: before } = answer;
        const refused = balanceVerdict(estimate, before) ?? "payg_reserved";
        return this.#refuse(request, { refused, before });
      }
      const placed = this.#place(request);
      if (!needsGrant(placed)) return this.#held(request, placed);
    }
    return ledgerUnavailable;
  }

  #place({ requestId, orgId, estimate }: HoldRequest): Outcome<PlacedHold> {
    if (!this.#journal.accepting) return ledgerUnavailable;
    if (this.#live.has(requestId)) throw new Error("a request may hold once only");
    return this.#accounts.change(orgId, (account) => placeHold(account, estimate, this.#holdsMax));
  }

  #held(request: HoldRequest, placed: Outcome<PlacedHold>): Outcome<Hold> {
    if (!placed.ok) return placed;
    if (placed.value.refused !== null) return this.#refuse(request, placed.value);
    const { requestId, orgId, by } = request;
    const leaseEndsMs = this.#clock.monotonicMs() + holdLeaseMs;
    const { after, epoch } = placed.value;
    const hold = new LiveHold(request, after, leaseEndsMs);
    this.#live.set(requestId, hold);
    const operation = { kind: "hold", requestId, orgId, by, amount: hold.amount } as const;
    this.#append(
      [events.holdPlaced(hold, hold.amount, hold.available)],
      [this.#grants === null ? operation : { ...operation, epoch }],
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
    if (this.#grants !== null) return this.#charge(hold, charge, more, alongside);
    const { requestId, orgId, by } = hold;
    const { cost } = charge;
    const isLive = this.#live.has(requestId);
    const { kind, balance } = changed(this.#accounts, orgId, (account) => {
      if (isLive) giveBack(account, hold.amount);
      const kind = cost === zeroUsd ? "free" : debit(account, cost) ? "debited" : "owed";
      return { kind, balance: account.balance } as const;
    });
    const operations: SpendingOperation[] = [...alongside, ...this.#ended(hold)];
    const happened: AuditEvent[] = [...more];
    if (kind === "debited") operations.push({ kind: "debit", requestId, orgId, by, charge });
    if (kind === "owed") {
      operations.push({ kind: "owe", orgId, debt: debtOf(hold, charge, this.#time.now()) });
      happened.push(events.debitSkipped(hold, cost, balance));
      this.#owed += 1;
    }
    const mark = this.#append(happened, operations);
    const durable = () => this.#journal.flushed(mark, settlementFlushWaitMsMax);
    hold.settlement = { kind, cost, balance, durable };
    return hold.settlement;
  }

  /** Settles where a shared store decides about what is not covered here. It also writes the events of debits and debts. */
  #charge(
    hold: LiveHold,
    charge: Charge,
    more: readonly AuditEvent[],
    alongside: readonly AlongsideOperation[],
  ): Settlement {
    const { requestId, orgId, by } = hold;
    const { cost } = charge;
    const isLive = this.#live.has(requestId);
    const { paid, balance, epoch } = changed(this.#accounts, orgId, (account) => {
      if (isLive) giveBack(account, hold.amount);
      const paid = payPart(account, cost);
      return { paid, balance: account.balance, epoch: account.epoch };
    });
    const operations: SpendingOperation[] = [...alongside, ...this.#ended(hold)];
    if (cost !== zeroUsd) {
      const at = this.#time.now();
      const ended = alongside.find((operation) => operation.kind === "jobItemEnd");
      const item = ended === undefined ? {} : { item: { jobId: ended.jobId, index: ended.index } };
      operations.push({ kind: "charge", requestId, orgId, by, charge, paid, epoch, at, ...item });
    }
    const kind = cost === zeroUsd ? "free" : paid === cost ? "debited" : "undecided";
    const mark = this.#append(more, operations);
    // An answer does not wait for a store that is known to be away.
    const durable = () =>
      this.#journal.failing
        ? Promise.resolve(false)
        : this.#journal.flushed(mark, settlementFlushWaitMsMax);
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
    const state = this.#accounts.change(orgId, shown);
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

/** Whether the account here lacks what the organization may have elsewhere. */
function needsGrant(placed: Outcome<PlacedHold>): boolean {
  if (!placed.ok) return placed.refusal.code === notProvisioned.refusal.code;
  const { refused } = placed.value;
  return refused === "insufficient_balance" || refused === "payg_reserved";
}

function debtOf(
  { requestId, by }: Hold,
  { cost, catalogVersion, usage }: Charge,
  owedAt: string,
): Debt {
  return { requestId, by, owedAt, cost: String(cost), catalogVersion, usage };
}
