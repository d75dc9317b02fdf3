import { onTestFinished } from "vitest";
import { microUsd, type MicroUsd } from "../../../src/contract/money.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import type { Charge, Hold, HoldRequest, Ledger } from "../../../src/store/ledger/ledger.ts";
import { openLedger, type OpenedLedger } from "../../../src/store/embedded/ledger/open-ledger.ts";
import type { Store } from "../../../src/store/embedded/store.ts";
import { temporaryStore, valueOf } from "../temporary-store.ts";

export const orgId = "org_1";
export const usd = (text: string): MicroUsd => microUsd(BigInt(Math.round(Number(text) * 1e6)));

export interface Books extends OpenedLedger {
  readonly store: Store;
}

/** Real books in a real store; closed with the test, before their store. */
export async function openBooks(
  options: {
    readonly store?: Store;
    readonly clock?: Clock;
    readonly holdsMax?: number;
    readonly onFailure?: (error: unknown) => void;
  } = {},
): Promise<Books> {
  const store = options.store ?? (await temporaryStore());
  const opened = await openLedger(store, {
    billingUrl: () => "https://billing.example",
    onFailure:
      options.onFailure ??
      ((error) => {
        throw error;
      }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.holdsMax === undefined ? {} : { holdsMax: options.holdsMax }),
  });
  const books = valueOf(opened);
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= books.close());
  onTestFinished(close);
  return { ...books, close, store };
}

export async function topUp(ledger: Ledger, amount: string, key = "first"): Promise<void> {
  valueOf(await ledger.topUp({ orgId, amount: usd(amount), type: "top_up", idempotencyKey: key }));
}

let requests = 0;
export function holdOf(estimate: string, more: Partial<HoldRequest> = {}): HoldRequest {
  requests += 1;
  return {
    requestId: `request-${requests}`,
    orgId,
    by: { apiKeyId: "key_1", team: "search" },
    estimate: usd(estimate),
    isLive: () => true,
    ...more,
  };
}

export function held(ledger: Ledger, estimate: string, more: Partial<HoldRequest> = {}): Hold {
  return valueOf(ledger.hold(holdOf(estimate, more)));
}

export function chargeOf(cost: string): Charge {
  return { cost: usd(cost), catalogVersion: "v1", usage: { uncachedInput: 3 } };
}

/** Balance and available in US dollars. */
export function spendable(ledger: Ledger): readonly [number, number] {
  const balance = ledger.balance(orgId);
  if (balance === undefined) throw new Error("no account");
  return [Number(balance.balance) / 1e6, Number(balance.available) / 1e6];
}

/** Every audit event that was written, oldest first. */
export function eventsIn({ store }: Books): Record<string, unknown>[] {
  store.journal.events.resetReadTxn();
  return Array.from(store.journal.events.getRange(), ({ value }) =>
    Buffer.from(value).toString().split("\n"),
  )
    .flat()
    .map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>);
}

export function eventTypes(books: Books): unknown[] {
  return eventsIn(books).map((event) => event["event_type"]);
}
