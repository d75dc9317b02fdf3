import { refuse } from "../../contract/errors.ts";
import type { ApiKey } from "../../contract/identity.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { FindKey } from "../../pipeline/caller/authenticate.ts";
import { readBearer } from "../../pipeline/caller/credential-slots.ts";
import type { RequestHead } from "../../exchange/exchange.ts";

/** The caller of the keys API (design section 7, "Who may call the keys API"). */
export interface Manager {
  readonly key: ApiKey;
  /** The one organization that an admin manages; null for an operator, who manages all. */
  readonly orgId: string | null;
}

/**
 * The caller, by its bearer token alone (spec: Authentication 7). Errors: `invalid_key`,
 * `auth_unavailable`, `forbidden` for a member's key, and for a viewer's where `showsViewers` is false;
 * `invalid_request` for two tokens.
 */
export function authenticateManager(
  head: RequestHead,
  findKey: FindKey,
  showsViewers = false,
): Outcome<Manager> {
  const secret = readBearer(head.headers);
  if (!secret.ok) return secret;
  if (secret.value === undefined) {
    return refuse("invalid_key", "A key is missing: send it as Authorization: Bearer.");
  }
  const key = findKey(secret.value);
  if (!key.ok) return key;
  const { role, orgId } = key.value;
  if (role === "operator") return accept({ key: key.value, orgId: null });
  if (role === "admin" && orgId !== null) return accept({ key: key.value, orgId });
  if (showsViewers && role === "viewer" && orgId !== null) return accept({ key: key.value, orgId });
  return refuse("forbidden", "The keys API is for operator keys and for keys with the role admin.");
}

/** Whether the manager may see and change resources of this organization; null means of no organization. */
export function manages(manager: Manager, orgId: string | null): boolean {
  return manager.orgId === null || manager.orgId === orgId;
}

/** Errors: `forbidden` for an admin. */
export function operatorOnly(manager: Manager): Outcome<null> {
  if (manager.orgId === null) return accept(null);
  return refuse("forbidden", "This is for operator keys.");
}
