import { hash, randomBytes } from "node:crypto";
import type { ApiKey } from "../../../contract/identity.ts";
import { serviceKeyPrefix } from "../../../contract/wire.ts";
import { sortableId } from "../../../runtime/sortable-id.ts";
import type { DraftTables } from "../store-draft.ts";

/** The optional attributes of a new key besides its name; an omitted one is null. */
export type KeyRestrictions = Partial<
  Pick<ApiKey, "rateLimit" | "allowedModels" | "securityPolicyId" | "team" | "responseCache">
>;

/** A platform key belongs to no organization. Every other key belongs to one. */
export type KeyDraft = KeyRestrictions & { readonly name: string } & (
    | { readonly orgId: null; readonly role: "operator" }
    | { readonly orgId: string; readonly role: "admin" | "viewer" | "member" }
  );

/** The secret before the last rotation, which works until its grace is over. */
export interface PreviousSecret {
  readonly sha256: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A key as it stands in LMDB. */
export interface KeyRecord {
  readonly v: 2;
  /** `lastUsedAt` is null here; `Tables.keyUses` has it. */
  readonly key: ApiKey;
  /** Lower-case hex. The secret has 192 random bits: no salt or slow hash would add to that. */
  readonly secretSha256: string;
  readonly previous: PreviousSecret | null;
}

/** `sk-gw-` and 192 random bits in lower-case hex. */
export function newSecret(): string {
  return serviceKeyPrefix + randomBytes(24).toString("hex");
}

export function keyRecord(
  draft: KeyDraft,
  secret: string,
  expiresAt: string | null,
  wallMs: number,
): KeyRecord {
  const now = new Date(wallMs).toISOString();
  const key: ApiKey = {
    id: sortableId("key", wallMs),
    orgId: draft.orgId,
    name: draft.name,
    label: labelOf(secret),
    role: draft.role,
    status: "active",
    rateLimit: draft.rateLimit ?? null,
    allowedModels: draft.allowedModels ?? null,
    securityPolicyId: draft.securityPolicyId ?? null,
    team: draft.team ?? null,
    responseCache: draft.responseCache ?? null,
    createdAt: now,
    updatedAt: now,
    lastUsedAt: null,
    expiresAt,
  };
  return { v: 2, key, secretSha256: hash("sha256", secret, "hex"), previous: null };
}

/**
 * The record with a new secret; of the earlier secrets only the last one works, until `graceEndsMs`.
 * Without a grace period it stops at once.
 */
export function rotatedRecord(
  record: KeyRecord,
  secret: string,
  wallMs: number,
  graceEndsMs: number,
): KeyRecord {
  const previous = {
    sha256: record.secretSha256,
    expiresAt: new Date(graceEndsMs).toISOString(),
  };
  return {
    ...record,
    key: { ...record.key, label: labelOf(secret), updatedAt: new Date(wallMs).toISOString() },
    secretSha256: hash("sha256", secret, "hex"),
    previous: graceEndsMs > wallMs ? previous : null,
  };
}

/** Writes a key in a draft or inside a transaction; returns the new generation. */
export function putKey(
  tables: Pick<DraftTables, "keys" | "keysByOrg" | "meta">,
  record: KeyRecord,
): number {
  const generation = (tables.meta.get("keysGeneration") ?? 0) + 1;
  const { id, orgId } = record.key;
  tables.keys.putSync(id, record);
  tables.keysByOrg.putSync([orgId ?? "", id], true);
  tables.meta.putSync("keysGeneration", generation);
  return generation;
}

/** `sk-gw-0e6…1c96`: shows 28 of the 192 random bits, which is enough to tell keys apart. */
function labelOf(secret: string): string {
  const tail = secret.slice(serviceKeyPrefix.length);
  return `${serviceKeyPrefix}${tail.slice(0, 3)}…${tail.slice(-4)}`;
}
