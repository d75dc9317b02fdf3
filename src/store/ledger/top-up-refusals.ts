import { refuse } from "../../contract/errors.ts";
import { balanceUsdMax } from "../../contract/limits.ts";

/** A request's id is the key of its debit, which is still to come. */
export const keyOfRequest = refuse(
  "duplicate_entry",
  "This idempotency key is the id of a request that is not debited yet; use another one.",
);

export const correctionTooLarge = refuse(
  "invalid_request",
  "The correction takes more than is available; nothing was changed.",
);

export const balanceTooLarge = refuse(
  "invalid_request",
  `A balance is at most ${balanceUsdMax} US dollars; nothing was changed.`,
);
