import { expect, it, onTestFinished, vi } from "vitest";
import { usageLimitsPerScopeMax } from "../../../src/contract/limits.ts";
import { accept } from "../../../src/contract/outcome.ts";
import { keyRecord, newSecret, putKey } from "../../../src/store/embedded/keys/key-record.ts";
import { openKeys } from "../../../src/store/embedded/keys/keys.ts";
import { openOrganizations } from "../../../src/store/embedded/organizations.ts";
import { openPolicies, type PolicyDraft } from "../../../src/store/embedded/policies.ts";
import { openProviders } from "../../../src/store/embedded/providers.ts";
import type { Store } from "../../../src/store/embedded/store.ts";
import { openUsageLimits, type UsageLimitDraft } from "../../../src/store/embedded/usage-limits.ts";
import { codeOf, onCheckFailed, temporaryStore, valueOf } from "../temporary-store.ts";

async function organization(store: Store, name: string, plan: "free" | "paid" = "paid") {
  const { id: orgId } = valueOf(await openOrganizations(store).create({ name, plan }));
  const record = keyRecord({ orgId, role: "member", name: "k" }, newSecret(), null, Date.now());
  await store.write(() => accept(putKey(store.tables, record)));
  return { orgId, keyId: record.key.id };
}

function limit(orgId: string, more: Partial<UsageLimitDraft> = {}): UsageLimitDraft {
  return {
    orgId,
    name: "l",
    limitType: "requests",
    threshold: "10",
    timeWindow: "1 hour",
    apiKeyId: null,
    enabled: true,
    ...more,
  };
}

const noKeys = { keyUnderPolicy: () => undefined };

function policy(orgId: string, name: string): PolicyDraft {
  const injection = { action: "flag", sensitivity: "strict" } as const;
  return { orgId, name, injection, entities: [], customPatterns: [], dryRun: false };
}

it("organizations: one more name, seen at once by the one that wrote it", async () => {
  const store = await temporaryStore();
  const organizations = openOrganizations(store);
  const other = openOrganizations(store);
  const creating = organizations.create({ name: "acme", plan: "free" });
  const { id } = valueOf(await creating);
  expect(organizations.find(id)).toMatchObject({ name: "acme", plan: "free" });
  // Another one finds it with its next check but one, and each change since.
  expect(other.find(id)).toBeUndefined();
  other.check();
  expect(other.find(id)).toBeUndefined();
  other.check();
  expect(other.find(id)).toEqual(organizations.find(id));
  valueOf(await organizations.update(id, { rateLimit: 5 }));
  other.check();
  other.check();
  expect(other.find(id)?.rateLimit).toBe(5);
  expect(codeOf(await other.create({ name: "acme", plan: "paid" }))).toBe("duplicate_entry");
  expect(organizations.find("org_none")).toBeUndefined();
});

it("organizations: what others wrote in between is not missed, what is known is not loaded", async () => {
  const store = await temporaryStore();
  const organizations = openOrganizations(store);
  const other = openOrganizations(store);
  const theirs = valueOf(await other.create({ name: "theirs", plan: "paid" }));
  const own = valueOf(await organizations.create({ name: "own", plan: "paid" }));
  organizations.check();
  organizations.check();
  expect(organizations.find(theirs.id)).toEqual(theirs);
  const { id } = valueOf(await organizations.create({ name: "third", plan: "paid" }));
  const known = organizations.find(id);
  organizations.check();
  expect(organizations.find(id)).toBe(known);
  expect(organizations.find(own.id)).toEqual(own);
});

it("organizations: of two with one name that are made at once one is", async () => {
  const organizations = openOrganizations(await temporaryStore());
  const draft = { name: "acme", plan: "paid" } as const;
  const codes = await Promise.all([organizations.create(draft), organizations.create(draft)]);
  expect(codes.map(codeOf)).toEqual(["accepted", "duplicate_entry"]);
});

it("usage limits: a caller's are the organization's and its own, enabled, in one array", async () => {
  const store = await temporaryStore();
  const mine = await organization(store, "mine");
  const theirs = await organization(store, "theirs");
  const limits = openUsageLimits(store);
  expect(limits.forCaller(mine.orgId, mine.keyId)).toEqual([]);
  const own = valueOf(await limits.create(limit(mine.orgId, { apiKeyId: mine.keyId })));
  const wide = valueOf(await limits.create(limit(mine.orgId)));
  valueOf(await limits.create(limit(theirs.orgId)));
  const off = valueOf(await limits.create(limit(mine.orgId, { enabled: false })));

  const found = limits.forCaller(mine.orgId, mine.keyId);
  expect(found).toEqual([wide, own]);
  expect(Object.isFrozen(found)).toBe(true);
  expect(limits.forCaller(mine.orgId, mine.keyId)).toBe(found);
  expect(limits.forCaller(mine.orgId, "key_other")).toEqual([wide]);

  // Another organization's change leaves the array as it is, an own one does not.
  valueOf(await limits.create(limit(theirs.orgId, { apiKeyId: theirs.keyId })));
  expect(limits.forCaller(mine.orgId, mine.keyId)).toBe(found);
  const on = valueOf(await limits.update(off.id, (one) => accept({ ...one, enabled: true })));
  expect(limits.forCaller(mine.orgId, mine.keyId)).toEqual([wide, on, own]);
  const moved = { orgId: theirs.orgId, apiKeyId: null };
  valueOf(await limits.update(own.id, (one) => accept({ ...one, ...moved })));
  expect(limits.forCaller(mine.orgId, mine.keyId)).toEqual([wide, on]);
  expect(limits.forCaller(theirs.orgId, "key_other")).toHaveLength(2);
  for (const { id } of [wide, on]) valueOf(await limits.remove(id));
  expect(limits.forCaller(mine.orgId, mine.keyId)).toEqual([]);

  const again = openUsageLimits(store);
  for (const keyId of [theirs.keyId, "key_other"]) {
    expect(again.forCaller(theirs.orgId, keyId)).toEqual(limits.forCaller(theirs.orgId, keyId));
  }
});

it("usage limits: none on a free plan, none without an organization or for a stranger's key", async () => {
  const store = await temporaryStore();
  const free = await organization(store, "free", "free");
  const paid = await organization(store, "paid");
  const limits = openUsageLimits(store);
  expect(codeOf(await limits.create(limit(free.orgId)))).toBe("forbidden");
  expect(codeOf(await limits.create(limit("org_none")))).toBe("not_found");
  const stranger = limit(paid.orgId, { apiKeyId: free.keyId });
  expect(codeOf(await limits.create(stranger))).toBe("not_found");
  const { id } = valueOf(await limits.create(limit(paid.orgId)));
  const intoFree = await limits.update(id, (one) => accept({ ...one, orgId: free.orgId }));
  expect(codeOf(intoFree)).toBe("forbidden");
  expect(valueOf(await limits.get(id)).orgId).toBe(paid.orgId);
  expect(store.tables.usageLimits.getCount()).toBe(1);
});

it("usage limits: one scope holds so many, a change does not count as one more", async () => {
  const store = await temporaryStore();
  const { orgId, keyId } = await organization(store, "full");
  const limits = openUsageLimits(store);
  const made = await Promise.all(
    Array.from({ length: usageLimitsPerScopeMax }, async () => limits.create(limit(orgId))),
  );
  expect(codeOf(await limits.create(limit(orgId)))).toBe("forbidden");
  expect(codeOf(await limits.create(limit(orgId, { apiKeyId: keyId })))).toBe("accepted");
  const { id } = valueOf(made[0] ?? (await limits.get("none")));
  expect(codeOf(await limits.update(id, (one) => accept({ ...one, name: "x" })))).toBe("accepted");
});

it("policies: a key's own goes before its organization's, and that before the default", async () => {
  const store = await temporaryStore();
  const { orgId } = await organization(store, "acme");
  const organizations = openOrganizations(store);
  const policies = openPolicies(store, organizations, noKeys);
  const [own, wide] = await Promise.all(
    ["own", "wide"].map(async (name) => valueOf(await policies.create(policy(orgId, name)))),
  );
  const plain = { orgId, securityPolicyId: null };
  const restricted = { orgId, securityPolicyId: own?.id ?? "" };
  expect(policies.policyFor(plain)).toBeUndefined();
  expect(policies.policyFor(restricted)).toEqual(own);
  valueOf(await organizations.update(orgId, { securityPolicyId: wide?.id ?? "" }));
  expect(policies.policyFor(plain)).toEqual(wide);
  expect(policies.policyFor(restricted)).toEqual(own);
  expect(policies.policyFor({ orgId: null, securityPolicyId: null })).toBeUndefined();
  valueOf(await policies.update(wide?.id ?? "", () => ({ dryRun: true })));
  expect(policies.policyFor(plain)).toMatchObject({ version: 2, dryRun: true });
});

it("policies: one that an active key names stays, and no other key is read to know it", async () => {
  const store = await temporaryStore();
  const { orgId } = await organization(store, "acme");
  const keys = openKeys(store, { onCheckFailed });
  onTestFinished(() => keys.close());
  const policies = openPolicies(store, openOrganizations(store), keys);
  const { id } = valueOf(await policies.create(policy(orgId, "p")));
  const other = valueOf(await policies.create(policy(orgId, "other")));
  const draft = { orgId, role: "member", name: "k", securityPolicyId: id } as const;
  const { key } = valueOf(await keys.create({ draft, expiresAt: null }));
  const reads = vi.spyOn(store.tables.keys, "get");
  expect(codeOf(await policies.remove(id))).toBe("forbidden");
  expect(reads).not.toHaveBeenCalled();
  valueOf(await keys.update(key.id, { securityPolicyId: other.id }));
  expect(codeOf(await policies.remove(id))).toBe("accepted");
  expect(codeOf(await policies.remove(other.id))).toBe("forbidden");
  valueOf(await keys.revoke(key.id));
  expect(codeOf(await policies.remove(other.id))).toBe("accepted");
});

it("policies: every one of many changes at once makes a version", async () => {
  const store = await temporaryStore();
  const { orgId } = await organization(store, "acme");
  const policies = openPolicies(store, openOrganizations(store), noKeys);
  const { id } = valueOf(await policies.create(policy(orgId, "p")));
  const changes = Array.from({ length: 8 }, () =>
    policies.update(id, ({ version }) => ({ name: `p${version}` })),
  );
  for (const change of changes) valueOf(await change);
  expect(valueOf(await policies.get(id))).toMatchObject({ version: 9, name: "p8" });
});

it("provider accounts: whoever serves hears of each change before the next request", async () => {
  const store = await temporaryStore();
  const heard: string[][] = [];
  const providers = openProviders(store, () => {
    heard.push(providers.all().map(({ entry }) => entry.name));
  });
  const entry = { name: "b", type: "openai", baseUrl: "http://h", models: ["m"] } as const;
  valueOf(await providers.create({ ...entry, models: ["m"] }));
  valueOf(await providers.create({ ...entry, models: ["m"], name: "a" }));
  expect(codeOf(await providers.create({ ...entry, models: ["m"] }))).toBe("duplicate_entry");
  valueOf(await providers.update("b", (before) => accept({ ...before, models: ["n"] })));
  valueOf(await providers.remove("a"));
  expect(heard).toEqual([["b"], ["a", "b"], ["a", "b"], ["b"]]);
  expect(openProviders(store).all()).toEqual(providers.all());
  expect(codeOf(await providers.remove("a"))).toBe("not_found");
});
