import { canonicalEvent } from "../../contract/audit.ts";
import { zeroUsd, type MicroUsd } from "../../contract/money.ts";
import type { JournalBatch } from "../journal/batch.ts";
import { EventPacker } from "../journal/event-packer.ts";
import { enter, type Book } from "./entry.ts";
import { toppedUp } from "./ledger-events.ts";

/** The first batch of a new store. It opens an account with money on it. */
export function openingBalance(orgId: string, amount: MicroUsd, wallMs: number): JournalBatch {
  const now = new Date(wallMs).toISOString();
  const book: Book = { balance: zeroUsd, entries: 0 };
  const idempotencyKey = "opening-balance";
  const draft = {
    type: "top_up",
    amount,
    idempotencyKey,
    requestId: null,
    catalogVersion: null,
    usage: null,
  } as const;
  const entered = enter(book, orgId, draft, now);
  const about = { requestId: null, orgId };
  const event = toppedUp(about, "top_up", amount, book.balance, idempotencyKey);
  const packer = new EventPacker();
  packer.line(canonicalEvent(event, now));
  return {
    number: 1,
    events: [packer.take()],
    operations: [{ kind: "open", orgId }, entered.operation],
  };
}
