import { atOnce } from "../support/at-once.ts";
import type { AuditEvent } from "../../src/contract/audit.ts";
import { microUsd } from "../../src/contract/money.ts";
import type { Outcome } from "../../src/contract/outcome.ts";
import type { RequestEvent } from "../../src/contract/request-event.ts";
import type {
  AccountBalance,
  Charge,
  Hold,
  HoldRequest,
  LedgerCounts,
  Settlement,
  Spender,
} from "../../src/store/ledger/ledger.ts";
import type { UsageOperation } from "../../src/store/windows/usage-count.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { Oracle } from "./oracle.ts";

export interface Witness {
  readonly durable: MemoryStore;
  readonly oracle: Oracle;
  /** Whether money is held for a request. */
  readonly holds: (requestId: string) => boolean;
  /** Whether a settlement is made twice, a hold released after it ended. */
  readonly repeats: () => boolean;
  /** Whether a debit reaches the books twice. */
  readonly doubles: () => boolean;
  /** Takes a debit from its account once more, and enters it once more. */
  readonly debitAgain: (orgId: string, requestId: string, charge: Charge) => void;
}

/** What a thread spends from, with an oracle that hears its promises and a caller that repeats itself. */
export class WitnessedSpender implements Spender {
  readonly #spender: Spender;
  readonly #witness: Witness;
  /** What is being settled, and the account's balance before it. */
  #settling: { readonly orgId: string; before: AccountBalance | undefined } | null = null;

  constructor(spender: Spender, witness: Witness) {
    this.#spender = spender;
    this.#witness = witness;
  }

  get accepting(): boolean {
    return this.#spender.accepting;
  }

  get full(): boolean {
    return this.#spender.full;
  }

  get counts(): LedgerCounts {
    return this.#spender.counts;
  }

  hold(request: HoldRequest): Outcome<Hold> {
    const held = atOnce(this.#spender.hold(request));
    if (held.ok) this.#witness.oracle.unsettled.add(request.requestId);
    return held;
  }

  settle(...[hold, charge, ...more]: Parameters<Spender["settle"]>): Settlement {
    const { durable, oracle, repeats, doubles, holds } = this.#witness;
    const heldBefore = holds(hold.requestId);
    const settling = { orgId: hold.orgId, before: this.balance(hold.orgId) };
    this.#settling = settling;
    const settlement = this.#spender.settle(hold, charge, ...more);
    this.#settling = null;
    oracle.settled(hold, heldBefore, settling.before, settlement);
    oracle.unsettled.delete(hold.requestId);
    if (repeats()) {
      const other = { ...charge, cost: microUsd(charge.cost + 1n) };
      const again = this.#spender.settle(hold, other, []);
      if (again !== settlement) oracle.fail(`${hold.requestId} is settled twice`);
    }
    if (repeats()) this.#spender.release(hold, []);
    const isDoubled = settlement.kind === "debited" && doubles();
    if (isDoubled) this.#witness.debitAgain(hold.orgId, hold.requestId, charge);
    return {
      ...settlement,
      durable: async () => {
        const isDurable = await settlement.durable();
        if (isDurable) oracle.settledDurably(durable, hold.orgId, hold.requestId, settlement);
        return isDurable;
      },
    };
  }

  release(hold: Hold, events: readonly AuditEvent[]): void {
    this.#spender.release(hold, events);
    this.#witness.oracle.unsettled.delete(hold.requestId);
    if (this.#witness.repeats()) this.#spender.release(hold, []);
  }

  /** Another thread has changed accounts while this one was in the middle of a change. */
  overtaken(by: Spender): void {
    const settling = this.#settling;
    if (settling !== null) settling.before = by.balance(settling.orgId);
  }

  record(events: readonly AuditEvent[]): void {
    this.#spender.record(events);
  }

  count(usage: UsageOperation): void {
    this.#spender.count(usage);
  }

  recordRequest(event: RequestEvent): void {
    this.#spender.recordRequest(event);
  }

  balance(orgId: string): AccountBalance | undefined {
    return this.#spender.balance(orgId);
  }
}
