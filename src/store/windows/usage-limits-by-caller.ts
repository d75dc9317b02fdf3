import type { UsageLimit } from "../../contract/usage-limit.ts";

/** The limits of one organization, arranged for look-ups by requests. */
interface OrganizationLimits {
  /** By key (null: the organization's own); each list oldest first, including disabled limits. */
  readonly byScope: Map<string | null, readonly UsageLimit[]>;
  /** For keys without limits of their own. */
  orgWide: readonly UsageLimit[];
  /** For keys that were looked up: the organization's limits, then the key's own. */
  readonly ofKey: Map<string, readonly UsageLimit[]>;
}

const none: readonly UsageLimit[] = Object.freeze([]);

/**
 * Usage limits by the caller that they apply to. The cost of a change depends on the number of limits
 * of one key, or of one organization as a whole. That number is bounded, and limits of other keys do
 * not count.
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

  /** How many other limits the same key has or, with null, the organization as a whole. */
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

  /** Arranges the limits again after one was removed. */
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
