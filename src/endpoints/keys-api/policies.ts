import {
  CustomPattern as CustomPatternSchema,
  redactionTokenDefault,
  type CustomPattern,
} from "../../contract/custom-pattern.ts";
import { refuse, refuseParameter, type Refusal } from "../../contract/errors.ts";
import { CreatePolicy, UpdatePolicy, type Policy } from "../../contract/keys-api/policy.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { sensitivityDefault } from "../../contract/scan.ts";
import { SchemaReader } from "../../contract/schema-reader.ts";
import type {
  EntityRule,
  InjectionRule,
  SecurityPolicyDocument,
} from "../../contract/security-policy.ts";
import type { Page, PageQuery } from "../../store/page.ts";
import type { Policies, PolicyChange, PolicyDraft } from "../../store/embedded/policies.ts";
import { listAnswer } from "../list-page.ts";
import { answered, json, noContent, type Call, type Done } from "./endpoint.ts";
import { manages, type Manager } from "./manager.ts";
import { readPage } from "./page.ts";
import { organizationFor, scopeOf, type FindOrganization } from "./scope.ts";

const createBody = new SchemaReader(CreatePolicy);
const updateBody = new SchemaReader(UpdatePolicy);

/**
 * Checks patterns in a place where compiling them blocks nothing else; refuses `invalid_request` with their
 * faults.
 */
export type CheckPatterns = (patterns: unknown) => Promise<Outcome<unknown>>;

type StoredPatterns = PolicyDraft["customPatterns"];

/** The id under which the file's default policy is shown. */
const defaultId = "default";

/** `/api/v1/gateway/policies`. */
export class PolicyEndpoints {
  readonly #policies: Policies;
  readonly #findOrganization: FindOrganization;
  readonly #checkPatterns: CheckPatterns;
  readonly #default: Policy;

  constructor(
    policies: Policies,
    findOrganization: FindOrganization,
    checkPatterns: CheckPatterns,
    defaultInjection: InjectionRule,
  ) {
    this.#policies = policies;
    this.#findOrganization = findOrganization;
    this.#checkPatterns = checkPatterns;
    this.#default = defaultPolicy(defaultInjection);
  }

  /** Errors: `invalid_request`, `detector_unavailable`, `not_found`, `forbidden`, `duplicate_entry`. */
  async create({ manager, author, body }: Call): Promise<Outcome<Done>> {
    const { customPatterns, ...rest } = body;
    const read = createBody.read(rest);
    if (!read.ok) return read;
    const { orgId, name, injection, entities = [], dryRun = false } = read.value;
    const owner = organizationFor(manager, orgId, this.#findOrganization);
    if (!owner.ok) return owner;
    const patterns = await this.#checked(entities, customPatterns);
    if (!patterns.ok) return patterns;
    const draft: PolicyDraft = {
      orgId,
      name,
      injection: { action: "block", sensitivity: sensitivityDefault, ...injection },
      entities,
      customPatterns: patterns.value ?? [],
      dryRun,
    };
    const created = await this.#policies.create(draft, author);
    if (!created.ok) return created;
    const event = { type: "policy.created", id: created.value.id, orgId } as const;
    return accept({ answer: json({ data: shown(created.value) }, 201), event });
  }

  /** The file's default policy first, then the organizations' own. Errors: `invalid_request`, `not_found`. */
  async list({ manager, query }: Call): Promise<Outcome<Done>> {
    const page = readPage(query, /^(policy_[0-9a-f]{1,64}|default)$/);
    if (!page.ok) return page;
    const scope = scopeOf(manager, query, this.#findOrganization);
    if (!scope.ok) return scope;
    return answered(listAnswer(page.value, (part) => this.#rows(part, scope.value)));
  }

  async #rows(
    { limit, cursor }: PageQuery,
    scope: { readonly orgId?: string },
  ): Promise<Outcome<Page<Policy>>> {
    const after = cursor === defaultId ? null : cursor;
    const listed = await this.#policies.list({ ...scope, limit, cursor: after });
    if (!listed.ok) return listed;
    const items = listed.value.items.map(shown);
    if (cursor !== null) return accept({ items, nextCursor: listed.value.nextCursor });
    const rows = [this.#default, ...items.slice(0, limit - 1)];
    const isLast = listed.value.nextCursor === null && items.length < limit;
    return accept({ items: rows, nextCursor: isLast ? null : (rows.at(-1)?.id ?? null) });
  }

  /** Errors: `not_found`. */
  async get({ manager, id }: Call): Promise<Outcome<Done>> {
    if (id === defaultId) return accept({ answer: json({ data: this.#default }) });
    const policy = await this.#managed(manager, id);
    return policy.ok ? accept({ answer: json({ data: shown(policy.value) }) }) : policy;
  }

  /**
   * Makes the next version. Errors: `invalid_request`, `detector_unavailable`, `not_found`,
   * `duplicate_entry`, `forbidden` for the file's policy.
   */
  async update({ manager, author, id, body }: Call): Promise<Outcome<Done>> {
    if (id === defaultId) return readOnly;
    const { customPatterns, ...rest } = body;
    const read = updateBody.read(rest);
    if (!read.ok) return read;
    const managed = await this.#managed(manager, id);
    if (!managed.ok) return managed;
    const patterns = await this.#checked(read.value.entities ?? [], customPatterns);
    if (!patterns.ok) return patterns;
    const { injection, ...others } = read.value;
    const change = (before: SecurityPolicyDocument): PolicyChange => ({
      ...others,
      injection: { ...before.injection, ...injection },
      customPatterns: patterns.value ?? before.customPatterns,
    });
    const changed = await this.#policies.update(id, change, author);
    if (!changed.ok) return changed;
    const event = { type: "policy.updated", id, orgId: changed.value.orgId } as const;
    return accept({ answer: json({ data: shown(changed.value) }), event });
  }

  /** Errors: `not_found`, `forbidden` for the file's policy and for a policy that is in use. */
  async remove({ manager, author, id }: Call): Promise<Outcome<Done>> {
    if (id === defaultId) return readOnly;
    const managed = await this.#managed(manager, id);
    if (!managed.ok) return managed;
    const removed = await this.#policies.remove(id, author);
    if (!removed.ok) return removed;
    const event = { type: "policy.deleted", id, orgId: removed.value.orgId } as const;
    return accept({ answer: noContent, event });
  }

  async #managed(manager: Manager, id: string): Promise<Outcome<SecurityPolicyDocument>> {
    const policy = await this.#policies.get(id);
    return policy.ok && !manages(manager, policy.value.orgId) ? noSuchPolicy : policy;
  }

  /**
   * Checks what a schema can't express about a policy. Returns its patterns; undefined if the body has none.
   */
  async #checked(
    entities: readonly EntityRule[],
    customPatterns: unknown,
  ): Promise<Outcome<StoredPatterns | undefined>> {
    if (namesOneTwice(entities)) {
      return refuseParameter(
        "entities",
        "/entities must name each category only once per direction.",
      );
    }
    if (customPatterns === undefined) return accept(undefined);
    if (Array.isArray(customPatterns) && customPatterns.length === 0) return accept([]);
    const checked = await this.#checkPatterns(customPatterns);
    if (!checked.ok) return ofPolicy(checked.refusal);
    // The check has made sure that this is a list of patterns.
    return storedPatterns(customPatterns as readonly CustomPattern[]);
  }
}

const noSuchPolicy = refuse("not_found", "There is no such security policy.");
const readOnly = refuse("forbidden", "This policy is in the configuration file: change it there.");

/** The faults of patterns, with the policy's member name instead of the scan's `custom_patterns`. */
function ofPolicy(refusal: Refusal): Outcome<never> {
  const { details } = refusal;
  if (details?.param === undefined) return { ok: false, refusal };
  return { ok: false, refusal: { ...refusal, details: { ...details, param: "customPatterns" } } };
}

function shown(policy: SecurityPolicyDocument): Policy {
  return { ...policy, source: "api" };
}

function defaultPolicy(injection: InjectionRule): Policy {
  const startedAt = new Date().toISOString();
  return {
    id: defaultId,
    orgId: null,
    name: "default",
    version: 1,
    injection,
    entities: [],
    customPatterns: [],
    dryRun: false,
    createdAt: startedAt,
    updatedAt: startedAt,
    source: "file",
  };
}

/** `both` counts as each of the two directions. */
function namesOneTwice(entities: readonly EntityRule[]): boolean {
  const rules = entities.flatMap(({ category, direction }) =>
    (direction === "both" ? ["input", "output"] : [direction]).map((one) => `${category} ${one}`),
  );
  return new Set(rules).size < rules.length;
}

/** A scan ignores unknown members, but stored patterns must not have any. */
function storedPatterns(patterns: readonly CustomPattern[]): Outcome<StoredPatterns> {
  const known = new Set(Object.keys(CustomPatternSchema.properties));
  const index = patterns.findIndex((pattern) =>
    Object.keys(pattern).some((one) => !known.has(one)),
  );
  if (index !== -1) {
    const names = [...known].join(", ");
    return refuseParameter(
      "customPatterns",
      `/customPatterns/${index} must be an object with no members but ${names}.`,
    );
  }
  return accept(patterns.map((pattern) => ({ redactionToken: redactionTokenDefault, ...pattern })));
}
