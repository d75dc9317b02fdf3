import { hash, randomBytes } from "node:crypto";
import type { ApiKey } from "../contract/identity.ts";
import { serviceKeyPrefix } from "../contract/wire.ts";
import { sortableId } from "./sortable-id.ts";
import type { Tables } from "./tables.ts";

/** A platform key belongs to no organization; every other key to one. */
export type KeyDraft =
  | { readonly orgId: null; readonly role: "operator"; readonly name: string }
  | { readonly orgId: string; readonly role: "admin" | "member"; readonly name: string };

/** A key as it stands in LMDB. */
export interface KeyRecord {
  readonly v: 1;
  readonly key: ApiKey;
  /** Lower-case hex. The secret has 192 random bits: no salt or slow hash would add to that. */
  readonly secretSha256: string;
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
  return {
    v: 1,
    key: {
      id: sortableId("key", wallMs),
      orgId: draft.orgId,
      name: draft.name,
      label: labelOf(secret),
      role: draft.role,
      status: "active",
      rateLimit: null,
      allowedModels: null,
      securityPolicyId: null,
      team: null,
      createdAt: now,
      updatedAt: now,
      lastUsedAt: null,
      expiresAt,
    },
    secretSha256: hash("sha256", secret, "hex"),
  };
}

/** Writes a key inside a transaction; returns the generation that this makes. */
export function putKey(tables: Tables, record: KeyRecord): number {
  const generation = (tables.meta.get("keysGeneration") ?? 0) + 1;
  const { id, orgId } = record.key;
  tables.keys.putSync(id, record);
  tables.keysByOrg.putSync([orgId ?? "", id], true);
  tables.meta.putSync("keysGeneration", generation);
  return generation;
}

/** `sk-gw-0e6…1c96`: enough to tell keys apart, of 192 random bits 28. */
function labelOf(secret: string): string {
  const tail = secret.slice(serviceKeyPrefix.length);
  return `${serviceKeyPrefix}${tail.slice(0, 3)}…${tail.slice(-4)}`;
}
