import { refuse } from "../../contract/errors.ts";
import type { ApiKey } from "../../contract/identity.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { FindKey } from "../../pipeline/caller/authenticate.ts";
import { readBearer } from "../../pipeline/caller/credential-slots.ts";
import type { RequestHead } from "../../exchange/exchange.ts";

/** Who asks about records: an operator about all, an admin and a viewer about their organization's, a member about its key's. */
export interface RecordsReader {
  readonly key: ApiKey;
  /** null: all organizations. */
  readonly orgId: string | null;
  /** null: all keys of the organization. */
  readonly keyId: string | null;
}

/** Errors: `invalid_key`, `auth_unavailable`, `invalid_request` for two tokens. */
export function authenticateReader(head: RequestHead, findKey: FindKey): Outcome<RecordsReader> {
  const secret = readBearer(head.headers);
  if (!secret.ok) return secret;
  if (secret.value === undefined) {
    return refuse("invalid_key", "A key is missing: send it as Authorization: Bearer.");
  }
  const found = findKey(secret.value);
  if (!found.ok) return found;
  const { value: key } = found;
  const { role, orgId } = key;
  if (role === "operator") return accept({ key, orgId: null, keyId: null });
  if (orgId === null) return refuse("forbidden", "This key belongs to no organization.");
  return accept({ key, orgId, keyId: role === "member" ? key.id : null });
}
