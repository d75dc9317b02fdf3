import { refuse } from "../contract/errors.ts";
import type { Organization } from "../contract/identity.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { systemClock, type Clock } from "./clock.ts";
import { sortableId } from "./sortable-id.ts";
import type { Store } from "./store.ts";
import type { OrganizationRecord } from "./tables.ts";

export type OrganizationDraft = Pick<Organization, "name" | "plan">;

export interface Organizations {
  /** Durable when resolved. Errors: `internal_error` where the disk is full. */
  create(draft: OrganizationDraft): Outcome<Organization> | Promise<Outcome<Organization>>;

  /** Errors: `not_found`. */
  get(id: string): Outcome<Organization> | Promise<Outcome<Organization>>;
}

export function openOrganizations(store: Store, clock: Clock = systemClock): Organizations {
  const { organizations } = store.tables;
  return {
    create(draft) {
      const record = organizationRecord(draft, clock.wallMs());
      return store.write(() => {
        organizations.putSync(record.organization.id, record);
        return accept(record.organization);
      });
    },
    get(id) {
      const record = organizations.get(id);
      return record === undefined
        ? refuse("not_found", "There is no such organization.")
        : accept(record.organization);
    },
  };
}

export function organizationRecord(draft: OrganizationDraft, wallMs: number): OrganizationRecord {
  const now = new Date(wallMs).toISOString();
  return {
    v: 1,
    organization: {
      id: sortableId("org", wallMs),
      name: draft.name,
      plan: draft.plan,
      rateLimit: null,
      budget: null,
      retentionDays: null,
      payg: "enabled",
      createdAt: now,
      updatedAt: now,
    },
  };
}
