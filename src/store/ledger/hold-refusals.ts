import { refuse, type ErrorCode } from "../../contract/errors.ts";
import { paygRetryAfterSeconds } from "../../contract/limits.ts";
import { centsDown, centsText, centsUp, type MicroUsd } from "../../contract/money.ts";
import type { Refused } from "../../contract/outcome.ts";
import type { AccountBalance } from "./ledger.ts";

/** The balance refusal for an estimate, if it must be refused (spec: Balance refusals 1 and 2). */
export function balanceVerdict(
  estimate: MicroUsd,
  { balance, available }: AccountBalance,
): Extract<ErrorCode, "insufficient_balance" | "payg_reserved"> | null {
  const estimatedCents = centsUp(estimate);
  if (estimatedCents > centsDown(balance)) return "insufficient_balance";
  return estimatedCents > centsDown(available) ? "payg_reserved" : null;
}

export function insufficientBalance(
  estimate: MicroUsd,
  balance: AccountBalance,
  billingUrl: string,
): Refused {
  return refuse(
    "insufficient_balance",
    `${needs(estimate, balance)} Top the balance up (${billingUrl}), or ask for less.`,
    { details: { retryable: false, ...amounts(estimate, balance), billingUrl } },
  );
}

export function paygReserved(estimate: MicroUsd, balance: AccountBalance): Refused {
  return refuse(
    "payg_reserved",
    `${needs(estimate, balance)} The rest is held for requests in flight. Try again when they are done, or ask for less.`,
    {
      details: {
        retryable: true,
        retryAfter: paygRetryAfterSeconds,
        ...amounts(estimate, balance),
      },
      retryAfterSeconds: paygRetryAfterSeconds,
    },
  );
}

export function paygBusy(holdsMax: number): Refused {
  return refuse(
    "payg_busy",
    `This workspace has ${holdsMax} requests being paid for; nothing was reserved or charged.`,
    { details: { retryable: true, retryAfter: 1 }, retryAfterSeconds: 1 },
  );
}

export const notProvisioned = refuse(
  "org_not_provisioned",
  "This organization has no prepaid account yet; a first top-up opens it.",
);

/** docs/decisions/0005: the code that means "try again". */
export const ledgerUnavailable = refuse(
  "detector_unavailable",
  "The gateway's books can't be written at the moment; nothing was reserved or charged.",
  { details: { retryable: true }, retryAfterSeconds: 1 },
);

/**
 * Many clients show only the message of a refusal, so the message also names the required and the
 * available amount.
 */
function needs(estimate: MicroUsd, balance: AccountBalance): string {
  const { balanceCents, availableCents, estimatedCostCents } = amounts(estimate, balance);
  return (
    `This request needs up to ${centsText(estimatedCostCents)}; ` +
    `${centsText(availableCents)} of the balance of ${centsText(balanceCents)} is available.`
  );
}

function amounts(estimate: MicroUsd, { balance, available }: AccountBalance) {
  return {
    balanceCents: centsDown(balance),
    availableCents: centsDown(available),
    estimatedCostCents: centsUp(estimate),
  };
}
