import { canonicalEvent } from "../../contract/audit.ts";
import type { MicroUsd } from "../../contract/money.ts";
import type { JournalBatch } from "../journal/batch.ts";
import { emptyAccount } from "./account-states.ts";
import { enter } from "./entry.ts";
import { toppedUp } from "./ledger-events.ts";

/** The first batch of a new store: an account with money on it. */
export function openingBalance(orgId: string, amount: MicroUsd, wallMs: number): JournalBatch {
  const now = new Date(wallMs).toISOString();
  const account = emptyAccount();
  const idempotencyKey = "opening-balance";
  const draft = {
    type: "top_up",
    amount,
    idempotencyKey,
    requestId: null,
    catalogVersion: null,
    usage: null,
  } as const;
  const entered = enter(account, orgId, draft, now);
  const about = { requestId: null, orgId };
  const event = toppedUp(about, "top_up", amount, account.balance, idempotencyKey);
  return {
    number: 1,
    events: canonicalEvent(event, now),
    eventCount: 1,
    operations: [{ kind: "open", orgId }, entered],
  };
}
