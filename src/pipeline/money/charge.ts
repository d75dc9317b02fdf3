import type { Cost } from "../../contract/usage.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";
import type { AlongsideOperation } from "../../store/ledger/ledger.ts";
import type { FreeHeaders } from "./payment.ts";

/** What the answer to one pay-through request costs its organization. */
export interface RequestCharge {
  /** The balance headers of a streamed answer. */
  readonly admissionHeaders: FlatHeaders;
  /** The headers of an answer that is not charged although its request was admitted. */
  readonly unchargedHeaders: FlatHeaders;
  /** Debits the exact cost of an answer that was relayed. */
  settle(cost: Cost, alongside: readonly AlongsideOperation[]): unknown;
  /** Debits the cost of an answer that is still buffered here, and returns the headers that say so. */
  settleWhole(
    cost: Cost,
    alongside: readonly AlongsideOperation[],
  ): FlatHeaders | Promise<FlatHeaders>;
  /** Gives back what was not settled. Must be called when the request is over, however it ended. */
  close(): void;
}

/** Of an endpoint that no provider charges for: nothing is held, and nothing is debited. */
export class NoCharge implements RequestCharge {
  readonly admissionHeaders: FlatHeaders;
  readonly unchargedHeaders: FlatHeaders;

  constructor({ streamed, whole }: FreeHeaders) {
    const status = ["X-Svc-Cost-Calculation-Status", "non_billable"];
    this.admissionHeaders = [...status, ...streamed];
    this.unchargedHeaders = [...status, ...whole];
  }

  settle(): void {
    // Nothing was held.
  }

  settleWhole(): FlatHeaders {
    return this.unchargedHeaders;
  }

  close(): void {
    // Nothing was held.
  }
}
