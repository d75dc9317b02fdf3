import type { LedgerEntry } from "../../contract/ledger.ts";
import { formatUsd, microUsd, type MicroUsd } from "../../contract/money.ts";
import type { JournalOperation } from "../journal/batch.ts";

/** The totals of one organization's entries, including those that are still to be written. */
export interface Book {
  balance: MicroUsd;
  /** Entries so far. */
  entries: number;
}

/** The data of an entry before it gets its number and balance. */
export interface EntryDraft {
  readonly type: LedgerEntry["type"];
  /** Taken by a debit, added by a top-up or a correction. */
  readonly amount: MicroUsd;
  readonly idempotencyKey: string;
  readonly requestId: string | null;
  readonly catalogVersion: string | null;
  readonly usage: LedgerEntry["usage"];
}

/** An entry on its way to the store. */
export interface Entered {
  readonly operation: Extract<JournalOperation, { kind: "entry" }>;
  /** The balance after the entry. */
  readonly balance: MicroUsd;
}

/**
 * Moves the amount in the book and returns the entry. Its number and balance are right unless the store
 * refuses it or an earlier entry. The caller has checked that the entry is allowed.
 */
export function enter(book: Book, orgId: string, draft: EntryDraft, createdAt: string): Entered {
  const { type, amount, ...more } = draft;
  const balance = microUsd(type === "debit" ? book.balance - amount : book.balance + amount);
  book.balance = balance;
  book.entries += 1;
  const entry: LedgerEntry = {
    id: String(book.entries),
    type,
    amountUsd: formatUsd(amount),
    balanceAfterUsd: formatUsd(balance),
    ...more,
    createdAt,
  };
  return { operation: { kind: "entry", orgId, amount, entry }, balance };
}
