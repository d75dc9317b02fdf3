import { canonicalEvent } from "../../contract/audit.ts";
import { microUsd, zeroUsd, type MicroUsd } from "../../contract/money.ts";
import type { RequestEvent } from "../../contract/request-event.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { JournalOperation } from "../journal/batch.ts";
import type { JournalMark } from "../journal/flush-waiters.ts";
import type { Journal } from "../journal/journal.ts";
import type { PackedEvents } from "../journal/packed-events.ts";
import { enter, type Book, type Entered, type EntryDraft } from "./entry.ts";
import * as events from "./ledger-events.ts";
import { RenewedMap } from "../../runtime/renewed-map.ts";
import type { DebitOperation, SpendingJournal, SpendingOperation } from "./spending.ts";
import { WrittenTime } from "./written-time.ts";

/**
 * Writes the books: gives every entry a number and the balance after it, in the order in which debits
 * arrive. Threads take money from the shared accounts in another order than their messages arrive. So
 * an account may be ahead of its book, but never behind it. After a crash a book has no gap and no
 * balance below zero.
 */
export class Bookkeeper implements SpendingJournal {
  readonly #journal: Journal;
  readonly #time: WrittenTime;
  readonly #owes: (orgId: string, cost: MicroUsd) => void;
  readonly #books = new Map<string, Book>();
  /** Holds of other threads. */
  readonly #liveElsewhere = new RenewedMap<true>();

  /** `owes` is called for every appended debt. */
  constructor(journal: Journal, clock: Clock, owes: (orgId: string, cost: MicroUsd) => void) {
    this.#journal = journal;
    this.#time = new WrittenTime(clock);
    this.#owes = owes;
  }

  get accepting(): boolean {
    return this.#journal.accepting;
  }

  get full(): boolean {
    return this.#journal.full;
  }

  get failing(): boolean {
    return this.#journal.failing;
  }

  /** Whether another thread has reported that the request holds money. */
  isLiveElsewhere(requestId: string): boolean {
    return this.#liveElsewhere.has(requestId);
  }

  /** Sets a book to its state in the store. */
  restore(orgId: string, book: Book): void {
    this.#books.set(orgId, { ...book });
  }

  /** Writes an entry for an amount that was moved on the account. */
  enter(orgId: string, draft: EntryDraft): Entered {
    let book = this.#books.get(orgId);
    if (book === undefined) this.#books.set(orgId, (book = { balance: zeroUsd, entries: 0 }));
    return enter(book, orgId, draft, this.#time.now());
  }

  /** The store has refused an entry: later entries get numbers and balances without it. */
  takeBack(orgId: string, moved: MicroUsd): void {
    const book = this.#books.get(orgId);
    if (book === undefined) throw new Error("an entry was refused that nobody has entered");
    book.balance = microUsd(book.balance - moved);
    book.entries -= 1;
  }

  append(what: readonly string[], operations: readonly SpendingOperation[]): JournalMark {
    let happened = what;
    const journaled: JournalOperation[] = [];
    for (const operation of operations) {
      if (operation.kind === "owe") {
        this.#owes(operation.orgId, microUsd(BigInt(operation.debt.cost)));
      }
      if (operation.kind !== "debit") {
        journaled.push(operation);
        continue;
      }
      const entered = this.#debit(operation);
      const { amount, entry } = entered.operation;
      const event = events.debitApplied(operation, amount, entered.balance);
      happened = happened.concat(canonicalEvent(event, entry.createdAt));
      journaled.push(entered.operation);
    }
    return this.#journal.append(happened, journaled);
  }

  appendRequest(event: RequestEvent, createdAtMs: number): JournalMark {
    return this.#journal.appendRequest(event, createdAtMs);
  }

  /** Takes over the entries of another thread, in its order; all of them become durable together. */
  takeOver(packed: PackedEvents | null, operations: readonly SpendingOperation[]): void {
    for (const operation of operations) {
      if (operation.kind === "hold") this.#liveElsewhere.set(operation.requestId, true);
      else if (operation.kind === "unhold") this.#liveElsewhere.delete(operation.requestId);
    }
    // Everything that one turn of the loop appends is in one flush.
    if (packed !== null) this.#journal.appendPacked(packed);
    if (operations.length > 0) this.append([], operations);
  }

  flushed(mark: JournalMark, waitMsMax: number | null): Promise<boolean> {
    return this.#journal.flushed(mark, waitMsMax);
  }

  #debit({ requestId, orgId, charge }: DebitOperation): Entered {
    const { cost: amount, catalogVersion, usage } = charge;
    const idempotencyKey = requestId;
    const type = "debit";
    return this.enter(orgId, { type, amount, idempotencyKey, requestId, catalogVersion, usage });
  }
}
