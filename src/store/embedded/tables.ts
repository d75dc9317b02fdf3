import type { Database, RootDatabase } from "lmdb";
import type { ProviderEntry } from "../../contract/configuration-provider.ts";
import type { Organization } from "../../contract/identity.ts";
import type { SecurityPolicyDocument } from "../../contract/security-policy.ts";
import type { UsageLimit } from "../../contract/usage-limit.ts";
import type { AuditKeyRecord } from "./audit/audit-key.ts";
import type { KeyRecord } from "./keys/key-record.ts";
import type { SessionRecord } from "./sessions/sessions.ts";

/** Numbers that grow with every change of their table, so that a stale copy in memory is noticed. */
export type Generation =
  | "keysGeneration"
  | "organizationsGeneration"
  | "usageLimitsGeneration"
  | "policiesGeneration"
  | "providersGeneration";

/** The content of LMDB. Records are JSON and have their own version `v`. */
export interface Tables {
  /** `provisionedAt`: ms. */
  readonly meta: Database<number, "schemaVersion" | "provisionedAt" | Generation>;
  /** By id. */
  readonly keys: Database<KeyRecord, string>;
  /** By organization ("" for platform keys) and id, so that a page of a list is one range. */
  readonly keysByOrg: Database<true, [orgId: string, id: string]>;
  /**
   * The last use of a key, ms, by its id. It is separate from the key's record, so that a use does
   * not change the record.
   */
  readonly keyUses: Database<number, string>;
  /** By id. */
  readonly organizations: Database<OrganizationRecord, string>;
  /** By id. */
  readonly usageLimits: Database<UsageLimitRecord, string>;
  /** By id. */
  readonly policies: Database<PolicyRow, string>;
  /** By name. */
  readonly providers: Database<ProviderRecord, string>;
  /** By kind, organization and id, so that a page of an organization's list is one range. */
  readonly byOrg: Database<true, [kind: "limit" | "policy", orgId: string, id: string]>;
  /** The id of a record with a unique name, by kind, scope ("" or an organization) and name. */
  readonly names: Database<string, [kind: "org" | "policy", scope: string, name: string]>;
  /** `first`: the keys that the first start has made, until they have been shown. */
  readonly unshownKeys: Database<UnshownKeysRecord, "first">;
  /** `signing`: the key that signs the audit log's checkpoints. */
  readonly auditKeys: Database<AuditKeyRecord, "signing">;
  /** By the SHA-256 of the session's secret id, hex. */
  readonly sessions: Database<SessionRecord, string>;
}

export interface OrganizationRecord {
  readonly v: 2;
  readonly organization: Organization;
}

export interface UnshownKeysRecord {
  readonly v: 1;
  readonly orgId: string;
  /** null: the operator gave the secret, so the operator knows it. */
  readonly operator: UnshownKey | null;
  readonly member: UnshownKey;
  /** The gateway that is to show them, where several share a store. */
  readonly by?: number;
}

export interface UnshownKey {
  readonly id: string;
  /** The hash of the secret that was never shown; a key with another hash is not replaced. */
  readonly secretSha256: string;
}

export interface UsageLimitRecord {
  readonly v: 1;
  readonly limit: UsageLimit;
}

export interface PolicyRow {
  readonly v: 1;
  readonly policy: SecurityPolicyDocument;
}

/** An account in the form of the configuration file. It names its secret and never contains it. */
export interface ProviderRecord {
  readonly v: 1;
  readonly entry: ProviderEntry;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

export function openTables(root: RootDatabase): Tables {
  const encoding = "json";
  return {
    meta: root.openDB({ name: "meta", encoding }),
    keys: root.openDB({ name: "keys", encoding }),
    keysByOrg: root.openDB({ name: "keysByOrg", encoding }),
    keyUses: root.openDB({ name: "keyUses", encoding }),
    organizations: root.openDB({ name: "organizations", encoding }),
    usageLimits: root.openDB({ name: "usageLimits", encoding }),
    policies: root.openDB({ name: "policies", encoding }),
    providers: root.openDB({ name: "providers", encoding }),
    byOrg: root.openDB({ name: "byOrg", encoding }),
    names: root.openDB({ name: "names", encoding }),
    unshownKeys: root.openDB({ name: "unshownKeys", encoding }),
    auditKeys: root.openDB({ name: "auditKeys", encoding }),
    sessions: root.openDB({ name: "sessions", encoding }),
  };
}
