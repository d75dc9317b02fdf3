import { refuse } from "../../contract/errors.ts";
import type { Organization } from "../../contract/identity.ts";
import { organizationsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import { Mirror, type Checked } from "./mirror.ts";
import { pageOf, type Page, type PageQuery } from "../page.ts";
import { sortableId } from "../../runtime/sortable-id.ts";
import type { Store } from "./store.ts";
import type { Author, DraftTables } from "./store-draft.ts";
import type { OrganizationRecord } from "./tables.ts";

type Settable = "rateLimit" | "budget" | "retentionDays" | "payg";

/** Omitted members are null; `payg` is enabled. */
export type OrganizationDraft = Pick<Organization, "name" | "plan"> &
  Partial<Pick<Organization, Settable>>;

/** The members to change. An absent member stays as it is. */
export type OrganizationChange = Partial<
  Pick<Organization, "name" | "plan" | "securityPolicyId" | Settable>
>;

export interface Organizations extends Checked {
  /**
   * From memory. A change by this process is visible before it is answered, a change by another process
   * after the second `check`.
   */
  find(id: string): Organization | undefined;

  /** From memory: organizations with a retention of their own for readable content. */
  retentions(): Iterable<readonly [id: string, days: number]>;

  /**
   * Durable when resolved. Errors: `duplicate_entry` for a name that is in use, `forbidden` at
   * `organizationsMax`, `internal_error` if the disk is full.
   */
  create(
    draft: OrganizationDraft,
    author?: Author,
  ): Outcome<Organization> | Promise<Outcome<Organization>>;

  /**
   * In effect and durable when resolved. Errors: `not_found`, also for a policy of another
   * organization; `duplicate_entry`; `internal_error` if the disk is full.
   */
  update(
    id: string,
    change: OrganizationChange,
    author?: Author,
  ): Outcome<Organization> | Promise<Outcome<Organization>>;

  /**
   * Changes nothing, and has no event. In a shared store every other gateway has taken it in when it resolves, as a
   * change. Errors: as `update`.
   */
  touch(id: string, author: Author): Promise<Outcome<unknown>>;

  /** Errors: `not_found`. */
  get(id: string): Outcome<Organization> | Promise<Outcome<Organization>>;

  /** Oldest first. */
  list(query: PageQuery): Outcome<Page<Organization>> | Promise<Outcome<Page<Organization>>>;
}

/** Throws if the store can't be read. */
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

  async create(draft: OrganizationDraft, author?: Author): Promise<Outcome<Organization>> {
    const wallMs = this.#clock.wallMs();
    const record = organizationRecord(draft, wallMs);
    const written = await this.#store.change(
      author ?? null,
      (change) => {
        if (this.#mirror.size >= organizationsMax) {
          return refuse("forbidden", `This gateway holds its ${organizationsMax} organizations.`);
        }
        const { id, name } = record.organization;
        if (!takeName(change.tables, name, id)) return nameTaken;
        change.note("organization.created", id, id, wallMs);
        return accept(this.#mirror.put(organizationsIn(change.tables), id, record));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(record.organization) : written;
  }

  async update(
    id: string,
    change: OrganizationChange,
    author?: Author,
  ): Promise<Outcome<Organization>> {
    const written = await this.#store.change(
      author ?? null,
      (draft) => {
        const { tables } = draft;
        const before = tables.organizations.get(id)?.organization;
        if (before === undefined) return noSuchOrganization;
        const wallMs = this.#clock.wallMs();
        const updatedAt = new Date(wallMs).toISOString();
        const organization: Organization = { ...before, ...change, updatedAt };
        const { name, securityPolicyId } = organization;
        if (securityPolicyId !== null && !isPolicyOf(tables, securityPolicyId, id)) {
          return noSuchPolicy;
        }
        if (name !== before.name) {
          if (!takeName(tables, name, id)) return nameTaken;
          tables.names.removeSync(["org", "", before.name]);
        }
        draft.note("organization.updated", id, id, wallMs);
        return accept(this.#mirror.put(organizationsIn(tables), id, { v: 2, organization }));
      },
      (changed) => this.#mirror.apply(changed),
    );
    if (!written.ok) return written;
    return this.get(id);
  }

  touch(id: string, author: Author): Promise<Outcome<unknown>> {
    return this.#store.change(
      author,
      ({ tables }) => {
        const record = tables.organizations.get(id);
        if (record === undefined) return noSuchOrganization;
        return accept(this.#mirror.put(organizationsIn(tables), id, record));
      },
      (changed) => this.#mirror.apply(changed),
    );
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

function organizationsIn({ meta, organizations }: DraftTables) {
  return { meta, rows: organizations };
}

function isPolicyOf(tables: DraftTables, policyId: string, orgId: string): boolean {
  return tables.policies.get(policyId)?.policy.orgId === orgId;
}

/** Call it in a draft or inside a transaction; false if another organization has the name. */
export function takeName(
  { names }: Pick<DraftTables, "names">,
  name: string,
  orgId: string,
): boolean {
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
