import {
  recoveryDebtorsPerTurn,
  recoveryDebtsPerSlice,
  recoveryDebtsPerTurn,
  settlementFlushWaitMsMax,
} from "../../../contract/limits.ts";
import { microUsd, zeroUsd, type MicroUsd } from "../../../contract/money.ts";
import type { Debt } from "../../journal/batch.ts";
import type { Journal } from "../../journal/journal.ts";
import type { LedgerReads } from "./ledger-reads.ts";

export interface RecoveryOptions {
  readonly journal: Pick<Journal, "appliedAll">;
  readonly reads: Pick<LedgerReads, "debtors" | "debts">;
  /** The available balance of an organization. */
  readonly available: (orgId: string) => MicroUsd;
  /** Debits a debt if the balance covers it; false if not. */
  readonly debit: (orgId: string, debt: Debt) => boolean;
  /** Called with every exception. The debts that it left stay owed. */
  readonly onFailed: (error: unknown) => void;
}

/** A debtor, and the state of the walk through its debts, which begins with the oldest. */
interface Debtor {
  /** A lower bound of its smallest debt. A walk that comes to its end knows the value exactly. */
  smallest: MicroUsd;
  /** The last debt that the walk has tried; null: no walk has begun. */
  after: Debt | null;
  /** The smallest debt that the walk has skipped, or that is new since it began; null: none. */
  left: MicroUsd | null;
  /** Walks of one organization run one after the other. */
  running: Promise<unknown>;
}

/**
 * The result of one slice of a walk; `stopped`: the store can't be written, or no new work may begin.
 */
type Slice = "done" | "more" | "stopped";

/**
 * Debts that a balance could not cover; each is debited as soon as the balance covers it (spec:
 * Recovery rule). There may be many debts and many debtors. So each turn of the loop examines only a
 * few, and a walk through the debts of one organization is cut into slices. Between two slices, other
 * organizations get a turn. An organization that can't pay its smallest debt costs one comparison.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #debtors = new Map<string, Debtor>();
  /** The running sweep, and the one that waits for it. */
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | null = null;
  #stopped = false;

  /** Looks for the debtors in the store, once each. */
  constructor(options: RecoveryOptions) {
    this.#options = options;
    for (const orgId of options.reads.debtors()) this.#debtors.set(orgId, debtorOf(zeroUsd));
  }

  /** Notes that one more debt was appended. */
  owes(orgId: string, cost: MicroUsd): void {
    const debtor = this.#debtors.get(orgId);
    if (debtor === undefined) {
      this.#debtors.set(orgId, debtorOf(cost));
      return;
    }
    debtor.smallest = smaller(debtor.smallest, cost);
    debtor.left = smaller(debtor.left, cost);
  }

  /**
   * Debits an organization's debts, oldest first; a debt that the balance can't cover is skipped. It
   * tries `recoveryDebtsPerSlice` debts, and leaves the rest to a sweep that begins at once. Durable
   * when resolved, unless the store can't be written or `onFailed` was called.
   */
  async recover(orgId: string): Promise<void> {
    const debtor = this.#debtors.get(orgId);
    if (debtor === undefined) return;
    const slice = await this.#inTurn(orgId, debtor, true);
    if (slice === "more") void this.sweep();
  }

  /**
   * Does the same, to the end, for all debtors that can pay something. While one call runs, the next
   * one waits.
   */
  sweep(): Promise<void> {
    if (this.#debtors.size === 0) return Promise.resolve();
    if (this.#waiting !== null) return this.#waiting;
    const sweep = this.#running.then(() => {
      this.#waiting = null;
      return this.#sweep();
    });
    // A sweep that throws must not end the next ones.
    this.#running = this.#waiting = sweep.catch(this.#options.onFailed);
    return this.#running;
  }

  /** The remaining debts stay owed until the next start. */
  stop(): void {
    this.#stopped = true;
  }

  async #sweep(): Promise<void> {
    let round = [...this.#debtors.keys()];
    while (round.length > 0) {
      const unfinished: string[] = [];
      for (const [i, orgId] of round.entries()) {
        if (i % recoveryDebtorsPerTurn === recoveryDebtorsPerTurn - 1) await nextTurn();
        const debtor = this.#debtors.get(orgId);
        if (debtor === undefined || !this.#mayPay(orgId, debtor)) continue;
        const slice = await this.#inTurn(orgId, debtor, false);
        if (slice === "stopped") return;
        if (slice === "more") unfinished.push(orgId);
        await nextTurn();
      }
      round = unfinished;
    }
  }

  #mayPay(orgId: string, { after, smallest }: Debtor): boolean {
    return after !== null || this.#options.available(orgId) >= smallest;
  }

  /** `anew`: start from the oldest debt, because the balance is now higher than during the walk. */
  #inTurn(orgId: string, debtor: Debtor, anew: boolean): Promise<Slice> {
    const slice = debtor.running.then(async (): Promise<Slice> => {
      try {
        if (anew) debtor.after = null;
        return await this.#slice(orgId, debtor);
      } catch (error) {
        // The debts of other organizations are still tried.
        this.#options.onFailed(error);
        Object.assign(debtor, { smallest: zeroUsd, after: null });
        return "done";
      }
    });
    debtor.running = slice;
    return slice;
  }

  async #slice(orgId: string, debtor: Debtor): Promise<Slice> {
    // Set before the flush: debts that are added from here on may be missing in the read.
    if (debtor.after === null) debtor.left = null;
    // Debts are read from the store, so paid debts must be deleted there first.
    if (!(await this.#flushed())) return "stopped";
    for (let tried = 0; tried < recoveryDebtsPerSlice; tried += recoveryDebtsPerTurn) {
      if (this.#stopped) return "stopped";
      const { isLast, hasPaid } = this.#turn(orgId, debtor);
      if (hasPaid && !(await this.#flushed())) return "stopped";
      if (isLast) return "done";
      if (!hasPaid) await nextTurn();
    }
    return "more";
  }

  /** Tries the next few debts. */
  #turn(orgId: string, debtor: Debtor): { readonly isLast: boolean; readonly hasPaid: boolean } {
    const { reads, debit } = this.#options;
    const debts = reads.debts(orgId, debtor.after, recoveryDebtsPerTurn);
    let hasPaid = false;
    for (const debt of debts) {
      debtor.after = debt;
      if (debit(orgId, debt)) hasPaid = true;
      else debtor.left = smaller(debtor.left, microUsd(BigInt(debt.cost)));
    }
    const isLast = debts.length < recoveryDebtsPerTurn;
    if (isLast) this.#walked(orgId, debtor);
    return { isLast, hasPaid };
  }

  #walked(orgId: string, debtor: Debtor): void {
    debtor.after = null;
    if (debtor.left !== null) debtor.smallest = debtor.left;
    // After its last debt was paid, the organization may have new debts.
    else if (this.#debtors.get(orgId) === debtor) this.#debtors.delete(orgId);
  }

  #flushed(): Promise<boolean> {
    return this.#options.journal.appliedAll(settlementFlushWaitMsMax);
  }
}

function debtorOf(smallest: MicroUsd): Debtor {
  return { smallest, after: null, left: null, running: Promise.resolve() };
}

function smaller(one: MicroUsd | null, other: MicroUsd): MicroUsd {
  return one === null || other < one ? other : one;
}

/** Others get their turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
