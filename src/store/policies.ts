import { refuse } from "../contract/errors.ts";
import type { ApiKey } from "../contract/identity.ts";
import { policiesPerOrganizationMax } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { SecurityPolicyDocument } from "../contract/security-policy.ts";
import { systemClock, type Clock } from "./clock.ts";
import { idsOfOrg } from "./ids-of-org.ts";
import type { Keys } from "./keys.ts";
import { Mirror, type Checked } from "./mirror.ts";
import { noSuchOrganization, type Organizations } from "./organizations.ts";
import { pageOf, type Page, type PageQuery } from "./page.ts";
import { sortableId } from "./sortable-id.ts";
import type { Store } from "./store.ts";
import type { PolicyRecord, Tables } from "./tables.ts";

/** A policy as its creator gives it, checked. */
export type PolicyDraft = Omit<
  SecurityPolicyDocument,
  "id" | "version" | "createdAt" | "updatedAt"
>;

/** What is to be another; a member that is absent stays. */
export type PolicyChange = Partial<Omit<PolicyDraft, "orgId">>;

export interface PoliciesQuery extends PageQuery {
  /** Absent: of all organizations. */
  readonly orgId?: string;
}

export interface Policies extends Checked {
  /**
   * The policy of a key: its own, else its organization's; undefined: the default one. From memory;
   * a change that this process made is seen at once, another's after the next `check` but
   * one.
   */
  policyFor(key: Pick<ApiKey, "orgId" | "securityPolicyId">): SecurityPolicyDocument | undefined;

  /**
   * Durable when resolved. Errors: `not_found` where there is no such organization,
   * `duplicate_entry` for a name that the organization has, `forbidden` over the bound,
   * `internal_error` where the disk is full.
   */
  create(
    draft: PolicyDraft,
  ): Outcome<SecurityPolicyDocument> | Promise<Outcome<SecurityPolicyDocument>>;

  /**
   * Reads, changes and writes in one step; makes the next version. Takes effect at once, durable when resolved. Errors: `not_found`,
   * `duplicate_entry`, `internal_error` where the disk is full.
   */
  update(
    id: string,
    change: (policy: SecurityPolicyDocument) => PolicyChange,
  ): Outcome<SecurityPolicyDocument> | Promise<Outcome<SecurityPolicyDocument>>;

  /**
   * For good; durable when resolved. Errors: `not_found`; `forbidden` while its organization or an
   * active key of it names the policy, for they would fall back to the default one unnoticed;
   * `internal_error` where the disk is full.
   */
  remove(id: string): Outcome<SecurityPolicyDocument> | Promise<Outcome<SecurityPolicyDocument>>;

  /** Errors: `not_found`. */
  get(id: string): Outcome<SecurityPolicyDocument> | Promise<Outcome<SecurityPolicyDocument>>;

  /** Oldest first. */
  list(
    query: PoliciesQuery,
  ): Outcome<Page<SecurityPolicyDocument>> | Promise<Outcome<Page<SecurityPolicyDocument>>>;
}

/** Throws where the store can't be read. */
export function openPolicies(
  store: Store,
  organizations: Organizations,
  keys: Pick<Keys, "keyUnderPolicy">,
  clock: Clock = systemClock,
): Policies {
  return new LmdbPolicies(store, organizations, keys, clock);
}

class LmdbPolicies implements Policies {
  readonly #store: Store;
  readonly #organizations: Organizations;
  readonly #keys: Pick<Keys, "keyUnderPolicy">;
  readonly #clock: Clock;
  readonly #mirror: Mirror<PolicyRecord>;

  constructor(
    store: Store,
    organizations: Organizations,
    keys: Pick<Keys, "keyUnderPolicy">,
    clock: Clock,
  ) {
    this.#store = store;
    this.#organizations = organizations;
    this.#keys = keys;
    this.#clock = clock;
    this.#mirror = new Mirror(store, store.tables.policies, "policiesGeneration");
  }

  policyFor({
    orgId,
    securityPolicyId,
  }: Pick<ApiKey, "orgId" | "securityPolicyId">): SecurityPolicyDocument | undefined {
    if (orgId === null) return undefined;
    const id = securityPolicyId ?? this.#organizations.find(orgId)?.securityPolicyId ?? null;
    return id === null ? undefined : this.#mirror.get(id)?.policy;
  }

  async create(draft: PolicyDraft): Promise<Outcome<SecurityPolicyDocument>> {
    const { tables } = this.#store;
    const wallMs = this.#clock.wallMs();
    const now = new Date(wallMs).toISOString();
    const id = sortableId("policy", wallMs);
    const policy = { id, ...draft, version: 1, createdAt: now, updatedAt: now };
    const written = await this.#store.write(
      () => {
        const { orgId, name } = policy;
        if (!tables.organizations.doesExist(orgId)) return noSuchOrganization;
        const bound = policiesPerOrganizationMax;
        if (idsOfOrg(tables, "policy", orgId, bound, null).length >= bound) {
          return refuse("forbidden", `An organization has at most ${bound} security policies.`);
        }
        if (!takeName(tables, orgId, name, id)) return nameTaken;
        tables.byOrg.putSync(["policy", orgId, id], true);
        return accept(this.#mirror.put(id, { v: 1, policy }));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(policy) : written;
  }

  async update(
    id: string,
    change: (policy: SecurityPolicyDocument) => PolicyChange,
  ): Promise<Outcome<SecurityPolicyDocument>> {
    const { tables } = this.#store;
    const written = await this.#store.write(
      () => {
        const before = tables.policies.get(id)?.policy;
        if (before === undefined) return noSuchPolicy;
        const updatedAt = new Date(this.#clock.wallMs()).toISOString();
        const policy = {
          ...before,
          ...change(before),
          version: before.version + 1,
          updatedAt,
        };
        if (policy.name !== before.name) {
          if (!takeName(tables, before.orgId, policy.name, id)) return nameTaken;
          tables.names.removeSync(["policy", before.orgId, before.name]);
        }
        return accept({ policy, change: this.#mirror.put(id, { v: 1, policy }) });
      },
      ({ change: changed }) => this.#mirror.apply(changed),
    );
    return written.ok ? accept(written.value.policy) : written;
  }

  async remove(id: string): Promise<Outcome<SecurityPolicyDocument>> {
    const { tables } = this.#store;
    const written = await this.#store.write(
      () => {
        const policy = tables.policies.get(id)?.policy;
        if (policy === undefined) return noSuchPolicy;
        const user = this.#userOf(tables, policy);
        if (user !== undefined) {
          return refuse("forbidden", `${user} uses this policy; give it another one first.`);
        }
        tables.byOrg.removeSync(["policy", policy.orgId, id]);
        tables.names.removeSync(["policy", policy.orgId, policy.name]);
        return accept({ policy, change: this.#mirror.remove(id) });
      },
      ({ change }) => this.#mirror.apply(change),
    );
    return written.ok ? accept(written.value.policy) : written;
  }

  get(id: string): Outcome<SecurityPolicyDocument> {
    const found = this.#mirror.get(id);
    return found === undefined ? noSuchPolicy : accept(found.policy);
  }

  list({ orgId, limit, cursor }: PoliciesQuery): Outcome<Page<SecurityPolicyDocument>> {
    const { tables } = this.#store;
    const range = { start: cursor ?? "", exclusiveStart: true, limit: limit + 1 };
    const ids =
      orgId === undefined
        ? Array.from(tables.policies.getKeys(range))
        : idsOfOrg(tables, "policy", orgId, limit + 1, cursor);
    return accept(pageOf(ids, limit, (id) => tables.policies.get(id)?.policy));
  }

  check(): void {
    this.#mirror.check();
  }

  /**
   * Inside a transaction: who names the policy, for a person; undefined: nobody. Keys are asked in memory,
   * for an organization may have 100,000, and to read them all would hold the loop.
   */
  #userOf({ organizations }: Tables, { id, orgId }: SecurityPolicyDocument): string | undefined {
    if (organizations.get(orgId)?.organization.securityPolicyId === id) return "The organization";
    const keyId = this.#keys.keyUnderPolicy(id);
    return keyId === undefined ? undefined : `The key ${keyId}`;
  }
}

const noSuchPolicy = refuse("not_found", "There is no such security policy.");
const nameTaken = refuse("duplicate_entry", "Another policy of the organization has this name.", {
  details: { param: "name" },
});

/** Inside a transaction; false where another policy of the organization has the name. */
function takeName({ names }: Tables, orgId: string, name: string, id: string): boolean {
  if (names.doesExist(["policy", orgId, name])) return false;
  names.putSync(["policy", orgId, name], id);
  return true;
}
