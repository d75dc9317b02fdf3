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
import type { RequestCharge } from "./charge.ts";

/** What paying through the service needs. */
export interface PaymentServices {
  readonly ledger: Spender;
  readonly findOrganization: (id: string) => Organization | undefined;
  /** Counts the answers that wait until their debit is durable; absent if nothing needs the count. */
  readonly flushWaits?: FlushWaits;
}

export class FlushWaits {
  open = 0;
}

/** The payer and the request. */
export interface Payer {
  readonly requestId: string;
  readonly orgId: string;
  readonly record: RequestRecord;
}

/**
 * Money that is reserved for one request until its exact cost is known (design: Money). If the request ends
 * without a settlement, `close` gives the money back.
 */
export class Payment implements RequestCharge {
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
   * Reserves the estimate. Errors: `payg_disabled`, and those of `Ledger.hold`. A balance refusal carries no
   * rate-limit header (spec: Balance refusals 5).
   */
  static open(
    services: PaymentServices,
    payer: Payer,
    estimate: MicroUsd,
  ): Outcome<Payment> | Promise<Outcome<Payment>> {
    const { requestId, orgId, record } = payer;
    if (isDisabled(services, orgId)) return paygDisabled;
    let payment: Payment | null = null;
    const isLive = (): boolean => payment === null || payment.#isOpen;
    const by = { apiKeyId: record.apiKeyId, team: record.team };
    const begunMs = performance.now();
    const opened = (held: Outcome<Hold>): Outcome<Payment> => {
      record.holdMs = toMicroseconds(performance.now() - begunMs);
      if (!held.ok) return held;
      payment = new Payment(services, held.value, record);
      return accept(payment);
    };
    const holding = services.ledger.hold({ requestId, orgId, by, estimate, isLive });
    return holding instanceof Promise ? holding.then(opened) : opened(holding);
  }

  /** The balance headers of a streamed answer: the balance when the request was admitted. */
  get admissionHeaders(): FlatHeaders {
    return balanceHeaders(this.#hold, null);
  }

  /** The headers of an answer that is not charged although its request was admitted. */
  get unchargedHeaders(): FlatHeaders {
    const { orgId, balance, available } = this.#hold;
    const now = this.#ledger.balance(orgId)?.balance ?? balance;
    return [
      ...costHeaders(null, "non_billable"),
      ...balanceHeaders({ balance: now, available }, zeroUsd),
    ];
  }

  /**
   * Debits the exact cost. An unknown cost is not charged. `alongside` becomes durable together with the
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
   * Debits the cost of an answer that is still buffered here, and returns the headers that say so. The
   * headers promise the debit only once it is durable (design section 5, Durability). `alongside`: as in
   * `settle`.
   */
  settleWhole(cost: Cost, alongside: readonly AlongsideOperation[] = []): Promise<FlatHeaders> {
    const settlement = this.settle(cost, alongside);
    const waits = this.#flushWaits;
    if (waits !== undefined) waits.open += 1;
    // It never rejects.
    return settlement.durable().then((durable) => {
      if (waits !== undefined) waits.open -= 1;
      const debited = settlement.kind === "debited" ? settlement.cost : zeroUsd;
      const after = { balance: settlement.balance, available: this.#hold.available };
      return [
        ...costHeaders(cost.costMicroUsd, cost.status),
        ...assumedPriceHeaders(cost.assumedPrice),
        ...balanceHeaders(after, durable && settlement.kind !== "undecided" ? debited : null),
      ];
    });
  }

  /** Gives back what was not settled. Must be called when the request is over, however it ended. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#ledger.release(this.#hold, []);
  }
}

/**
 * The balance headers of an answer that costs nothing. Refuses organizations for which the service pays no
 * request, whatever its cost: `payg_disabled`, `org_not_provisioned`, `internal_error`.
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

/** The headers of an answer that costs nothing. The headers of a streamed answer report no debit. */
export interface FreeHeaders {
  readonly streamed: FlatHeaders;
  readonly whole: FlatHeaders;
}

function isDisabled({ findOrganization }: PaymentServices, orgId: string): boolean {
  return findOrganization(orgId)?.payg === "disabled";
}

/** All headers about money on the account. If `debited` is null, they report no debit. */
function balanceHeaders(
  { balance, available }: Pick<AccountBalance, "balance" | "available">,
  debited: MicroUsd | null,
): FlatHeaders {
  const headers = ["X-Svc-Payg-Balance-Cents", String(centsDown(balance))];
  headers.push("X-Svc-Payg-Available-Cents", String(centsDown(available)));
  if (debited !== null) headers.push("X-Svc-Payg-Debited-Cents", String(centsRounded(debited)));
  return headers;
}

/** spec: `X-Svc-Cost-Usd` is absent if the cost could not be calculated. */
function costHeaders(cost: MicroUsd | null, status: CostStatus): FlatHeaders {
  const headers = ["X-Svc-Cost-Calculation-Status", status];
  const text = costText(cost, status);
  if (text !== null) headers.push("X-Svc-Cost-Usd", text);
  return headers;
}

/**
 * Stands beside the cost headers, because the real price may differ. `entry` is null if the model has its own
 * price.
 */
export function assumedPriceHeaders(entry: string | null): FlatHeaders {
  return entry === null ? [] : ["X-Svc-Cost-Assumed-Price", entry];
}

const paygDisabled = refuse(
  "payg_disabled",
  "This organization does not pay through the service; use your own provider key.",
);
