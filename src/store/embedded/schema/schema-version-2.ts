import type { ApiKey, Organization } from "../../../contract/identity.ts";
import type { KeyRecord } from "../keys/key-record.ts";
import type { OrganizationRecord, Tables } from "../tables.ts";

/** A key's record in version 1; releases before version 2 already wrote some of the other members. */
type FirstKey = Partial<ApiKey> &
  Pick<ApiKey, "id" | "orgId" | "name" | "label" | "role" | "status" | "createdAt" | "expiresAt">;

type FirstOrganization = Partial<Organization> &
  Pick<Organization, "id" | "name" | "plan" | "createdAt">;

/**
 * Keys and organizations get the attributes that limits and policies read, with values that change
 * nothing. Names of organizations become unique; if several have the same name, the oldest keeps it.
 */
export function migrateToVersion2(tables: Tables): void {
  const keys = Array.from(tables.keys.getRange());
  for (const { key: id, value } of keys) {
    tables.keys.putSync(id, { ...value, v: 2, key: keyOf(value.key), previous: null });
  }
  const organizations = Array.from(tables.organizations.getRange());
  for (const { key: id, value } of organizations) {
    const organization = organizationOf(value.organization);
    const name = freeName(tables, organization.name);
    tables.names.putSync(["org", "", name], id);
    tables.organizations.putSync(id, { v: 2, organization: { ...organization, name } });
  }
}

function keyOf(first: FirstKey): KeyRecord["key"] {
  return {
    rateLimit: null,
    allowedModels: null,
    securityPolicyId: null,
    team: null,
    responseCache: null,
    updatedAt: first.createdAt,
    lastUsedAt: null,
    ...first,
  };
}

function organizationOf(first: FirstOrganization): OrganizationRecord["organization"] {
  return {
    rateLimit: null,
    budget: null,
    retentionDays: null,
    payg: "enabled",
    securityPolicyId: null,
    updatedAt: first.createdAt,
    ...first,
  };
}

/** `acme`, else `acme (2)`, `acme (3)`, … */
function freeName({ names }: Tables, name: string): string {
  let free = name;
  for (let count = 2; names.doesExist(["org", "", free]); count++) free = `${name} (${count})`;
  return free;
}
