import { expect, test } from "vitest";
import type { OrganizationKey } from "../../../src/pipeline/caller/authenticate.ts";
import { TrustedProxies } from "../../../src/pipeline/limits/client-address.ts";
import { RateLimits } from "../../../src/pipeline/limits/rate-limits.ts";
import type { RateWindows } from "../../../src/store/windows/rate-windows.ts";
import { SharedRateWindows } from "../../../src/store/windows/shared-rate-windows.ts";
import { atOnce } from "../../support/at-once.ts";
import { ManualClock } from "../../store/manual-clock.ts";

const key: OrganizationKey = {
  id: "key_1",
  orgId: "org_1",
  name: "k",
  label: "sk-gw-0…0",
  role: "member",
  status: "active",
  rateLimit: 100,
  allowedModels: null,
  securityPolicyId: null,
  team: null,
  responseCache: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  lastUsedAt: null,
  expiresAt: null,
};

const unheld = {
  holdBody(): never {
    throw new Error("nothing waits");
  },
};

function limits(scansPerMinute: number): RateLimits {
  const windows = new SharedRateWindows({ slots: 16, clock: new ManualClock() });
  windows.timeline.start();
  return limitsOver(windows, scansPerMinute);
}

function limitsOver(windows: RateWindows, scansPerMinute: number): RateLimits {
  return new RateLimits({
    windows,
    passthroughWindows: windows,
    grants: null,
    findOrganization: () => undefined,
    scansPerMinute,
    tokenCountsPerMinute: 2,
    proxies: new TrustedProxies([]),
    rejected: () => undefined,
  });
}

test("scans that are asked for and scans that start later share one window", () => {
  const rateLimits = limits(10);
  let kept: readonly string[] = [];
  const exchange = {
    ...unheld,
    keepHeaders: (headers: readonly string[]) => void (kept = headers),
  };
  expect(atOnce(rateLimits.scan(exchange, key)).ok).toBe(true);
  expect(kept.slice(0, 4)).toEqual(["X-RateLimit-Limit", "100", "X-RateLimit-Remaining", "99"]);
  expect(atOnce(rateLimits.scanUnits(key.orgId, 8)).ok).toBe(true);
  expect(atOnce(rateLimits.scanUnits("org_2", 10)).ok).toBe(true);
  expect(atOnce(rateLimits.scan(exchange, key, 2)).ok).toBe(false);
  expect(atOnce(rateLimits.scan(exchange, key)).ok).toBe(true);
  const refused = atOnce(rateLimits.scanUnits(key.orgId, 1));
  expect(refused.ok ? null : refused.refusal).toMatchObject({
    code: "rate_limit_exceeded",
    retryAfterSeconds: 61,
    headers: [
      "X-RateLimit-Limit",
      "10",
      "X-RateLimit-Remaining",
      "0",
      "X-RateLimit-Reset",
      expect.stringMatching(/^[0-9]+$/),
    ],
  });
  // The scans that were refused took nothing from the key either.
  expect(atOnce(rateLimits.request(exchange, key)).ok).toBe(true);
  expect(kept.slice(2, 4)).toEqual(["X-RateLimit-Remaining", "97"]);
});

test("what can't be counted just now is refused, for a second, and nobody's limit is blamed", () => {
  const rateLimits = limitsOver({ consume: () => ({ admitted: false, refusedAt: null }) }, 10);
  const refused = atOnce(rateLimits.request({ ...unheld, keepHeaders: () => undefined }, key));
  expect(refused.ok ? null : refused.refusal).toMatchObject({
    code: "detector_unavailable",
    retryAfterSeconds: 1,
  });
  expect(atOnce(rateLimits.scanUnits(key.orgId, 1))).toEqual(refused);
});
