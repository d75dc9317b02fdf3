import { refuse, refuseParameter } from "../../contract/errors.ts";
import {
  CreateUsageLimit,
  UpdateUsageLimit,
  type ListedUsageLimit,
} from "../../contract/keys-api/usage-limit.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { SchemaReader } from "../../contract/schema-reader.ts";
import { thresholdUnits, type UsageLimit } from "../../contract/usage-limit.ts";
import type { Page, PageQuery } from "../../store/page.ts";
import type { UsageLimitDraft, UsageLimits } from "../../store/embedded/usage-limits.ts";
import { listAnswer } from "../list-page.ts";
import { usageView, type CurrentUsage } from "../../pipeline/limits/usage-view.ts";
import { answered, json, noContent, type Call, type Done } from "./endpoint.ts";
import { manages, type Manager } from "./manager.ts";
import { readPage } from "./page.ts";
import { organizationFor, scopeOf, type FindOrganization } from "./scope.ts";

const createBody = new SchemaReader(CreateUsageLimit);
const updateBody = new SchemaReader(UpdateUsageLimit);

/** `/api/v1/gateway/usage-limits` (spec: Keys API, Usage limit). */
export class UsageLimitEndpoints {
  readonly #limits: UsageLimits;
  readonly #findOrganization: FindOrganization;
  readonly #currentUsage: CurrentUsage;

  constructor(limits: UsageLimits, findOrganization: FindOrganization, usage: CurrentUsage) {
    this.#limits = limits;
    this.#findOrganization = findOrganization;
    this.#currentUsage = usage;
  }

  /** Errors: `invalid_request`, `not_found`, `forbidden` on the free plan. */
  async create({ manager, author, body }: Call): Promise<Outcome<Done>> {
    const read = createBody.read(body);
    if (!read.ok) return read;
    const owner = organizationFor(manager, read.value.orgId, this.#findOrganization);
    if (!owner.ok) return owner;
    const { apiKeyId = null, enabled = true } = read.value;
    const draft = checkedDraft({ ...read.value, apiKeyId, enabled });
    if (!draft.ok) return draft;
    const created = await this.#limits.create(draft.value, author);
    if (!created.ok) return created;
    const { id, orgId } = created.value;
    const event = { type: "usage_limit.created", id, orgId } as const;
    return accept({ answer: json({ data: created.value }, 201), event });
  }

  /** With `include=usage`, each row has its use. Errors: `invalid_request`, `not_found`. */
  async list({ manager, query }: Call): Promise<Outcome<Done>> {
    const page = readPage(query, limitId);
    if (!page.ok) return page;
    const include = query.get("include");
    if (include !== null && include !== "usage") {
      return refuseParameter("include", "include must be usage.");
    }
    const scope = scopeOf(manager, query, this.#findOrganization);
    if (!scope.ok) return scope;
    const shown = async (limit: UsageLimit): Promise<ListedUsageLimit> =>
      include === null ? limit : { ...limit, usage: await usageView(limit, this.#currentUsage) };
    const read = async (part: PageQuery): Promise<Outcome<Page<ListedUsageLimit>>> => {
      const listed = await this.#limits.list({ ...part, ...scope.value });
      if (!listed.ok) return listed;
      const { items, nextCursor } = listed.value;
      return accept({ items: await Promise.all(items.map(shown)), nextCursor });
    };
    return answered(listAnswer(page.value, read));
  }

  /** Errors: `invalid_request`, `not_found`, `forbidden` on the free plan. */
  async update({ manager, author, id, body }: Call): Promise<Outcome<Done>> {
    const read = updateBody.read(body);
    if (!read.ok) return read;
    const managed = await this.#managed(manager, id);
    if (!managed.ok) return managed;
    if (read.value.orgId !== undefined) {
      const owner = organizationFor(manager, read.value.orgId, this.#findOrganization);
      if (!owner.ok) return owner;
    }
    const change = (before: UsageLimit): Outcome<UsageLimitDraft> =>
      // Since the check above, the limit may have moved to another organization.
      manages(manager, before.orgId) ? checkedDraft({ ...before, ...read.value }) : noSuchLimit;
    const changed = await this.#limits.update(id, change, author);
    if (!changed.ok) return changed;
    const event = { type: "usage_limit.updated", id, orgId: changed.value.orgId } as const;
    return accept({ answer: json({ data: changed.value }), event });
  }

  /**
   * Also allowed on the free plan, so that limits of an earlier paid plan can be removed. Errors:
   * `not_found`.
   */
  async remove({ manager, author, id }: Call): Promise<Outcome<Done>> {
    const managed = await this.#managed(manager, id);
    if (!managed.ok) return managed;
    const removed = await this.#limits.remove(id, author);
    if (!removed.ok) return removed;
    const event = { type: "usage_limit.deleted", id, orgId: removed.value.orgId } as const;
    return accept({ answer: noContent, event });
  }

  /** Errors: `not_found`. */
  async get({ manager, id }: Call): Promise<Outcome<Done>> {
    const limit = await this.#managed(manager, id);
    return limit.ok ? accept({ answer: json({ data: limit.value }) }) : limit;
  }

  /** Errors: `not_found`. */
  async usage({ manager, id }: Call): Promise<Outcome<Done>> {
    const managed = await this.#managed(manager, id);
    if (!managed.ok) return managed;
    return accept({ answer: json({ data: await usageView(managed.value, this.#currentUsage) }) });
  }

  async #managed(manager: Manager, id: string): Promise<Outcome<UsageLimit>> {
    const limit = await this.#limits.get(id);
    return limit.ok && !manages(manager, limit.value.orgId) ? noSuchLimit : limit;
  }
}

const limitId = /^limit_[0-9a-f]{1,64}$/;
const noSuchLimit = refuse("not_found", "There is no such usage limit.");

/** A draft without other members, and with a threshold that fits the counted unit. */
function checkedDraft(limit: UsageLimitDraft): Outcome<UsageLimitDraft> {
  const { orgId, name, limitType, threshold, timeWindow, apiKeyId, enabled } = limit;
  if (thresholdUnits(limitType, threshold) === undefined) {
    const expected =
      limitType === "cost"
        ? 'a positive decimal string in US dollars with at most 6 places such as "50.00"'
        : 'a positive whole number as a string such as "1000"';
    return refuseParameter("threshold", `/threshold must be ${expected}.`);
  }
  return accept({ orgId, name, limitType, threshold, timeWindow, apiKeyId, enabled });
}
