import type { AuditEvent } from "../../src/contract/audit.ts";
import type { LedgerEntry } from "../../src/contract/ledger.ts";
import { microUsd } from "../../src/contract/money.ts";
import type { Outcome } from "../../src/contract/outcome.ts";
import { JournalLedger, type LedgerOptions } from "../../src/store/ledger/journal-ledger.ts";
import type {
  Charge,
  Hold,
  HoldRequest,
  Settlement,
  Spender,
  TopUp,
} from "../../src/store/ledger/ledger.ts";
import { Spending, type SpendingOptions } from "../../src/store/ledger/spending.ts";
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

/** A proxy thread's spending, with an oracle that hears its promises and a caller that repeats itself. */
export class WitnessedSpending extends Spending {
  readonly #witness: Witness;

  constructor(options: SpendingOptions, witness: Witness) {
    super(options);
    this.#witness = witness;
  }

  override hold(request: HoldRequest): Outcome<Hold> {
    return heard(this.#witness, request, super.hold(request));
  }

  override settle(...[hold, charge, ...more]: Parameters<Spender["settle"]>): Settlement {
    const settle: Settle = (other) => super.settle(hold, other, ...more);
    return settled(this.#witness, this, hold, charge, settle);
  }

  override release(hold: Hold, events: readonly AuditEvent[]): void {
    released(this.#witness, hold, () => super.release(hold, events));
  }
}

/** The ledger of the main thread, likewise. */
export class WitnessedLedger extends JournalLedger {
  readonly #witness: Witness;

  constructor(options: LedgerOptions, witness: Witness) {
    super(options);
    this.#witness = witness;
  }

  override hold(request: HoldRequest): Outcome<Hold> {
    return heard(this.#witness, request, super.hold(request));
  }

  override settle(...[hold, charge, ...more]: Parameters<Spender["settle"]>): Settlement {
    const settle: Settle = (other) => super.settle(hold, other, ...more);
    return settled(this.#witness, this, hold, charge, settle);
  }

  override release(hold: Hold, events: readonly AuditEvent[]): void {
    released(this.#witness, hold, () => super.release(hold, events));
  }

  override async topUp(topUp: TopUp): Promise<Outcome<LedgerEntry>> {
    const { durable, oracle } = this.#witness;
    const entered = await super.topUp(topUp);
    if (entered.ok) oracle.toppedUp(durable, topUp.orgId, entered.value);
    return entered;
  }
}

type Settle = (charge: Charge) => Settlement;

function heard({ oracle }: Witness, { requestId }: HoldRequest, held: Outcome<Hold>) {
  if (held.ok) oracle.unsettled.add(requestId);
  return held;
}

function settled(
  { durable, oracle, repeats, holds }: Witness,
  spender: Spender,
  hold: Hold,
  charge: Charge,
  settle: Settle,
): Settlement {
  const heldBefore = holds(hold.requestId);
  const before = spender.balance(hold.orgId);
  const settlement = settle(charge);
  oracle.settled(hold, heldBefore, before, settlement);
  oracle.unsettled.delete(hold.requestId);
  if (repeats()) {
    const again = settle({ ...charge, cost: microUsd(charge.cost + 1n) });
    if (again !== settlement) oracle.fail(`${hold.requestId} is settled twice`);
  }
  if (repeats()) spender.release(hold, []);
  return {
    ...settlement,
    durable: async () => {
      const isDurable = await settlement.durable();
      if (isDurable) oracle.settledDurably(durable, hold.orgId, hold.requestId, settlement);
      return isDurable;
    },
  };
}

function released({ oracle, repeats }: Witness, hold: Hold, release: () => void): void {
  release();
  oracle.unsettled.delete(hold.requestId);
  if (repeats()) release();
}
