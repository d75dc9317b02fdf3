import { canonicalEvent } from "../../../contract/audit.ts";
import { refusedEntriesPerTurn } from "../../../contract/limits.ts";
import { microUsd, zeroUsd, type MicroUsd } from "../../../contract/money.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { RefusedEntryRow } from "../../journal/batch.ts";
import type { JournalMark } from "../../journal/flush-waiters.ts";
import type { Journal } from "../../journal/journal.ts";
import { entryRefused } from "../../ledger/ledger-events.ts";
import type { LedgerReads } from "./ledger-reads.ts";

export interface RefusedEntriesOptions {
  readonly journal: Journal;
  readonly reads: Pick<LedgerReads, "refusedEntries" | "refusedEntryCount">;
  readonly clock: Clock;
  /** Takes a movement back in memory, where the entry for it was believed to be written. */
  readonly takeBack: (orgId: string, moved: MicroUsd) => void;
  /** A debit that was refused is owed. */
  readonly owes: (orgId: string, cost: MicroUsd) => void;
  /** Told of each. */
  readonly onRefused: (error: RefusedEntry) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * What the store has refused to write (docs/decisions/0029). In memory it was moved already, so it is
 * taken back there; the audit log and `onRefused` are told. The store forgets it with that event, so it
 * is taken back once, whatever a crash comes between: a start restores balances as they are written.
 */
export class RefusedEntries {
  readonly #options: RefusedEntriesOptions;
  /** Those up to this one were refused before the start. */
  readonly #atStart: number;
  /** Told, and not known to be forgotten. */
  readonly #taken = new Set<number>();
  #count = 0;
  #stopped = false;

  constructor(options: RefusedEntriesOptions) {
    this.#options = options;
    this.#atStart = options.reads.refusedEntryCount;
  }

  /** Since the start. */
  get count(): number {
    return this.#count;
  }

  /** Takes back what was refused since the last call: some now, more of them once these are forgotten. */
  take(): void {
    if (this.#stopped) return;
    const { reads, journal, onFailure } = this.#options;
    const refused = reads.refusedEntries(refusedEntriesPerTurn);
    let last: JournalMark | null = null;
    for (const { key, value } of refused) {
      if (this.#taken.has(key)) continue;
      try {
        last = this.#take(key, value);
      } catch (error) {
        // Nothing of it has happened; the next call tries it again.
        onFailure(error);
      }
    }
    if (last === null) return;
    const mark = last;
    const forgotten = async (): Promise<void> => {
      await journal.flushed(mark, null);
      for (const { key } of refused) this.#taken.delete(key);
      if (refused.length === refusedEntriesPerTurn) this.take();
    };
    forgotten().catch(onFailure);
  }

  /** Nothing is taken back any more before the next start. */
  stop(): void {
    this.#stopped = true;
  }

  #take(number: number, row: RefusedEntryRow): JournalMark {
    const { journal, clock, onRefused } = this.#options;
    if (number > this.#atStart) this.#takeBack(row);
    this.#taken.add(number);
    this.#count += 1;
    onRefused(new RefusedEntry(row));
    const event = canonicalEvent(entryRefused(row), new Date(clock.wallMs()).toISOString());
    return journal.append([event], [{ kind: "refusalTaken", number }]);
  }

  #takeBack({ orgId, type, amount, reason }: RefusedEntryRow): void {
    const { takeBack, owes } = this.#options;
    // A debt moves nothing.
    if (type === "debt") return;
    const moved = microUsd(BigInt(amount));
    takeBack(orgId, type === "debit" ? microUsd(zeroUsd - moved) : moved);
    if (type === "debit" && reason === "not_covered") owes(orgId, moved);
  }
}

/** A bug: whoever appended it had to know that its key has an entry. */
export class RefusedEntry extends Error {
  readonly requestId: string | null;

  constructor({ type, amount, orgId, reason, requestId }: RefusedEntryRow) {
    const what = `a ${type} of ${amount} micro-dollars of ${orgId}`;
    super(`the books refused ${what}, request ${requestId ?? "none"}: ${reason}; please report it`);
    this.requestId = requestId;
  }
}
