import type { AuditEvent } from "../../contract/audit.ts";
import { centsDown, centsUp, formatUsd, microUsd, type MicroUsd } from "../../contract/money.ts";
import type { RefusedEntryRow } from "../journal/batch.ts";
import type { AccountBalance, HoldRequest, PaidBy } from "./ledger.ts";

interface About {
  readonly requestId: string | null;
  readonly orgId: string;
  /** Absent if no request is charged, or if an older version has written what the event tells of. */
  readonly by?: PaidBy | undefined;
}

export function holdPlaced(about: About, amount: MicroUsd, available: MicroUsd): AuditEvent {
  return event("payg.hold.placed", "The worst case was reserved.", about, {
    amountUsd: formatUsd(amount),
    availableUsd: formatUsd(available),
  });
}

export function holdReleased(about: About, amount: MicroUsd): AuditEvent {
  return event("payg.hold.released", "The reservation was given back; nothing is charged.", about, {
    amountUsd: formatUsd(amount),
  });
}

/** `outcome_unknown`: a crash came between a hold and its settlement (design section 5). */
export function holdExpired(
  about: About,
  amount: MicroUsd,
  reason: "lease_expired" | "outcome_unknown",
): AuditEvent {
  return event("payg.hold.expired", "The reservation ended without a settlement.", about, {
    amountUsd: formatUsd(amount),
    reason,
  });
}

export function debitApplied(about: About, cost: MicroUsd, balance: MicroUsd): AuditEvent {
  return event("payg.debit.applied", "The exact cost was debited.", about, {
    costUsd: formatUsd(cost),
    balanceAfterUsd: formatUsd(balance),
  });
}

export function debitRecovered(about: About, cost: MicroUsd, balance: MicroUsd): AuditEvent {
  return event("payg.debit.recovered", "A cost that was owed was debited.", about, {
    costUsd: formatUsd(cost),
    balanceAfterUsd: formatUsd(balance),
  });
}

/** spec: Events, the charge-time event with its data. */
export function debitSkipped(about: About, cost: MicroUsd, balance: MicroUsd): AuditEvent {
  return event(
    "payg.debit.insufficient_balance",
    "The balance did not cover the cost of a request that was served; it is owed.",
    about,
    {
      balanceCents: centsDown(balance),
      requiredCents: centsUp(cost),
      costUsd: formatUsd(cost),
    },
  );
}

/** The store has refused an entry or a debt; its change in memory is taken back. */
export function entryRefused(row: RefusedEntryRow): AuditEvent {
  const { reason, type, idempotencyKey } = row;
  const amountUsd = formatUsd(microUsd(BigInt(row.amount)));
  const message = "An entry of the books was refused; what it moved was taken back.";
  return event("payg.entry.refused", message, row, { reason, type, amountUsd, idempotencyKey });
}

export function toppedUp(
  about: About,
  type: "top_up" | "correction",
  amount: MicroUsd,
  balance: MicroUsd,
  idempotencyKey: string,
): AuditEvent {
  const [eventType, message] =
    type === "top_up"
      ? (["payg.topup", "The balance was topped up."] as const)
      : (["payg.correction", "The balance was corrected."] as const);
  return event(eventType, message, about, {
    amountUsd: formatUsd(amount),
    balanceAfterUsd: formatUsd(balance),
    idempotencyKey,
  });
}

/** spec: Events, the two refusals at the hold. */
export function holdRefused(
  eventType: "insufficient_balance_reservation" | "payg_reserved_by_inflight",
  { requestId, orgId, by, estimate }: HoldRequest,
  { balance, available }: AccountBalance,
): AuditEvent {
  const message =
    eventType === "insufficient_balance_reservation"
      ? "The balance does not cover the worst case of a request."
      : "Other requests in flight hold what a request would need.";
  return event(
    eventType,
    message,
    { requestId, orgId, by },
    {
      balanceCents: centsDown(balance),
      availableCents: centsDown(available),
      estimatedCostCents: centsUp(estimate),
    },
  );
}

function event(
  eventType: AuditEvent["eventType"],
  message: string,
  { requestId, orgId, by }: About,
  data: Record<string, unknown>,
): AuditEvent {
  // As events of requests name them, so that one filter finds both.
  if (by !== undefined) {
    data["api_key_id"] = by.apiKeyId;
    if (by.team !== null) data["team"] = by.team;
  }
  return { eventType, message, orgId, requestId, data };
}
