import type { LedgerEntry } from "../../contract/ledger.ts";
import { formatUsd, microUsd, type MicroUsd } from "../../contract/money.ts";
import type { JournalOperation } from "../journal/batch.ts";
import type { AccountState } from "./account-states.ts";

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

/** Moves the amount on the account and returns the entry for it. The caller has looked that it may. */
export function enter(
  account: AccountState,
  orgId: string,
  draft: EntryDraft,
  createdAt: string,
): EntryOperation {
  const { type, amount, ...more } = draft;
  const balance = microUsd(type === "debit" ? account.balance - amount : account.balance + amount);
  account.balance = balance;
  account.entries += 1;
  const entry: LedgerEntry = {
    id: String(account.entries),
    type,
    amountUsd: formatUsd(amount),
    balanceAfterUsd: formatUsd(balance),
    ...more,
    createdAt,
  };
  return { kind: "entry", orgId, number: account.entries, amount, balance, entry };
}
