import type { Configuration } from "../contract/configuration.ts";
import { passthroughWindowSlots } from "../contract/limits.ts";
import type { ManagedResources } from "./managed-resources.ts";
import { TrustedProxies } from "../pipeline/limits/client-address.ts";
import { RateLimits } from "../pipeline/limits/rate-limits.ts";
import type { LimitRejections } from "../pipeline/record/limit-kind.ts";
import { windowOfBudget, windowOfLimit } from "../pipeline/limits/usage-caps.ts";
import type { UsageLimitServices } from "../pipeline/limits/usage-reservation.ts";
import type { CurrentSpending, CurrentUsage } from "../pipeline/limits/usage-view.ts";
import type { Journal } from "../store/journal/journal.ts";
import type { LmdbJournalTables } from "../store/embedded/journal/journal-tables.ts";
import { journaledWindows } from "../store/journal/journaled-windows.ts";
import { openRateWindows, openUsageWindows } from "../store/windows/open-windows.ts";
import { EscrowedUsageWindows } from "../store/windows/escrowed-usage-windows.ts";
import type { LimitGrants } from "../store/windows/limit-grants.ts";
import type { RateWindows } from "../store/windows/rate-windows.ts";
import { SharedRateWindows } from "../store/windows/shared-rate-windows.ts";
import { SharedUsageWindows } from "../store/windows/shared-usage-windows.ts";
import type { UsageCap, UsageWindows } from "../store/windows/usage-windows.ts";
import type { WindowBuffers } from "../threads/messages.ts";

/** The windows in which requests are counted. */
export interface Windows {
  readonly rates: RateWindows;
  /** For callers without a key. */
  readonly passthrough: RateWindows;
  readonly usage: UsageWindows;
  /** Asks for more of limits that several gateways share; null: they are this gateway's own. */
  readonly grants: LimitGrants | null;
  /** The amount in a cap's window now, without amounts in flight. */
  used(cap: Pick<UsageCap, "id" | "window">): Promise<bigint>;
}

/** Windows that outlive the process. They are opened once. */
export interface OpenWindows extends Windows {
  /** For `sharedWindows`. */
  readonly buffers: WindowBuffers;
  /** Deletes the counts of caps, also those in flight. */
  forget(caps: readonly Pick<UsageCap, "id">[]): void;
  /** Writes the counts. Must be called before the journal is closed. */
  close(): Promise<void>;
}

/** Called if windows could not be written and, at a limited rate, if they have no room. */
export type WindowsFailed = (error: unknown, message: string) => void;

/** Reads the counts that were written before. */
export function openWindows(
  tables: LmdbJournalTables,
  journal: Journal,
  failed: WindowsFailed,
): OpenWindows {
  const onFlushFailed = (error: unknown): void =>
    failed(error, "the counts of limits could not be written");
  const rates = openRateWindows(tables.rateWindows, journaledWindows(journal, "rateWindows"), {
    onFlushFailed,
    onFull: onceAMinute(() => failed(null, tooManyCallers)),
  });
  const writePassthrough = journaledWindows(journal, "passthroughWindows");
  const passthrough = openRateWindows(tables.passthroughWindows, writePassthrough, {
    onFlushFailed,
    slots: passthroughWindowSlots,
    onFull: onceAMinute(() => failed(null, tooManyAddresses)),
  });
  const usage = openUsageWindows(tables, journal);
  return {
    rates,
    passthrough,
    usage,
    grants: null,
    used: (cap) => Promise.resolve(usage.used(cap)),
    buffers: { rates: rates.buffer, passthrough: passthrough.buffer, usage: usage.buffer },
    forget: (caps) => caps.forEach((cap) => usage.forget(cap)),
    close: async () => {
      usage.close();
      await Promise.all([rates.close(), passthrough.close()]);
    },
  };
}

/** The windows that another thread has opened. `grants` as in `Windows`. */
export function sharedWindows(
  buffers: WindowBuffers,
  grants: LimitGrants | null,
  failed: WindowsFailed,
): Windows {
  const sharesLimits = grants !== null;
  const usage = sharesLimits
    ? new EscrowedUsageWindows({ buffer: buffers.usage })
    : new SharedUsageWindows({ buffer: buffers.usage });
  return {
    rates: new SharedRateWindows({
      ...{ buffer: buffers.rates, sharesLimits },
      onFull: onceAMinute(() => failed(null, tooManyCallers)),
    }),
    passthrough: new SharedRateWindows({
      ...{ buffer: buffers.passthrough, sharesLimits, slots: passthroughWindowSlots },
      onFull: onceAMinute(() => failed(null, tooManyAddresses)),
    }),
    usage,
    grants,
    used: (cap) => Promise.resolve(usage.used(cap)),
  };
}

export const tooManyCallers = "more callers are active than can be counted";
export const tooManyAddresses = "more addresses are active than can be counted";

/** Rate limits, usage limits and budgets, as requests use them. */
export interface Limits {
  readonly rateLimits: RateLimits;
  readonly usageLimits: UsageLimitServices;
  readonly currentUsage: CurrentUsage;
  readonly currentSpending: CurrentSpending;
}

export interface LimitsOptions {
  readonly windows: Windows;
  readonly configuration: Pick<Configuration, "network" | "scan" | "tokenCounts">;
  readonly managed: Pick<ManagedResources, "organizations" | "usageLimits">;
  readonly rejected: LimitRejections;
  /** Writes the counts of usage limits. */
  readonly count: UsageLimitServices["count"];
}

export function openLimits(options: LimitsOptions): Limits {
  const { windows, configuration, managed, rejected, count } = options;
  const findOrganization = managed.organizations.find.bind(managed.organizations);
  return {
    rateLimits: new RateLimits({
      windows: windows.rates,
      grants: windows.grants,
      passthroughWindows: windows.passthrough,
      findOrganization,
      scansPerMinute: configuration.scan.requestsPerMinute,
      tokenCountsPerMinute: configuration.tokenCounts.requestsPerMinute,
      proxies: new TrustedProxies(configuration.network.trustedProxies),
      rejected,
    }),
    usageLimits: {
      windows: windows.usage,
      grants: windows.grants,
      findOrganization,
      limitsFor: (orgId, apiKeyId) => managed.usageLimits.forCaller(orgId, apiKeyId),
      rejected,
      count,
    },
    currentUsage: (limit) => windows.used(windowOfLimit(limit)),
    currentSpending: (orgId, team, budget) => windows.used(windowOfBudget(orgId, team, budget)),
  };
}

/** A full table refuses every new caller, so it is reported only once a minute. */
export function onceAMinute(tell: () => void): () => void {
  let toldAtMs = -Infinity;
  return () => {
    const nowMs = performance.now();
    if (nowMs - toldAtMs < 60_000) return;
    toldAtMs = nowMs;
    tell();
  };
}
