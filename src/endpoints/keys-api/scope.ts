import { refuse } from "../../contract/errors.ts";
import type { Organization } from "../../contract/identity.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { manages, type Manager } from "./manager.ts";

export type FindOrganization = (id: string) => Organization | undefined;

/**
 * The organizations whose rows a list shows: `?orgId=`, else all of the manager's. An empty scope means all
 * organizations. Errors: `not_found` for an organization that does not exist or is not the manager's.
 */
export function scopeOf(
  manager: Manager,
  query: URLSearchParams,
  find: FindOrganization,
): Outcome<{ readonly orgId?: string }> {
  const asked = query.get("orgId") ?? "";
  const orgId = asked === "" ? manager.orgId : asked;
  if (orgId === null) return accept({});
  const organization = organizationFor(manager, orgId, find);
  return organization.ok ? accept({ orgId }) : organization;
}

/** Errors: `not_found` for an organization that does not exist or is not the manager's. */
export function organizationFor(
  manager: Manager,
  orgId: string,
  find: FindOrganization,
): Outcome<Organization> {
  const organization = manages(manager, orgId) ? find(orgId) : undefined;
  if (organization !== undefined) return accept(organization);
  return refuse("not_found", "There is no such organization.", { details: { param: "orgId" } });
}
