import type { Database, RootDatabase } from "lmdb";
import type { ProviderEntry } from "../../contract/configuration-provider.ts";
import type { Organization } from "../../contract/identity.ts";
import type { SecurityPolicyDocument } from "../../contract/security-policy.ts";
import type { UsageLimit } from "../../contract/usage-limit.ts";
import type { AuditKeyRecord } from "./audit/audit-key.ts";
import type { KeyRecord } from "./keys/key-record.ts";

/** Numbers that grow with every change of what they name, so that memory is known to be stale. */
export type Generation =
  | "keysGeneration"
  | "organizationsGeneration"
  | "usageLimitsGeneration"
  | "policiesGeneration"
  | "providersGeneration";

/** What stands in LMDB. Records are JSON and carry their own version `v`. */
export interface Tables {
  /** `provisionedAt`: ms. */
  readonly meta: Database<number, "schemaVersion" | "provisionedAt" | Generation>;
  /** By id. */
  readonly keys: Database<KeyRecord, string>;
  /** By organization ("" for platform keys) and id, so that a page of a list is one range. */
  readonly keysByOrg: Database<true, [orgId: string, id: string]>;
  /** When a key was last used, ms, by its id; apart from the key, which does not change with it. */
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
  /** The id of what has a unique name, by kind, scope ("" or an organization) and name. */
  readonly names: Database<string, [kind: "org" | "policy", scope: string, name: string]>;
  /** `first`: the keys that the first start has made, until they have been shown. */
  readonly unshownKeys: Database<UnshownKeysRecord, "first">;
  /** `signing`: what the audit log's checkpoints are signed with. */
  readonly auditKeys: Database<AuditKeyRecord, "signing">;
}

export interface OrganizationRecord {
  readonly v: 2;
  readonly organization: Organization;
}

export interface UnshownKeysRecord {
  readonly v: 1;
  readonly orgId: string;
  /** null: it was given, so that it is known to whoever gave it. */
  readonly operator: UnshownKey | null;
  readonly member: UnshownKey;
}

export interface UnshownKey {
  readonly id: string;
  /** Of the secret that nobody knows; a key that has another one is not replaced. */
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

/** An account as the configuration file would have it: its secret is named, never written. */
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
  };
}
