import { atOnce } from "../../support/at-once.ts";
import { expect, test } from "vitest";
import type { UsageLimit } from "../../../src/contract/usage-limit.ts";
import type { OrganizationKey } from "../../../src/pipeline/caller/authenticate.ts";
import { UsageReservation } from "../../../src/pipeline/limits/usage-reservation.ts";
import type { UsageDecision } from "../../../src/store/windows/usage-windows.ts";

const key: OrganizationKey = {
  id: "key_1",
  orgId: "org_1",
  name: "k",
  label: "sk-gw-0…0",
  role: "member",
  status: "active",
  rateLimit: null,
  allowedModels: null,
  securityPolicyId: null,
  team: null,
  responseCache: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  lastUsedAt: null,
  expiresAt: null,
};

const limit: UsageLimit = {
  id: "limit_1",
  orgId: "org_1",
  name: "l",
  limitType: "requests",
  threshold: "5",
  timeWindow: "1 day",
  apiKeyId: null,
  enabled: true,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

test.each([
  ["for good", "full", { code: "internal_error" }],
  ["just now", "busy", { code: "detector_unavailable", retryAfterSeconds: 1 }],
] as const)(
  "what can't be counted %s is refused, and no limit is blamed",
  (_name, because, refusal) => {
    const decision: UsageDecision = { admitted: false, refusedAt: null, because };
    const windows = {
      reserve: () => decision,
      settle: () => null,
      release: () => null,
      used: () => 0n,
    };
    const rejected: string[] = [];
    const hold = new UsageReservation({
      windows,
      grants: null,
      findOrganization: () => undefined,
      limitsFor: () => [limit],
      rejected: (kind) => rejected.push(kind),
      count: () => undefined,
    });
    const reserved = atOnce(hold.reserve(key, { costMicroUsd: 1n, tokens: 1n, requests: 1n }));
    expect(reserved.ok ? null : reserved.refusal).toMatchObject(refusal);
    expect(rejected).toEqual([]);
  },
);
