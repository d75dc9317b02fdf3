import { refuse } from "../contract/errors.ts";
import type { Forward } from "../exchange/exchange.ts";
import type { FindKey } from "../pipeline/caller/authenticate.ts";

/** How long this gateway may act on what it knows of a store that others write too; null: no others do. */
type GatewayLease = { readonly isOver: boolean } | null;

/** Finds keys and sessions during the lease. Later a key may be revoked without this gateway's knowledge. */
export function whileLeased(lease: GatewayLease, findKey: FindKey): FindKey {
  if (lease === null) return findKey;
  return (secret) => (lease.isOver ? unavailable : findKey(secret));
}

/**
 * Begins calls to providers during the lease. A request may have been admitted long before its call: its body came slowly,
 * another account was tried, or the process stood still. What it holds may be others' by then. A caller without a key is
 * stopped here too, whose address others count by then.
 */
export function callsWhileLeased(lease: GatewayLease, forward: Forward): Forward {
  if (lease === null) return forward;
  return (call, plan, exchange) =>
    lease.isOver
      ? Promise.resolve({ kind: "unsent", refusal: unavailable.refusal, untried: true })
      : forward(call, plan, exchange);
}

const unavailable = refuse(
  "auth_unavailable",
  "The service key could not be checked, because the gateway's shared store is away; try again.",
  { retryAfterSeconds: 1 },
);
