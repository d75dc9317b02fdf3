import { refuse } from "../../contract/errors.ts";
import type { ApiKey } from "../../contract/identity.ts";
import { policiesPerOrganizationMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { SecurityPolicyDocument } from "../../contract/security-policy.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import { idsOfOrg } from "./ids-of-org.ts";
import type { Keys } from "./keys/keys.ts";
import { Mirror, type Checked } from "./mirror.ts";
import { noSuchOrganization, type Organizations } from "./organizations.ts";
import { pageOf, type Page, type PageQuery } from "../page.ts";
import { sortableId } from "../../runtime/sortable-id.ts";
import type { Store } from "./store.ts";
import type { Author, DraftTables } from "./store-draft.ts";
import type { PolicyRow } from "./tables.ts";

/** A policy as its creator gives it, checked. */
export type PolicyDraft = Omit<
  SecurityPolicyDocument,
  "id" | "version" | "createdAt" | "updatedAt"
>;

/** The members to change. An absent member stays as it is. */
export type PolicyChange = Partial<Omit<PolicyDraft, "orgId">>;

export interface PoliciesQuery extends PageQuery {
  /** Absent: policies of all organizations. */
  readonly orgId?: string;
}

export interface Policies extends Checked {
  /**
   * The policy of a key: its own, otherwise its organization's; undefined: the default policy. From
   * memory; a change by this process is visible before it is answered, a change by another process
   * after the second `check`.
   */
  policyFor(key: Pick<ApiKey, "orgId" | "securityPolicyId">): SecurityPolicyDocument | undefined;

  /**
   * Durable when resolved. Errors: `not_found` if there is no such organization, `duplicate_entry` for
   * a name that the organization already uses, `forbidden` over the bound, `internal_error` if the disk
   * is full.
   */
  create(
    draft: PolicyDraft,
    author?: Author,
  ): Outcome<SecurityPolicyDocument> | Promise<Outcome<SecurityPolicyDocument>>;

  /**
   * Reads, changes and writes in one step; makes the next version. In effect and durable when resolved.
   * Errors: `not_found`, `duplicate_entry`, `internal_error` if the disk is full.
   */
  update(
    id: string,
    change: (policy: SecurityPolicyDocument) => PolicyChange,
    author?: Author,
  ): Outcome<SecurityPolicyDocument> | Promise<Outcome<SecurityPolicyDocument>>;

  /**
   * Deletes for good; durable when resolved. Errors: `not_found`; `forbidden` while its organization or
   * one of the organization's active keys names the policy, because these would silently get the
   * default policy; `internal_error` if the disk is full.
   */
  remove(
    id: string,
    author?: Author,
  ): Outcome<SecurityPolicyDocument> | Promise<Outcome<SecurityPolicyDocument>>;

  /** Errors: `not_found`. */
  get(id: string): Outcome<SecurityPolicyDocument> | Promise<Outcome<SecurityPolicyDocument>>;

  /** Oldest first. */
  list(
    query: PoliciesQuery,
  ): Outcome<Page<SecurityPolicyDocument>> | Promise<Outcome<Page<SecurityPolicyDocument>>>;
}

/** Throws if the store can't be read. */
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
  readonly #mirror: Mirror<PolicyRow>;

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

  async create(draft: PolicyDraft, author?: Author): Promise<Outcome<SecurityPolicyDocument>> {
    const wallMs = this.#clock.wallMs();
    const now = new Date(wallMs).toISOString();
    const id = sortableId("policy", wallMs);
    const policy = { id, ...draft, version: 1, createdAt: now, updatedAt: now };
    const written = await this.#store.change(
      author ?? null,
      (change) => {
        const { tables } = change;
        const { orgId, name } = policy;
        if (!tables.organizations.doesExist(orgId)) return noSuchOrganization;
        const bound = policiesPerOrganizationMax;
        if (idsOfOrg(this.#store.tables, "policy", orgId, bound, null).length >= bound) {
          return refuse("forbidden", `An organization has at most ${bound} security policies.`);
        }
        if (!takeName(tables, orgId, name, id)) return nameTaken;
        tables.byOrg.putSync(["policy", orgId, id], true);
        change.note("policy.created", id, orgId, wallMs);
        return accept(this.#mirror.put(policiesIn(tables), id, { v: 1, policy }));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(policy) : written;
  }

  async update(
    id: string,
    change: (policy: SecurityPolicyDocument) => PolicyChange,
    author?: Author,
  ): Promise<Outcome<SecurityPolicyDocument>> {
    const written = await this.#store.change(
      author ?? null,
      (draft) => {
        const { tables } = draft;
        const before = tables.policies.get(id)?.policy;
        if (before === undefined) return noSuchPolicy;
        const wallMs = this.#clock.wallMs();
        const updatedAt = new Date(wallMs).toISOString();
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
        draft.note("policy.updated", id, policy.orgId, wallMs);
        const row = this.#mirror.put(policiesIn(tables), id, { v: 1, policy });
        return accept({ policy, row });
      },
      ({ row }) => this.#mirror.apply(row),
    );
    return written.ok ? accept(written.value.policy) : written;
  }

  async remove(id: string, author?: Author): Promise<Outcome<SecurityPolicyDocument>> {
    const written = await this.#store.change(
      author ?? null,
      (draft) => {
        const { tables } = draft;
        const policy = tables.policies.get(id)?.policy;
        if (policy === undefined) return noSuchPolicy;
        const user = this.#userOf(tables, policy);
        if (user !== undefined) {
          return refuse("forbidden", `${user} uses this policy; give it another one first.`);
        }
        tables.byOrg.removeSync(["policy", policy.orgId, id]);
        tables.names.removeSync(["policy", policy.orgId, policy.name]);
        draft.note("policy.deleted", id, policy.orgId, this.#clock.wallMs());
        return accept({ policy, row: this.#mirror.remove(policiesIn(tables), id) });
      },
      ({ row }) => this.#mirror.apply(row),
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
   * In a draft: a description of the user of the policy; undefined: it is not in use. Keys are looked
   * up in memory: an organization may have 100,000, and reading them all would block the loop.
   */
  #userOf(
    { organizations }: DraftTables,
    { id, orgId }: SecurityPolicyDocument,
  ): string | undefined {
    if (organizations.get(orgId)?.organization.securityPolicyId === id) return "The organization";
    const keyId = this.#keys.keyUnderPolicy(id);
    return keyId === undefined ? undefined : `The key ${keyId}`;
  }
}

const noSuchPolicy = refuse("not_found", "There is no such security policy.");
const nameTaken = refuse("duplicate_entry", "Another policy of the organization has this name.", {
  details: { param: "name" },
});

function policiesIn({ meta, policies }: DraftTables) {
  return { meta, rows: policies };
}

/** Call it in a draft; false if another policy of the organization has the name. */
function takeName({ names }: DraftTables, orgId: string, name: string, id: string): boolean {
  if (names.doesExist(["policy", orgId, name])) return false;
  names.putSync(["policy", orgId, name], id);
  return true;
}
