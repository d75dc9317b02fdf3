import type { UsageLimit } from "../contract/usage-limit.ts";

/** The limits of one organization, arranged for the way of a request. */
interface OrganizationLimits {
  readonly all: Map<string, UsageLimit>;
  /** For keys without limits of their own. */
  readonly orgWide: readonly UsageLimit[];
  /** By key: the organization's limits, then the key's own; each oldest first. */
  readonly ofKey: ReadonlyMap<string, readonly UsageLimit[]>;
}

const none: readonly UsageLimit[] = Object.freeze([]);

/** Usage limits by who is checked against them; a change arranges one organization anew. */
export class LimitsByCaller {
  #organizations = new Map<string, OrganizationLimits>();

  /** Enabled ones only. */
  forCaller(orgId: string, apiKeyId: string): readonly UsageLimit[] {
    const limits = this.#organizations.get(orgId);
    return limits === undefined ? none : (limits.ofKey.get(apiKeyId) ?? limits.orgWide);
  }

  /** How many others there are for the same key or, with null, for the organization as a whole. */
  countInScope(orgId: string, apiKeyId: string | null, exceptId: string): number {
    let count = 0;
    for (const limit of this.#organizations.get(orgId)?.all.values() ?? []) {
      if (limit.apiKeyId === apiKeyId && limit.id !== exceptId) count += 1;
    }
    return count;
  }

  changed(limit: UsageLimit | undefined, before: UsageLimit | undefined): void {
    if (before !== undefined) {
      const all = new Map(this.#organizations.get(before.orgId)?.all);
      all.delete(before.id);
      this.#arrange(before.orgId, all);
    }
    if (limit !== undefined) {
      const all = new Map(this.#organizations.get(limit.orgId)?.all);
      this.#arrange(limit.orgId, all.set(limit.id, limit));
    }
  }

  loaded(limits: Iterable<UsageLimit>): void {
    this.#organizations = new Map();
    for (const [orgId, ofOrg] of Map.groupBy(limits, (limit) => limit.orgId)) {
      this.#arrange(orgId, new Map(ofOrg.map((limit) => [limit.id, limit] as const)));
    }
  }

  #arrange(orgId: string, all: Map<string, UsageLimit>): void {
    if (all.size === 0) {
      this.#organizations.delete(orgId);
      return;
    }
    const enabled = [...all.values()]
      .filter((limit) => limit.enabled)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const orgWide = Object.freeze(enabled.filter((limit) => limit.apiKeyId === null));
    const ofKey = new Map<string, readonly UsageLimit[]>();
    for (const [keyId, own] of Map.groupBy(enabled, (limit) => limit.apiKeyId)) {
      if (keyId !== null) ofKey.set(keyId, Object.freeze([...orgWide, ...own]));
    }
    this.#organizations.set(orgId, { all, orgWide, ofKey });
  }
}
