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
  /** Takes a movement back in memory, because its entry was refused. */
  readonly takeBack: (orgId: string, moved: MicroUsd) => void;
  /** Called for a refused debit, which is now owed. */
  readonly owes: (orgId: string, cost: MicroUsd) => void;
  /** Called for each refused entry. */
  readonly onRefused: (error: RefusedEntry) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Handles entries that the store has refused to write (docs/decisions/0029). Their amounts were
 * already moved in memory, so they are taken back there. The audit log gets an event, and `onRefused`
 * is called. The store deletes the refused entry together with that event. So the amount is taken back
 * once, even after a crash, because a start reads balances from the store.
 */
export class RefusedEntries {
  readonly #options: RefusedEntriesOptions;
  /** Entries up to this number were refused before the start. */
  readonly #atStart: number;
  /** Numbers of entries that are taken back, but perhaps not deleted in the store yet. */
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

  /**
   * Takes back the entries refused since the last call: a part now, the rest once the store has deleted
   * these.
   */
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
        // Nothing has changed; the next call tries again.
        onFailure(error);
      }
    }
    if (last === null) return;
    const mark = last;
    const forgotten = async (): Promise<void> => {
      await journal.applied(mark, null);
      for (const { key } of refused) this.#taken.delete(key);
      if (refused.length === refusedEntriesPerTurn) this.take();
    };
    forgotten().catch(onFailure);
  }

  /** Nothing more is taken back until the next start. */
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

/**
 * This is a bug: the code that appended the entry had to know that its key already has an entry.
 */
export class RefusedEntry extends Error {
  readonly requestId: string | null;

  constructor({ type, amount, orgId, reason, requestId }: RefusedEntryRow) {
    const what = `a ${type} of ${amount} micro-dollars of ${orgId}`;
    super(`the books refused ${what}, request ${requestId ?? "none"}: ${reason}; please report it`);
    this.requestId = requestId;
  }
}
