import { refuse } from "../contract/errors.ts";
import type { Organization } from "../contract/identity.ts";
import { organizationsMax } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { systemClock, type Clock } from "./clock.ts";
import { Mirror, type Checked } from "./mirror.ts";
import { pageOf, type Page, type PageQuery } from "./page.ts";
import { sortableId } from "./sortable-id.ts";
import type { Store } from "./store.ts";
import type { OrganizationRecord, Tables } from "./tables.ts";

type Settable = "rateLimit" | "budget" | "retentionDays" | "payg";

/** What is left out is null, `payg` enabled. */
export type OrganizationDraft = Pick<Organization, "name" | "plan"> &
  Partial<Pick<Organization, Settable>>;

/** What is to be another; a member that is absent stays. */
export type OrganizationChange = Partial<
  Pick<Organization, "name" | "plan" | "securityPolicyId" | Settable>
>;

export interface Organizations extends Checked {
  /**
   * From memory. A change that this process made is seen at once, another's after the next
   * `check` but one.
   */
  find(id: string): Organization | undefined;

  /** From memory: those that keep readable content for days of their own. */
  retentions(): Iterable<readonly [id: string, days: number]>;

  /**
   * Durable when resolved. Errors: `duplicate_entry` for a name that another one has, `forbidden` at
   * `organizationsMax`, `internal_error` where the disk is full.
   */
  create(draft: OrganizationDraft): Outcome<Organization> | Promise<Outcome<Organization>>;

  /**
   * Takes effect at once, durable when resolved. Errors: `not_found`, also for a policy that is not
   * the organization's; `duplicate_entry`; `internal_error` where the disk is full.
   */
  update(
    id: string,
    change: OrganizationChange,
  ): Outcome<Organization> | Promise<Outcome<Organization>>;

  /** Errors: `not_found`. */
  get(id: string): Outcome<Organization> | Promise<Outcome<Organization>>;

  /** Oldest first. */
  list(query: PageQuery): Outcome<Page<Organization>> | Promise<Outcome<Page<Organization>>>;
}

/** Throws where the store can't be read. */
export function openOrganizations(store: Store, clock: Clock = systemClock): Organizations {
  return new LmdbOrganizations(store, clock);
}

class LmdbOrganizations implements Organizations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #mirror: Mirror<OrganizationRecord>;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#mirror = new Mirror(store, store.tables.organizations, "organizationsGeneration");
  }

  find(id: string): Organization | undefined {
    return this.#mirror.get(id)?.organization;
  }

  *retentions(): Generator<readonly [string, number]> {
    for (const { organization } of this.#mirror.values()) {
      const { id, retentionDays } = organization;
      if (retentionDays !== null) yield [id, retentionDays];
    }
  }

  async create(draft: OrganizationDraft): Promise<Outcome<Organization>> {
    const { tables } = this.#store;
    const record = organizationRecord(draft, this.#clock.wallMs());
    const written = await this.#store.write(
      () => {
        if (this.#mirror.size >= organizationsMax) {
          return refuse("forbidden", `This gateway holds its ${organizationsMax} organizations.`);
        }
        const { id, name } = record.organization;
        if (!takeName(tables, name, id)) return nameTaken;
        return accept(this.#mirror.put(id, record));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(record.organization) : written;
  }

  async update(id: string, change: OrganizationChange): Promise<Outcome<Organization>> {
    const { tables } = this.#store;
    const written = await this.#store.write(
      () => {
        const before = tables.organizations.get(id)?.organization;
        if (before === undefined) return noSuchOrganization;
        const updatedAt = new Date(this.#clock.wallMs()).toISOString();
        const organization: Organization = { ...before, ...change, updatedAt };
        const { name, securityPolicyId } = organization;
        if (securityPolicyId !== null && !isPolicyOf(tables, securityPolicyId, id)) {
          return noSuchPolicy;
        }
        if (name !== before.name) {
          if (!takeName(tables, name, id)) return nameTaken;
          tables.names.removeSync(["org", "", before.name]);
        }
        return accept(this.#mirror.put(id, { v: 2, organization }));
      },
      (changed) => this.#mirror.apply(changed),
    );
    if (!written.ok) return written;
    return this.get(id);
  }

  get(id: string): Outcome<Organization> {
    const found = this.#mirror.get(id);
    return found === undefined ? noSuchOrganization : accept(found.organization);
  }

  list({ limit, cursor }: PageQuery): Outcome<Page<Organization>> {
    const { organizations } = this.#store.tables;
    const range = { start: cursor ?? "", exclusiveStart: true, limit: limit + 1 };
    const ids = Array.from(organizations.getKeys(range));
    return accept(pageOf(ids, limit, (id) => organizations.get(id)?.organization));
  }

  check(): void {
    this.#mirror.check();
  }
}

export const noSuchOrganization = refuse("not_found", "There is no such organization.", {
  details: { param: "orgId" },
});

const nameTaken = refuse("duplicate_entry", "Another organization has this name.", {
  details: { param: "name" },
});

const noSuchPolicy = refuse("not_found", "The organization has no such security policy.", {
  details: { param: "securityPolicyId" },
});

function isPolicyOf(tables: Tables, policyId: string, orgId: string): boolean {
  return tables.policies.get(policyId)?.policy.orgId === orgId;
}

/** Inside a transaction; false where another organization has the name. */
export function takeName({ names }: Tables, name: string, orgId: string): boolean {
  if (names.doesExist(["org", "", name])) return false;
  names.putSync(["org", "", name], orgId);
  return true;
}

export function organizationRecord(draft: OrganizationDraft, wallMs: number): OrganizationRecord {
  const now = new Date(wallMs).toISOString();
  return {
    v: 2,
    organization: {
      id: sortableId("org", wallMs),
      name: draft.name,
      plan: draft.plan,
      rateLimit: draft.rateLimit ?? null,
      budget: draft.budget ?? null,
      retentionDays: draft.retentionDays ?? null,
      payg: draft.payg ?? "enabled",
      securityPolicyId: null,
      createdAt: now,
      updatedAt: now,
    },
  };
}
