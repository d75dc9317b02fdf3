import type { Configuration } from "./contract/configuration.ts";
import { passthroughWindowSlots } from "./contract/limits.ts";
import type { ManagedResources } from "./managed-resources.ts";
import { TrustedProxies } from "./pipeline/limit/client-address.ts";
import { RateLimits } from "./pipeline/limit/rate-limits.ts";
import type { LimitRejections } from "./pipeline/limit/rejection.ts";
import { windowOfLimit, windowsOfLimitId } from "./pipeline/limit/usage-caps.ts";
import type { UsageLimitServices } from "./pipeline/limit/usage-hold.ts";
import type { CurrentUsage } from "./pipeline/usage-view.ts";
import { openRateWindows } from "./store/rate-windows.ts";
import type { Store } from "./store/store.ts";
import { openUsageWindows } from "./store/usage-windows.ts";

/** Rate limits, usage limits and budgets with the windows that they count in. */
export interface Limits {
  readonly rateLimits: RateLimits;
  readonly usageLimits: UsageLimitServices;
  readonly currentUsage: CurrentUsage;
  /** Forgets what a deleted usage limit has counted. */
  forgetLimit(id: string): void;
  /** Writes what was counted; to be called before the store is closed. */
  close(): Promise<void>;
}

export interface LimitsOptions {
  readonly store: Store;
  readonly configuration: Pick<Configuration, "network" | "scan">;
  readonly managed: Pick<ManagedResources, "organizations" | "usageLimits">;
  readonly rejected: LimitRejections;
  /** Told of windows that could not be written or, once in a while, that have no room. */
  readonly onFailure: (error: unknown, message: string) => void;
}

/** Reads what was counted before. */
export function openLimits(options: LimitsOptions): Limits {
  const { store, configuration, managed, rejected, onFailure } = options;
  const onFlushFailed = (error: unknown): void =>
    onFailure(error, "what was counted against limits could not be written");
  const windows = openRateWindows(store, store.tables.rateWindows, {
    onFlushFailed,
    onFull: onceAMinute(() => onFailure(null, "more callers are active than can be counted")),
  });
  const passthroughWindows = openRateWindows(store, store.tables.passthroughWindows, {
    onFlushFailed,
    slots: passthroughWindowSlots,
    onFull: onceAMinute(() => onFailure(null, "more addresses are active than can be counted")),
  });
  const usageWindows = openUsageWindows(store, { onFlushFailed });
  const findOrganization = managed.organizations.find.bind(managed.organizations);
  return {
    rateLimits: new RateLimits({
      windows,
      passthroughWindows,
      findOrganization,
      scansPerMinute: configuration.scan.requestsPerMinute,
      proxies: new TrustedProxies(configuration.network.trustedProxies),
      rejected,
    }),
    usageLimits: {
      windows: usageWindows,
      findOrganization,
      limitsFor: (orgId, apiKeyId) => managed.usageLimits.forCaller(orgId, apiKeyId),
      rejected,
    },
    currentUsage: (limit) => usageWindows.used(windowOfLimit(limit)),
    forgetLimit(id) {
      for (const window of windowsOfLimitId(id)) usageWindows.forget(window);
    },
    close: async () => {
      await Promise.all([windows.close(), passthroughWindows.close(), usageWindows.close()]);
    },
  };
}

/** A table that is full is so for every newcomer. */
function onceAMinute(tell: () => void): () => void {
  let toldAtMs = -Infinity;
  return () => {
    const nowMs = performance.now();
    if (nowMs - toldAtMs < 60_000) return;
    toldAtMs = nowMs;
    tell();
  };
}
