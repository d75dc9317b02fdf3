import type { AuditEvent } from "../../src/contract/audit.ts";
import type { LedgerEntry } from "../../src/contract/ledger.ts";
import { microUsd } from "../../src/contract/money.ts";
import type { Outcome } from "../../src/contract/outcome.ts";
import { JournalLedger, type LedgerOptions } from "../../src/store/ledger/journal-ledger.ts";
import type { Hold, HoldRequest, Settlement, TopUp } from "../../src/store/ledger/ledger.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { Oracle } from "./oracle.ts";

export interface Witness {
  readonly durable: MemoryStore;
  readonly oracle: Oracle;
  /** Whether money is held for a request. */
  readonly holds: (requestId: string) => boolean;
  /** Whether a settlement is made twice, a hold released after it ended. */
  readonly repeats: () => boolean;
}

/** The ledger, with an oracle that hears its promises and a caller that repeats itself. */
export class WitnessedLedger extends JournalLedger {
  readonly #witness: Witness;

  constructor(options: LedgerOptions, witness: Witness) {
    super(options);
    this.#witness = witness;
  }

  override hold(request: HoldRequest): Outcome<Hold> {
    const held = super.hold(request);
    if (held.ok) this.#witness.oracle.unsettled.add(request.requestId);
    return held;
  }

  override settle(...about: Parameters<JournalLedger["settle"]>): Settlement {
    const [hold, charge] = about;
    const { durable, oracle, repeats, holds } = this.#witness;
    const heldBefore = holds(hold.requestId);
    const before = this.balance(hold.orgId);
    const settlement = super.settle(...about);
    oracle.settled(hold, heldBefore, before, settlement);
    oracle.unsettled.delete(hold.requestId);
    if (repeats()) {
      const other = { ...charge, cost: microUsd(charge.cost + 1n) };
      const again = super.settle(hold, other, []);
      if (again !== settlement) oracle.fail(`${hold.requestId} is settled twice`);
    }
    if (repeats()) super.release(hold, []);
    return {
      ...settlement,
      durable: async () => {
        const isDurable = await settlement.durable();
        if (isDurable) oracle.settledDurably(durable, hold.orgId, hold.requestId, settlement);
        return isDurable;
      },
    };
  }

  override release(hold: Hold, events: readonly AuditEvent[]): void {
    super.release(hold, events);
    this.#witness.oracle.unsettled.delete(hold.requestId);
    if (this.#witness.repeats()) super.release(hold, []);
  }

  override async topUp(topUp: TopUp): Promise<Outcome<LedgerEntry>> {
    const { durable, oracle } = this.#witness;
    const entered = await super.topUp(topUp);
    if (entered.ok) oracle.toppedUp(durable, topUp.orgId, entered.value);
    return entered;
  }
}
