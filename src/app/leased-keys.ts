import { refuse } from "../contract/errors.ts";
import type { FindKey } from "../pipeline/caller/authenticate.ts";

/**
 * Finds keys as long as this gateway may act on what it knows. Later a key may be revoked without its knowledge. `lease`
 * null: no other gateway revokes keys.
 */
export function whileLeased(lease: { readonly isOver: boolean } | null, findKey: FindKey): FindKey {
  if (lease === null) return findKey;
  return (secret) => (lease.isOver ? unavailable : findKey(secret));
}

const unavailable = refuse(
  "auth_unavailable",
  "The service key could not be checked, because the gateway's shared store is away; try again.",
  { retryAfterSeconds: 1 },
);
