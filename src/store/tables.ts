import type { Database, RootDatabase } from "lmdb";
import type { Organization } from "../contract/identity.ts";
import type { KeyRecord } from "./key-record.ts";

/** What stands in LMDB. Records are JSON and carry their own version `v`. */
export interface Tables {
  /** `schemaVersion`; `keysGeneration`: grows with every change of a key; `provisionedAt`: ms. */
  readonly meta: Database<number, "schemaVersion" | "keysGeneration" | "provisionedAt">;
  /** By id. */
  readonly keys: Database<KeyRecord, string>;
  /** By organization ("" for platform keys) and id, so that a page of a list is one range. */
  readonly keysByOrg: Database<true, [orgId: string, id: string]>;
  /** By id. */
  readonly organizations: Database<OrganizationRecord, string>;
}

export interface OrganizationRecord {
  readonly v: 1;
  readonly organization: Organization;
}

export function openTables(root: RootDatabase): Tables {
  const encoding = "json";
  return {
    meta: root.openDB({ name: "meta", encoding }),
    keys: root.openDB({ name: "keys", encoding }),
    keysByOrg: root.openDB({ name: "keysByOrg", encoding }),
    organizations: root.openDB({ name: "organizations", encoding }),
  };
}
