import { canonicalEvent } from "../../../contract/audit.ts";
import { refuse } from "../../../contract/errors.ts";
import type { LedgerEntry } from "../../../contract/ledger.ts";
import { balanceUsdMax, settlementFlushWaitMsMax } from "../../../contract/limits.ts";
import { formatUsd, microUsd, microUsdPerUsd } from "../../../contract/money.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { JournalMark } from "../../journal/flush-waiters.ts";
import type { Journal } from "../../journal/journal.ts";
import { spendable } from "../../ledger/account-changes.ts";
import { changed, type AccountStates } from "../../ledger/account-states.ts";
import type { Bookkeeper } from "../../ledger/bookkeeper.ts";
import { ledgerUnavailable } from "../../ledger/hold-refusals.ts";
import { toppedUp } from "../../ledger/ledger-events.ts";
import type { LedgerReads } from "./ledger-reads.ts";
import type { TopUp } from "../../ledger/ledger.ts";
import type { Recovery } from "./recovery.ts";
import type { RefusedEntries } from "./refused-entries.ts";
import { balanceTooLarge, correctionTooLarge, keyOfRequest } from "../../ledger/top-up-refusals.ts";

export interface TopUpsOptions {
  readonly journal: Journal;
  readonly reads: Pick<LedgerReads, "entryByKey" | "owes">;
  readonly accounts: AccountStates;
  readonly clock: Clock;
  readonly bookkeeper: Bookkeeper;
  readonly recovery: Recovery;
  readonly refused: RefusedEntries;
  /** Resolves once everything that other threads had appended before the call is taken over. */
  readonly others?: () => Promise<void>;
  /** Whether a request holds money. */
  readonly isLive: (requestId: string) => boolean;
  /** Opens the organization's account if it has none. */
  readonly openAccount: (orgId: string) => void;
}

/** Top-ups and corrections; `Ledger.topUp` has the guarantees. */
export class TopUps {
  readonly #options: TopUpsOptions;
  /** Top-ups that are not durable yet, by organization and key. */
  readonly #underWay = new Set<string>();

  constructor(options: TopUpsOptions) {
    this.#options = options;
  }

  async topUp(topUp: TopUp): Promise<Outcome<LedgerEntry>> {
    const { journal, reads, others, isLive, refused, recovery } = this.#options;
    const { orgId, idempotencyKey } = topUp;
    const key = JSON.stringify([orgId, idempotencyKey]);
    await others?.();
    if (isLive(idempotencyKey)) return keyOfRequest;
    // The store does not show entries that are not durable yet, such as another top-up or the debit
    // of a request.
    do {
      if (!(await journal.appliedAll(settlementFlushWaitMsMax))) return ledgerUnavailable;
    } while (this.#underWay.has(key));
    const before = reads.entryByKey(orgId, idempotencyKey);
    if (before !== undefined) return sameAs(before, topUp);
    if (reads.owes(orgId, idempotencyKey) || isLive(idempotencyKey)) return keyOfRequest;
    const entered = this.#enter(topUp);
    if (!entered.ok) return entered;
    const mark = entered.value;
    // Until the entry is durable, a look-up of the same key in the store finds nothing.
    this.#underWay.add(key);
    void journal.applied(mark, null).then(() => this.#underWay.delete(key));
    if (!(await journal.applied(mark, settlementFlushWaitMsMax))) return ledgerUnavailable;
    refused.take();
    await recovery.recover(orgId);
    // The store decides what the entry is, and whether it is written.
    const written = reads.entryByKey(orgId, idempotencyKey);
    return written === undefined ? correctionTooLarge : sameAs(written, topUp);
  }

  #enter({ orgId, amount, type, idempotencyKey }: TopUp): Outcome<JournalMark> {
    const { journal, accounts, bookkeeper, clock, openAccount } = this.#options;
    if (!journal.accepting) return ledgerUnavailable;
    openAccount(orgId);
    const refused = changed(accounts, orgId, (account) => {
      if (spendable(account).available + amount < 0n) return correctionTooLarge;
      if (amount > 0n && account.balance + amount > balanceMax) return balanceTooLarge;
      account.balance = microUsd(account.balance + amount);
      return null;
    });
    if (refused !== null) return refused;
    const draft = { type, amount, idempotencyKey, ...noRequest };
    const { operation, balance } = bookkeeper.enter(orgId, draft);
    const about = { requestId: null, orgId };
    const event = toppedUp(about, type, amount, balance, idempotencyKey);
    const now = new Date(clock.wallMs()).toISOString();
    return accept(journal.append([canonicalEvent(event, now)], [operation]));
  }
}

const noRequest = { requestId: null, catalogVersion: null, usage: null };

const balanceMax = BigInt(balanceUsdMax) * microUsdPerUsd;

function sameAs(entry: LedgerEntry, { type, amount }: TopUp): Outcome<LedgerEntry> {
  return entry.type === type && entry.amountUsd === formatUsd(amount)
    ? accept(entry)
    : refuse("duplicate_entry", "This idempotency key was used for another amount or type.");
}
