import { settlementFlushWaitMsMax } from "../../contract/limits.ts";
import type { Debt } from "../journal/batch.ts";
import type { Journal } from "../journal/journal.ts";
import type { LedgerReads } from "./ledger-reads.ts";

/** Debits a debt if the balance covers it; false where it does not. */
export type DebitDebt = (orgId: string, debt: Debt) => boolean;

/** Who owes what a balance could not cover, and its debit as soon as one can (spec: Recovery rule). */
export class Recovery {
  readonly #journal: Journal;
  readonly #reads: LedgerReads;
  readonly #debit: DebitDebt;
  /** Debts by organization. */
  readonly #counts = new Map<string, number>();
  #running: Promise<void> = Promise.resolve();

  constructor(journal: Journal, reads: LedgerReads, debit: DebitDebt) {
    this.#journal = journal;
    this.#reads = reads;
    this.#debit = debit;
    for (const orgId of reads.debtors()) this.#counts.set(orgId, reads.debts(orgId).length);
  }

  /** Notes that one more debt was appended. */
  owes(orgId: string): void {
    this.#counts.set(orgId, (this.#counts.get(orgId) ?? 0) + 1);
  }

  /**
   * Debits what is owed, oldest first; what a balance can't cover is skipped. Durable when resolved,
   * unless the store can't be written.
   */
  recover(orgIds: Iterable<string> = this.#counts.keys()): Promise<void> {
    const debtors = [...orgIds].filter((orgId) => this.#counts.has(orgId));
    if (debtors.length === 0) return Promise.resolve();
    this.#running = this.#running.then(async () => {
      // Debts are read as they are stored: those that the run before paid must be gone from there.
      if (!(await this.#journal.flushedAll(settlementFlushWaitMsMax))) return;
      for (const orgId of debtors) this.#recoverOf(orgId);
      await this.#journal.flushedAll(settlementFlushWaitMsMax);
    });
    return this.#running;
  }

  #recoverOf(orgId: string): void {
    for (const debt of this.#reads.debts(orgId)) {
      if (!this.#debit(orgId, debt)) continue;
      const left = (this.#counts.get(orgId) ?? 1) - 1;
      if (left > 0) this.#counts.set(orgId, left);
      else this.#counts.delete(orgId);
    }
  }
}
