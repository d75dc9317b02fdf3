import { settlementFlushWaitMsMax } from "../../contract/limits.ts";
import type { Debt } from "../journal/batch.ts";
import type { Journal } from "../journal/journal.ts";
import type { LedgerReads } from "./ledger-reads.ts";

/** Debits a debt if the balance covers it; false where it does not. */
export type DebitDebt = (orgId: string, debt: Debt) => boolean;

/** Who owes what a balance could not cover, and its debit as soon as one can (spec: Recovery rule). */
export class Recovery {
  readonly #journal: Pick<Journal, "flushedAll">;
  readonly #reads: Pick<LedgerReads, "debtors" | "debts">;
  readonly #debit: DebitDebt;
  readonly #onFailed: (error: unknown) => void;
  /** Debts by organization. */
  readonly #counts = new Map<string, number>();
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /** `onFailed` is told of every run that threw; what it left is owed as before. */
  constructor(
    journal: Pick<Journal, "flushedAll">,
    reads: Pick<LedgerReads, "debtors" | "debts">,
    debit: DebitDebt,
    onFailed: (error: unknown) => void,
  ) {
    this.#journal = journal;
    this.#reads = reads;
    this.#debit = debit;
    this.#onFailed = onFailed;
    for (const orgId of reads.debtors()) this.#counts.set(orgId, reads.debts(orgId).length);
  }

  /** Notes that one more debt was appended. */
  owes(orgId: string): void {
    this.#counts.set(orgId, (this.#counts.get(orgId) ?? 0) + 1);
  }

  /**
   * Debits what is owed, oldest first; what a balance can't cover is skipped. Durable when resolved,
   * unless the store can't be written or `onFailed` was told.
   */
  recover(orgIds: Iterable<string> = this.#counts.keys()): Promise<void> {
    const debtors = [...orgIds].filter((orgId) => this.#counts.has(orgId));
    if (debtors.length === 0) return Promise.resolve();
    // A run that throws must not end those behind it.
    this.#running = this.#running.then(() => this.#run(debtors)).catch(this.#onFailed);
    return this.#running;
  }

  /** What is owed then stays so until the next start. */
  stop(): void {
    this.#stopped = true;
  }

  async #run(debtors: readonly string[]): Promise<void> {
    // Debts are read as they are stored: those that the run before paid must be gone from there.
    if (!(await this.#journal.flushedAll(settlementFlushWaitMsMax))) return;
    if (this.#stopped) return;
    for (const orgId of debtors) {
      try {
        this.#recoverOf(orgId);
      } catch (error) {
        // The debts of others are no worse for it.
        this.#onFailed(error);
      }
    }
    await this.#journal.flushedAll(settlementFlushWaitMsMax);
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
