import { refuse } from "../../contract/errors.ts";
import { usageLimitsMax, usageLimitsPerScopeMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { UsageLimit } from "../../contract/usage-limit.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import { idsOfOrg } from "./ids-of-org.ts";
import { Mirror, type Checked } from "./mirror.ts";
import { noSuchOrganization } from "./organizations.ts";
import { pageOf, type Page, type PageQuery } from "../page.ts";
import { sortableId } from "../../runtime/sortable-id.ts";
import type { Store } from "./store.ts";
import type { Author, DraftTables } from "./store-draft.ts";
import type { UsageLimitRecord } from "./tables.ts";
import { LimitsByCaller } from "../windows/usage-limits-by-caller.ts";

/** A limit as its creator gives it. */
export type UsageLimitDraft = Omit<UsageLimit, "id" | "createdAt" | "updatedAt">;

export interface UsageLimitsQuery extends PageQuery {
  /** Absent: limits of all organizations. */
  readonly orgId?: string;
}

/** Definitions of usage limits; the windows hold the used amounts. */
export interface UsageLimits extends Checked {
  /**
   * The enabled limits for a request of this key, those of its organization first. The result is a
   * frozen array in memory. It is the same array until a limit of the organization changes.
   */
  forCaller(orgId: string, apiKeyId: string): readonly UsageLimit[];

  /**
   * In effect and durable when resolved. Errors: `not_found` if there is no such organization or it has
   * no such key; `forbidden` on the free plan (spec: Keys API) and over the bounds; `internal_error` if
   * the disk is full.
   */
  create(
    draft: UsageLimitDraft,
    author?: Author,
  ): Outcome<UsageLimit> | Promise<Outcome<UsageLimit>>;

  /**
   * Reads, changes and writes in one step; `change` may refuse. In effect and durable when
   * resolved. Errors: those of `create` and of `change`, `not_found`.
   */
  update(
    id: string,
    change: (limit: UsageLimit) => Outcome<UsageLimitDraft>,
    author?: Author,
  ): Outcome<UsageLimit> | Promise<Outcome<UsageLimit>>;

  /**
   * Deletes for good; does not touch the used amounts. Durable when resolved. Errors: `not_found`,
   * `internal_error` if the disk is full.
   */
  remove(id: string, author?: Author): Outcome<UsageLimit> | Promise<Outcome<UsageLimit>>;

  /** Errors: `not_found`. */
  get(id: string): Outcome<UsageLimit> | Promise<Outcome<UsageLimit>>;

  /** Oldest first. */
  list(query: UsageLimitsQuery): Outcome<Page<UsageLimit>> | Promise<Outcome<Page<UsageLimit>>>;
}

/** Throws if the store can't be read. */
export function openUsageLimits(store: Store, clock: Clock = systemClock): UsageLimits {
  return new LmdbUsageLimits(store, clock);
}

class LmdbUsageLimits implements UsageLimits {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #byCaller = new LimitsByCaller();
  readonly #mirror: Mirror<UsageLimitRecord>;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#mirror = new Mirror(store, store.tables.usageLimits, "usageLimitsGeneration", {
      changed: (_id, record, before) => this.#byCaller.changed(record?.limit, before?.limit),
      loaded: (records) =>
        this.#byCaller.loaded(Array.from(records.values(), ({ limit }) => limit)),
    });
  }

  forCaller(orgId: string, apiKeyId: string): readonly UsageLimit[] {
    return this.#byCaller.forCaller(orgId, apiKeyId);
  }

  async create(draft: UsageLimitDraft, author?: Author): Promise<Outcome<UsageLimit>> {
    const wallMs = this.#clock.wallMs();
    const now = new Date(wallMs).toISOString();
    const id = sortableId("limit", wallMs);
    const limit = { id, ...draft, createdAt: now, updatedAt: now };
    const written = await this.#store.change(
      author ?? null,
      (change) => {
        const { tables } = change;
        const allowed = this.#allowed(tables, limit);
        if (!allowed.ok) return allowed;
        tables.byOrg.putSync(["limit", limit.orgId, limit.id], true);
        change.note("usage_limit.created", id, limit.orgId, wallMs);
        return accept(this.#mirror.put(limitsIn(tables), id, { v: 1, limit }));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(limit) : written;
  }

  async update(
    id: string,
    change: (limit: UsageLimit) => Outcome<UsageLimitDraft>,
    author?: Author,
  ): Promise<Outcome<UsageLimit>> {
    const written = await this.#store.change(
      author ?? null,
      (changed) => {
        const { tables } = changed;
        const before = tables.usageLimits.get(id)?.limit;
        if (before === undefined) return noSuchLimit;
        const draft = change(before);
        if (!draft.ok) return draft;
        const { createdAt } = before;
        const wallMs = this.#clock.wallMs();
        const updatedAt = new Date(wallMs).toISOString();
        const limit: UsageLimit = { id, ...draft.value, createdAt, updatedAt };
        const plan = paidPlan(tables, before.orgId);
        if (!plan.ok) return plan;
        const allowed = this.#allowed(tables, limit);
        if (!allowed.ok) return allowed;
        tables.byOrg.removeSync(["limit", before.orgId, id]);
        tables.byOrg.putSync(["limit", limit.orgId, id], true);
        changed.note("usage_limit.updated", id, limit.orgId, wallMs);
        return accept({ limit, row: this.#mirror.put(limitsIn(tables), id, { v: 1, limit }) });
      },
      ({ row }) => this.#mirror.apply(row),
    );
    return written.ok ? accept(written.value.limit) : written;
  }

  async remove(id: string, author?: Author): Promise<Outcome<UsageLimit>> {
    const written = await this.#store.change(
      author ?? null,
      (change) => {
        const { tables } = change;
        const limit = tables.usageLimits.get(id)?.limit;
        if (limit === undefined) return noSuchLimit;
        tables.byOrg.removeSync(["limit", limit.orgId, id]);
        change.note("usage_limit.deleted", id, limit.orgId, this.#clock.wallMs());
        return accept({ limit, row: this.#mirror.remove(limitsIn(tables), id) });
      },
      ({ row }) => this.#mirror.apply(row),
    );
    return written.ok ? accept(written.value.limit) : written;
  }

  get(id: string): Outcome<UsageLimit> {
    const found = this.#mirror.get(id);
    return found === undefined ? noSuchLimit : accept(found.limit);
  }

  list({ orgId, limit, cursor }: UsageLimitsQuery): Outcome<Page<UsageLimit>> {
    const { usageLimits } = this.#store.tables;
    const ids =
      orgId === undefined
        ? Array.from(
            usageLimits.getKeys({ start: cursor ?? "", exclusiveStart: true, limit: limit + 1 }),
          )
        : idsOfOrg(this.#store.tables, "limit", orgId, limit + 1, cursor);
    return accept(pageOf(ids, limit, (id) => usageLimits.get(id)?.limit));
  }

  check(): void {
    this.#mirror.check();
  }

  /** In a draft: checks whether the limit is allowed. */
  #allowed(tables: DraftTables, limit: UsageLimit): Outcome<null> {
    const plan = paidPlan(tables, limit.orgId);
    if (!plan.ok) return plan;
    const { apiKeyId } = limit;
    if (apiKeyId !== null && tables.keys.get(apiKeyId)?.key.orgId !== limit.orgId) return noSuchKey;
    if (this.#mirror.size >= usageLimitsMax) {
      return refuse("forbidden", `This gateway holds its ${usageLimitsMax} usage limits.`);
    }
    const others = this.#byCaller.countInScope(limit.orgId, apiKeyId, limit.id);
    if (others < usageLimitsPerScopeMax) return accept(null);
    const scope = apiKeyId === null ? "An organization" : "A key";
    return refuse("forbidden", `${scope} has at most ${usageLimitsPerScopeMax} usage limits.`);
  }
}

const noSuchLimit = refuse("not_found", "There is no such usage limit.");
const noSuchKey = refuse("not_found", "The organization has no such key.", {
  details: { param: "apiKeyId" },
});

function limitsIn({ meta, usageLimits }: DraftTables) {
  return { meta, rows: usageLimits };
}

/** In a draft (spec: Keys API: usage limits require a paid plan). */
function paidPlan({ organizations }: DraftTables, orgId: string): Outcome<null> {
  const organization = organizations.get(orgId)?.organization;
  if (organization === undefined) return noSuchOrganization;
  if (organization.plan === "paid") return accept(null);
  return refuse("forbidden", "Usage limits need a paid plan; this organization has the free one.");
}
