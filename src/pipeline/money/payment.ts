import { refuse } from "../../contract/errors.ts";
import type { Organization } from "../../contract/identity.ts";
import { centsDown, centsRounded, zeroUsd, type MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { toMicroseconds } from "../../contract/request-event.ts";
import { costText, type Cost, type CostStatus } from "../../contract/usage.ts";
import { ledgerUnavailable, notProvisioned } from "../../store/ledger/hold-refusals.ts";
import type {
  AlongsideOperation,
  AccountBalance,
  Hold,
  Settlement,
  Spender,
} from "../../store/ledger/ledger.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";
import type { RequestRecord } from "../record/record.ts";

/** What paying through the service needs. */
export interface PaymentServices {
  readonly ledger: Spender;
  readonly findOrganization: (id: string) => Organization | undefined;
  /** Counts the answers that wait for their debit to be durable; absent: nobody asks for it. */
  readonly flushWaits?: FlushWaits;
}

export class FlushWaits {
  open = 0;
}

/** Who pays for what. */
export interface Payer {
  readonly requestId: string;
  readonly orgId: string;
  readonly record: RequestRecord;
}

/**
 * Money that is set aside for one request until its exact cost is known (design: Money). A request
 * that ends in any other way closes it, which gives the money back.
 */
export class Payment {
  readonly #ledger: Spender;
  readonly #hold: Hold;
  readonly #record: RequestRecord;
  readonly #flushWaits: FlushWaits | undefined;
  #isOpen = true;

  private constructor(services: PaymentServices, hold: Hold, record: RequestRecord) {
    this.#ledger = services.ledger;
    this.#flushWaits = services.flushWaits;
    this.#hold = hold;
    this.#record = record;
  }

  /**
   * Holds the estimate. Errors: `payg_disabled`, and those of `Ledger.hold`; no balance refusal
   * carries a rate-limit header (spec: Balance refusals 5).
   */
  static open(services: PaymentServices, payer: Payer, estimate: MicroUsd): Outcome<Payment> {
    const { requestId, orgId, record } = payer;
    if (isDisabled(services, orgId)) return paygDisabled;
    let payment: Payment | null = null;
    const isLive = (): boolean => payment === null || payment.#isOpen;
    const begunMs = performance.now();
    const held = services.ledger.hold({ requestId, orgId, estimate, isLive });
    record.holdMs = toMicroseconds(performance.now() - begunMs);
    if (!held.ok) return held;
    payment = new Payment(services, held.value, record);
    return accept(payment);
  }

  /** What a streamed answer says of the balance: how it was when the request was admitted. */
  get admissionHeaders(): FlatHeaders {
    return balanceHeaders(this.#hold, null);
  }

  /** What an answer says for which nothing is charged, though its request was admitted. */
  get unchargedHeaders(): FlatHeaders {
    const { orgId, balance, available } = this.#hold;
    const now = this.#ledger.balance(orgId)?.balance ?? balance;
    return [
      ...costHeaders(null, "non_billable"),
      ...balanceHeaders({ balance: now, available }, zeroUsd),
    ];
  }

  /**
   * Debits the exact cost; one that can't be told is not charged. `alongside` becomes durable with the
   * debit, all or nothing.
   */
  settle(cost: Cost, alongside: readonly AlongsideOperation[] = []): Settlement {
    this.#isOpen = false;
    this.#record.cost = cost;
    return this.#ledger.settle(
      this.#hold,
      {
        cost: cost.costMicroUsd ?? zeroUsd,
        catalogVersion: cost.catalogVersion,
        usage: cost.buckets,
      },
      [],
      alongside,
    );
  }

  /**
   * Debits the cost of an answer that is still in our hands, and says so in its headers. The debit is
   * promised only once it is durable (design section 5, Durability). `alongside`: as of `settle`.
   */
  async settleWhole(
    cost: Cost,
    alongside: readonly AlongsideOperation[] = [],
  ): Promise<FlatHeaders> {
    const settlement = this.settle(cost, alongside);
    const waits = this.#flushWaits;
    if (waits !== undefined) waits.open += 1;
    let durable: boolean;
    try {
      durable = await settlement.durable();
    } finally {
      if (waits !== undefined) waits.open -= 1;
    }
    const debited = settlement.kind === "debited" ? settlement.cost : zeroUsd;
    const after = { balance: settlement.balance, available: this.#hold.available };
    return [
      ...costHeaders(cost.costMicroUsd, cost.status),
      ...assumedPriceHeaders(cost.assumedPrice),
      ...balanceHeaders(after, durable ? debited : null),
    ];
  }

  /** Gives back what was not settled. To be called when the request is over, however it ended. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#ledger.release(this.#hold, []);
  }
}

/**
 * What an answer that costs nothing says of the balance. Refuses those whose requests the service would
 * not pay for at all, whatever they cost: `payg_disabled`, `org_not_provisioned`, `internal_error`.
 */
export function admitFree(services: PaymentServices, orgId: string): Outcome<FreeHeaders> {
  const { ledger } = services;
  if (isDisabled(services, orgId)) return paygDisabled;
  // Nothing is billed, but every request leaves an audit record.
  if (ledger.full) return ledgerUnavailable;
  const balance = ledger.balance(orgId);
  if (balance === undefined) return notProvisioned;
  const [streamed, whole] = [balanceHeaders(balance, null), balanceHeaders(balance, zeroUsd)];
  return accept({ streamed, whole });
}

/** What an answer that costs nothing says, by its form: the headers of a stream tell of no debit. */
export interface FreeHeaders {
  readonly streamed: FlatHeaders;
  readonly whole: FlatHeaders;
}

function isDisabled({ findOrganization }: PaymentServices, orgId: string): boolean {
  return findOrganization(orgId)?.payg === "disabled";
}

/** All that an answer says of money on the account; `debited` null: of a debit it says nothing. */
function balanceHeaders(
  { balance, available }: Pick<AccountBalance, "balance" | "available">,
  debited: MicroUsd | null,
): FlatHeaders {
  const headers = ["X-Svc-Payg-Balance-Cents", String(centsDown(balance))];
  headers.push("X-Svc-Payg-Available-Cents", String(centsDown(available)));
  if (debited !== null) headers.push("X-Svc-Payg-Debited-Cents", String(centsRounded(debited)));
  return headers;
}

/** spec: `X-Svc-Cost-Usd` is absent where the cost could not be calculated. */
function costHeaders(cost: MicroUsd | null, status: CostStatus): FlatHeaders {
  const headers = ["X-Svc-Cost-Calculation-Status", status];
  const text = costText(cost, status);
  if (text !== null) headers.push("X-Svc-Cost-Usd", text);
  return headers;
}

/** Beside the headers of cost, for it may be another one; `entry` null: the price is the model's own. */
export function assumedPriceHeaders(entry: string | null): FlatHeaders {
  return entry === null ? [] : ["X-Svc-Cost-Assumed-Price", entry];
}

const paygDisabled = refuse(
  "payg_disabled",
  "This organization does not pay through the service; use your own provider key.",
);
