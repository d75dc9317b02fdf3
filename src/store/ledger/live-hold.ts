import type { MicroUsd } from "../../contract/money.ts";
import type { AccountBalance, Hold, HoldRequest, PaidBy, Settlement } from "./ledger.ts";

/** A hold as the ledger keeps it, from its request to its settlement. */
export class LiveHold implements Hold {
  readonly requestId: string;
  readonly orgId: string;
  readonly by: PaidBy;
  readonly amount: MicroUsd;
  readonly balance: MicroUsd;
  readonly available: MicroUsd;
  readonly isLive: () => boolean;
  leaseEndsMs: number;
  /** The hold's settlement; null while it is open. */
  settlement: Settlement | null = null;

  constructor(request: HoldRequest, { balance, available }: AccountBalance, leaseEndsMs: number) {
    this.requestId = request.requestId;
    this.orgId = request.orgId;
    this.by = request.by;
    this.amount = request.estimate;
    this.balance = balance;
    this.available = available;
    this.isLive = request.isLive;
    this.leaseEndsMs = leaseEndsMs;
  }
}
