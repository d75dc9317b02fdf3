import type { LedgerEntry } from "../../contract/ledger.ts";
import { formatUsd, microUsd, type MicroUsd } from "../../contract/money.ts";
import type { JournalOperation } from "../journal/batch.ts";

/** What the entries of one organization have come to. */
export interface Book {
  balance: MicroUsd;
  /** Entries so far. */
  entries: number;
}

/** What an entry says beside the amounts. */
export interface EntryDraft {
  readonly type: LedgerEntry["type"];
  /** Taken by a debit, added by a top-up or a correction. */
  readonly amount: MicroUsd;
  readonly idempotencyKey: string;
  readonly requestId: string | null;
  readonly catalogVersion: string | null;
  readonly usage: LedgerEntry["usage"];
}

export type EntryOperation = Extract<JournalOperation, { kind: "entry" }>;

/** Moves the amount in the book and returns the entry for it. The caller has looked that it may. */
export function enter(
  book: Book,
  orgId: string,
  draft: EntryDraft,
  createdAt: string,
): EntryOperation {
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
  return { kind: "entry", orgId, number: book.entries, amount, balance, entry };
}
