import type { UsageLimit } from "../../contract/usage-limit.ts";

/** The limits of one organization, arranged for the way of a request. */
interface OrganizationLimits {
  /** By key, null: the organization's own; each oldest first, disabled ones too. */
  readonly byScope: Map<string | null, readonly UsageLimit[]>;
  /** For keys without limits of their own. */
  orgWide: readonly UsageLimit[];
  /** Of keys that were asked for: the organization's limits, then the key's own. */
  readonly ofKey: Map<string, readonly UsageLimit[]>;
}

const none: readonly UsageLimit[] = Object.freeze([]);

/**
 * Usage limits by who is checked against them. A change costs what one key or one organization as a whole
 * has of them, which is bounded, however many other keys of the organization have their own.
 */
export class LimitsByCaller {
  #organizations = new Map<string, OrganizationLimits>();

  /** Enabled ones only. */
  forCaller(orgId: string, apiKeyId: string): readonly UsageLimit[] {
    const limits = this.#organizations.get(orgId);
    if (limits === undefined) return none;
    const known = limits.ofKey.get(apiKeyId);
    if (known !== undefined) return known;
    const own = enabledOf(limits, apiKeyId);
    if (own.length === 0) return limits.orgWide;
    const all = Object.freeze([...limits.orgWide, ...own]);
    limits.ofKey.set(apiKeyId, all);
    return all;
  }

  /** How many others there are for the same key or, with null, for the organization as a whole. */
  countInScope(orgId: string, apiKeyId: string | null, exceptId: string): number {
    const inScope = this.#organizations.get(orgId)?.byScope.get(apiKeyId) ?? none;
    return inScope.filter(({ id }) => id !== exceptId).length;
  }

  changed(limit: UsageLimit | undefined, before: UsageLimit | undefined): void {
    if (before !== undefined) this.#place(before, (others) => others);
    if (limit !== undefined) this.#place(limit, (others) => [...others, limit].sort(byAge));
  }

  loaded(limits: Iterable<UsageLimit>): void {
    this.#organizations = new Map();
    for (const [orgId, ofOrg] of Map.groupBy(limits, (limit) => limit.orgId)) {
      const byScope = Map.groupBy(ofOrg.sort(byAge), ({ apiKeyId }) => apiKeyId);
      const arranged: OrganizationLimits = { byScope, orgWide: none, ofKey: new Map() };
      arranged.orgWide = enabledOf(arranged, null);
      this.#organizations.set(orgId, arranged);
    }
  }

  /** Arranges anew what stands beside a limit, which is taken out before. */
  #place(
    { id, orgId, apiKeyId }: UsageLimit,
    arrange: (others: readonly UsageLimit[]) => readonly UsageLimit[],
  ): void {
    const limits = this.#organizations.get(orgId) ?? {
      byScope: new Map<string | null, readonly UsageLimit[]>(),
      orgWide: none,
      ofKey: new Map<string, readonly UsageLimit[]>(),
    };
    const { byScope, ofKey } = limits;
    const inScope = arrange((byScope.get(apiKeyId) ?? none).filter((other) => other.id !== id));
    if (inScope.length > 0) byScope.set(apiKeyId, inScope);
    else byScope.delete(apiKeyId);
    if (apiKeyId !== null) ofKey.delete(apiKeyId);
    else {
      limits.orgWide = enabledOf(limits, null);
      ofKey.clear();
    }
    if (byScope.size > 0) this.#organizations.set(orgId, limits);
    else this.#organizations.delete(orgId);
  }
}

function enabledOf(
  { byScope }: OrganizationLimits,
  apiKeyId: string | null,
): readonly UsageLimit[] {
  return Object.freeze((byScope.get(apiKeyId) ?? none).filter(({ enabled }) => enabled));
}

function byAge(one: UsageLimit, other: UsageLimit): number {
  return one.id < other.id ? -1 : 1;
}
