import { holdLeaseMs, ledgerSweepMs } from "../../src/contract/limits.ts";
import type { LedgerEntry } from "../../src/contract/ledger.ts";
import { RefusedEntry } from "../../src/store/embedded/ledger/refused-entries.ts";
import type { AccountBalance, Hold, Ledger, Settlement } from "../../src/store/ledger/ledger.ts";
import { amountOf } from "./amounts.ts";
import type { BooksInHand } from "./books-in-hand.ts";
import type { MemoryStore } from "./memory-store.ts";
import { responseIdOf } from "./response-id.ts";

/** Who holds money: a request of the gateway, or somebody who may forget to give it back. */
export interface Holder {
  readonly kind: "request" | "job";
  /** When it was over; null while it runs. */
  endedMs: number | null;
}

/** What a client was told, and must find in the books for ever. */
type Told =
  | { readonly kind: "charge"; readonly orgId: string; readonly id: string; readonly cost: bigint }
  | { readonly kind: "top_up"; readonly orgId: string; readonly entry: LedgerEntry };

type HoldsInHand = ReturnType<BooksInHand["holds"]>;

interface Walked {
  entries: number;
  balance: bigint;
}

/**
 * What must be true of the books, from outside: it knows what providers charged and what clients
 * were told, and compares. `violations` says what was not so.
 */
export class Oracle {
  readonly violations: string[] = [];
  /** What providers charged, in micro-dollars, by request. */
  readonly charges = new Map<string, bigint>();
  /** Organizations by their requests of the responses wire. */
  readonly responses = new Map<string, string>();
  readonly holders = new Map<string, Holder>();
  /** Holds that were given and neither settled nor released. */
  readonly unsettled = new Set<string>();
  /** Requests whose debit was made to reach the books twice. */
  readonly doubled = new Set<string>();
  readonly #promises: Told[] = [];
  /** Charges that were durable at some moment, as debits or debts. */
  readonly #recorded = new Map<string, bigint>();
  /** How far the entries of each organization were looked at, in each store. */
  readonly #walked = new WeakMap<MemoryStore, Map<string, Walked>>();

  readonly fail = (violation: string): void => {
    this.violations.push(violation);
  };

  /** What the ledger tells of as an error: only what was doubled is refused. */
  heardOf(error: unknown): void {
    const isExpected = error instanceof RefusedEntry && this.doubled.has(error.requestId ?? "");
    if (!isExpected) this.fail(String(error));
  }

  /** The process is gone; who used it does not come back. */
  forgetProcess(): void {
    this.holders.clear();
    this.unsettled.clear();
  }

  /** A cost is debited where its own hold and what is available cover it. */
  settled(
    hold: Hold,
    heldBefore: boolean,
    before: AccountBalance | undefined,
    { kind, cost }: Settlement,
  ): void {
    const covered = (before?.available ?? 0n) + (heldBefore ? hold.amount : 0n);
    const expected = cost === 0n ? "free" : cost <= covered ? "debited" : "owed";
    if (kind !== expected) this.fail(`${hold.requestId}: ${cost} of ${covered} is ${kind}`);
  }

  /** A client was told in its answer's headers what it was debited. */
  answered(durable: MemoryStore, orgId: string, id: string): void {
    const cost = this.charges.get(id) ?? 0n;
    if (cost > 0n) this.#promise(durable, { kind: "charge", orgId, id, cost });
  }

  /** A settlement said that it is durable. */
  settledDurably(
    durable: MemoryStore,
    orgId: string,
    id: string,
    { kind, cost }: Settlement,
  ): void {
    if (kind === "free") return;
    this.#promise(durable, { kind: "charge", orgId, id, cost });
    const isDebited = durable.reads.entryByKey(orgId, id) !== undefined;
    if (kind === "debited" && !isDebited) this.fail(`${id}: a debit was promised, and is owed`);
  }

  /** A top-up or correction was answered. */
  toppedUp(durable: MemoryStore, orgId: string, entry: LedgerEntry): void {
    this.#promise(durable, { kind: "top_up", orgId, entry });
  }

  /** A request of this process is over: what it was charged is in the books, and nothing else is. */
  finished(books: BooksInHand, orgId: string, id: string): void {
    const charge = this.charges.get(id) ?? 0n;
    const recorded = books.charge(orgId, id) ?? 0n;
    if (recorded !== charge) {
      this.fail(`${id}: the provider charged ${charge}, the books say ${recorded}`);
    }
    if (books.holdsFor(id)) this.fail(`${id} is over and holds money`);
  }

  /** Of an answer that was charged, the debit and whose its id is are durable together, or neither is. */
  stateFollowsDebits(durable: MemoryStore): void {
    for (const [requestId, orgId] of this.responses) {
      if ((this.charges.get(requestId) ?? 0n) === 0n) continue;
      // An operator's entry may have taken the request's key; then the debit is refused.
      const { type = "debit" } = durable.reads.entryByKey(orgId, requestId) ?? {};
      if (type !== "debit") continue;
      const isRecorded = durable.recordedCharge(orgId, requestId) !== undefined;
      const id = responseIdOf(requestId);
      const isBound = durable.tables.providerState.get([orgId, id]) !== undefined;
      if (isRecorded !== isBound) {
        this.fail(`${requestId}: recorded is ${isRecorded}, whose its id is ${isBound}`);
      }
    }
  }

  /** After each step. */
  afterStep(ledger: Ledger, books: BooksInHand, durable: MemoryStore, nowMs: number): void {
    const holds = books.holds();
    this.#accountsAddUp(ledger, books, holds);
    this.#holdsHaveHolders(holds, nowMs);
    this.#walk(books.store);
    this.durableStore(durable);
  }

  /** Entries follow one another, and a charge that was once recorded stays so. */
  durableStore(durable: MemoryStore): void {
    const { debts, debtsByAge } = durable.tables;
    if (debts.size !== debtsByAge.size) this.fail("debts and their order differ");
    for (const { key, value } of durable.tables.debts.all()) {
      this.#recorded.set(key[1], BigInt(value.cost));
      if (durable.tables.ledgerKeys.get(key) !== undefined) this.fail(`${key[1]} is owed and paid`);
    }
    this.#walk(durable, (orgId, { type, requestId, amountUsd }) => {
      if (type !== "debit") return;
      const id = requestId ?? "";
      const amount = amountOf(amountUsd);
      this.#recorded.set(id, amount);
      if (this.charges.get(id) !== amount) {
        this.fail(`${orgId} ${id}: ${amount} was debited, the provider charged otherwise`);
      }
    });
  }

  /** A crash or a restart takes nothing that somebody was told. */
  promisesAreKept(durable: MemoryStore): void {
    for (const promise of this.#promises) this.#isKept(durable, promise);
    for (const { orgId, id } of this.#charges()) {
      if (durable.recordedCharge(orgId, id) === undefined) this.fail(`${id} was lost`);
    }
  }

  /** The end: balances sufficed, and nobody uses the gateway. */
  atRest(ledger: Ledger, durable: MemoryStore): void {
    const { tables, reads } = durable;
    if (tables.holds.size > 0) this.fail("money is held at rest");
    if (tables.debts.size > 0) this.fail("debts are left at rest");
    if (tables.debtsByAge.size > 0) this.fail("the order of debts is left at rest");
    if (tables.refusedEntries.size > 0) this.fail("a refusal was not taken back");
    let debits = 0n;
    for (const { key: orgId, value } of tables.balances.all()) {
      const sums = { debit: 0n, top_up: 0n, correction: 0n };
      const entries = reads.entriesBefore(orgId, Infinity, Infinity);
      for (const { type, amountUsd } of entries) sums[type] += amountOf(amountUsd);
      const balance = sums.top_up + sums.correction - sums.debit;
      if (balance !== BigInt(value.balance)) this.fail(`${orgId}: the entries make ${balance}`);
      const state = ledger.balance(orgId);
      if (state?.balance !== balance || state.available !== balance || state.holds !== 0) {
        this.fail(`${orgId} is not at rest`);
      }
      this.#monthsAddUp(durable, orgId, sums, entries.length);
      debits += sums.debit;
    }
    const charged = [...this.#recorded.values()].reduce((sum, cost) => sum + cost, 0n);
    if (debits !== charged) this.fail(`${debits} was debited, ${charged} was charged`);
  }

  #monthsAddUp(
    { reads }: MemoryStore,
    orgId: string,
    sums: Readonly<Record<LedgerEntry["type"], bigint>>,
    entries: number,
  ): void {
    const months = { debit: 0n, top_up: 0n, correction: 0n };
    let count = 0;
    for (const { row } of reads.months(orgId, Infinity)) {
      months.debit += BigInt(row.debits);
      months.top_up += BigInt(row.topUps);
      months.correction += BigInt(row.corrections);
      count += row.entries;
    }
    const same = (["debit", "top_up", "correction"] as const).every(
      (type) => months[type] === sums[type],
    );
    if (!same || count !== entries) this.fail(`${orgId}: the months are not its entries`);
  }

  #accountsAddUp(ledger: Ledger, books: BooksInHand, holds: HoldsInHand): void {
    const held = new Map<string, { sum: bigint; count: number }>();
    for (const { orgId, amount } of holds.values()) {
      const before = held.get(orgId) ?? { sum: 0n, count: 0 };
      held.set(orgId, { sum: before.sum + amount, count: before.count + 1 });
    }
    for (const [orgId, booked] of books.balances()) {
      const state = ledger.balance(orgId);
      if (state === undefined) {
        this.fail(`${orgId} has no account`);
        continue;
      }
      const { sum, count } = held.get(orgId) ?? { sum: 0n, count: 0 };
      const { balance, available, holds } = state;
      if (balance < 0n) this.fail(`${orgId}: the balance is ${balance}`);
      if (sum > balance) this.fail(`${orgId}: ${sum} is held of ${balance}`);
      if (available !== balance - sum || holds !== count) {
        this.fail(`${orgId}: ${available} of ${balance} available, ${sum} held in ${count}`);
      }
      if (balance !== booked) {
        this.fail(`${orgId}: the balance is ${balance}, the books make ${booked}`);
      }
    }
  }

  #holdsHaveHolders(holds: HoldsInHand, nowMs: number): void {
    for (const id of this.unsettled) {
      const lives = this.holders.get(id)?.endedMs === null;
      if (lives && !holds.has(id)) this.fail(`${id} lost its hold`);
    }
    for (const id of holds.keys()) {
      const holder = this.holders.get(id);
      if (holder === undefined) {
        this.fail(`${id} holds, and nobody knows it`);
        continue;
      }
      if (holder.endedMs === null) continue;
      const leaseMs = holder.kind === "request" ? 0 : holdLeaseMs + ledgerSweepMs;
      if (nowMs > holder.endedMs + leaseMs) this.fail(`${id} is over and still holds`);
    }
  }

  /** Entries that are new since the last walk: numbered without gaps, balances follow. */
  #walk(store: MemoryStore, visit?: (orgId: string, entry: LedgerEntry) => void): void {
    const { tables } = store;
    const walkedOf = this.#walked.get(store) ?? new Map<string, Walked>();
    this.#walked.set(store, walkedOf);
    let entries = 0;
    for (const { key: orgId, value } of tables.balances.all()) {
      const walked = walkedOf.get(orgId) ?? { entries: 0, balance: 0n };
      walkedOf.set(orgId, walked);
      while (walked.entries < value.entries) {
        walked.entries += 1;
        const entry = tables.ledger.get([orgId, walked.entries]);
        if (entry === undefined || entry.id !== String(walked.entries)) {
          return this.fail(`${orgId}: entry ${walked.entries} is missing`);
        }
        const amount = amountOf(entry.amountUsd);
        walked.balance += entry.type === "debit" ? -amount : amount;
        if (walked.balance < 0n) this.fail(`${orgId}: entry ${entry.id} leaves less than nothing`);
        if (amountOf(entry.balanceAfterUsd) !== walked.balance) {
          this.fail(`${orgId}: entry ${entry.id} leaves ${entry.balanceAfterUsd}`);
        }
        if (tables.ledgerKeys.get([orgId, entry.idempotencyKey]) !== walked.entries) {
          this.fail(`${orgId}: entry ${entry.id} is not found by its key`);
        }
        visit?.(orgId, entry);
      }
      if (BigInt(value.balance) !== walked.balance) {
        this.fail(`${orgId}: the balance is ${value.balance}, the entries make ${walked.balance}`);
      }
      entries += walked.entries;
    }
    if (tables.ledger.size !== entries || tables.ledgerKeys.size !== entries) {
      this.fail(`${tables.ledger.size} entries, ${tables.ledgerKeys.size} keys, not ${entries}`);
    }
  }

  #promise(durable: MemoryStore, promise: Told): void {
    this.#promises.push(promise);
    this.#isKept(durable, promise);
  }

  #isKept(durable: MemoryStore, promise: Told): void {
    if (promise.kind === "charge") {
      const { orgId, id, cost } = promise;
      if (durable.recordedCharge(orgId, id) !== cost) this.fail(`${id}: ${cost} was promised`);
      return;
    }
    const { orgId, entry } = promise;
    const found = durable.reads.entryByKey(orgId, entry.idempotencyKey);
    if (JSON.stringify(found) !== JSON.stringify(entry)) {
      this.fail(`${orgId}: the top-up ${entry.idempotencyKey} is not as it was answered`);
    }
  }

  *#charges(): Iterable<{ readonly orgId: string; readonly id: string }> {
    for (const id of this.#recorded.keys()) yield { orgId: orgOf(id), id };
  }
}

/** Ids of requests begin with their organization's, so that a charge is looked for at one place. */
export function orgOf(requestId: string): string {
  return requestId.slice(0, requestId.indexOf(" "));
}
