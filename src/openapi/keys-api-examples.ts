import type { CreateKey, Key } from "../contract/keys-api/api-key.ts";
import type { Me } from "../contract/keys-api/me.ts";
import type { CreateOrg, Org } from "../contract/keys-api/organization.ts";
import type { CreatePolicy, Policy } from "../contract/keys-api/policy.ts";
import type { ProviderHealth } from "../contract/keys-api/provider-health.ts";
import type { Provider } from "../contract/keys-api/provider.ts";
import type { Team } from "../contract/keys-api/team.ts";
import type { CreateUsageLimit, UsageView } from "../contract/keys-api/usage-limit.ts";
import type { ProviderEntry } from "../contract/configuration-provider.ts";
import type { UsageLimit } from "../contract/usage-limit.ts";

const hex = "019b76da0000a1b2c3d4e5f60718293a";
const orgId = `org_${hex}`;
const keyId = `key_${hex}`;
const createdAt = "2026-01-01T00:00:00.000Z";
const changed = { createdAt, updatedAt: createdAt };

export const secret = `sk-gw-${"0e6".repeat(16)}`;
export const expiry = "2026-01-02T00:00:00.000Z";

export const newKey: CreateKey = {
  name: "search-backend",
  orgId,
  rateLimit: 600,
  allowedModels: ["openai/gpt-5.1"],
  team: { name: "search", budget: { usd: "25.00", window: "day" } },
};

export const key: Key = {
  id: keyId,
  orgId,
  name: "search-backend",
  label: "sk-gw-0e6…60e6",
  role: "member",
  status: "active",
  rateLimit: 600,
  allowedModels: ["openai/gpt-5.1"],
  securityPolicyId: null,
  team: { name: "search", budget: { usd: "25.00", window: "day" } },
  responseCache: null,
  ...changed,
  lastUsedAt: null,
  expiresAt: null,
};

export const team: Team = {
  orgId,
  name: "search",
  keys: 3,
  revokedKeys: 1,
  budgets: [{ usd: "25.00", window: "day", usedUsd: "12.345678", exceeded: false }],
};

export const newOrg: CreateOrg = { name: "acme", plan: "paid", rateLimit: 6000 };

export const org: Org = {
  id: orgId,
  name: "acme",
  plan: "paid",
  rateLimit: 6000,
  budget: null,
  retentionDays: null,
  payg: "enabled",
  securityPolicyId: null,
  ...changed,
};

export const newLimit: CreateUsageLimit = {
  orgId,
  name: "a day's cost",
  limitType: "cost",
  threshold: "50.00",
  timeWindow: "1 day",
};

export const limit: UsageLimit = {
  id: `limit_${hex}`,
  orgId,
  name: "a day's cost",
  limitType: "cost",
  threshold: "50.00",
  timeWindow: "1 day",
  apiKeyId: null,
  enabled: true,
  ...changed,
};

export const usage: UsageView = {
  limitId: limit.id,
  limitType: "cost",
  threshold: "50.00",
  currentUsage: "12.345678",
  timeWindow: "1 day",
  exceeded: false,
};

export const newProvider: ProviderEntry = {
  name: "openai",
  type: "openai",
  baseUrl: "https://api.openai.com",
  apiKey: { env: "OPENAI_API_KEY" },
  models: ["gpt-5.1", { id: "gpt-5-mini", alias: "small", priority: 0, weight: 1 }],
};

export const provider: Provider = {
  name: "openai",
  provider: "openai",
  type: "openai",
  baseUrl: "https://api.openai.com",
  wires: ["chat"],
  apiKey: { env: "OPENAI_API_KEY" },
  credential: "set",
  models: [
    { id: "gpt-5.1", alias: null, priority: 0, weight: 1 },
    { id: "gpt-5-mini", alias: "small", priority: 0, weight: 1 },
  ],
  apiPath: "/v1",
  query: {},
  credentialHeader: null,
  orgId: null,
  timeoutsMs: { connect: 5000, headers: 120_000, idle: 300_000 },
  responseBytesMax: 67_108_864,
  source: "api",
  ...changed,
};

export const providerHealth: ProviderHealth = {
  name: "openai",
  circuit: "open",
  threads: 2,
  threadsOpen: 1,
  retryAfterSeconds: 7,
  recent: { seconds: 30, calls: 24, failures: 13 },
  calls: { answered: 8123, rate_limited: 12, refused: 3, failed: 14, unsent: 2, abandoned: 5 },
  lastError: {
    outcome: "failed",
    status: 503,
    code: null,
    at: "2026-01-17T09:30:00.000Z",
  },
};

export const newPolicy: CreatePolicy = {
  orgId,
  name: "strict",
  injection: { action: "block", sensitivity: "strict" },
  entities: [{ category: "credential", action: "redact", direction: "both" }],
  customPatterns: [{ name: "invoice", regex: "INV-[0-9]{5}", direction: "input", action: "flag" }],
};

export const policy: Policy = {
  id: `policy_${hex}`,
  orgId,
  name: "strict",
  version: 1,
  injection: { action: "block", sensitivity: "strict" },
  entities: [{ category: "credential", action: "redact", direction: "both" }],
  customPatterns: [
    {
      name: "invoice",
      regex: "INV-[0-9]{5}",
      direction: "input",
      action: "flag",
      redactionToken: "[REDACTED]",
    },
  ],
  dryRun: false,
  ...changed,
  source: "api",
};

export const me: Me = {
  organization: {
    id: orgId,
    name: "acme",
    plan: "paid",
    rateLimit: 6000,
    budget: null,
    payg: "enabled",
  },
  key,
  limits: [{ ...usage, name: limit.name, apiKeyId: null }],
  balance: { balanceUsd: "10.000000", availableUsd: "9.950000" },
};
