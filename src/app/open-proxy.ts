import type { Logger } from "pino";
import { PriceCatalog } from "../billing/catalog.ts";
import { scanRates } from "../billing/scan-price.ts";
import { readSeedPrices } from "../billing/seed-prices.ts";
import type { Configuration } from "../contract/configuration.ts";
import { bodyBudgetBytes, responseBytesMaxDefault } from "../contract/limits.ts";
import { parseUsd, type MicroUsd } from "../contract/money.ts";
import { openLimits, type Limits, type Windows } from "./open-limits.ts";
import { openWorkers, type Workers } from "./open-workers.ts";
import { callsWhileLeased } from "./while-leased.ts";
import type { ManagedResources } from "./managed-resources.ts";
import type { Accounts } from "../pipeline/routing/accounts.ts";
import type { FindKey } from "../pipeline/caller/authenticate.ts";
import { RequestScans } from "../endpoints/batch/request-scans.ts";
import { ResponseCache } from "../pipeline/cache/response-cache.ts";
import { ControlPlane } from "../endpoints/control-plane.ts";
import type { AccountHealth } from "../contract/account-health.ts";
import { Metrics, type MetricSources } from "../pipeline/record/metrics.ts";
import type { RequestServices } from "../pipeline/context.ts";
import { FlushWaits, type PaymentServices } from "../pipeline/money/payment.ts";
import type { Records } from "../pipeline/record/record.ts";
import { requestRecords } from "../pipeline/record/request-records.ts";
import type { UnownedResponses } from "../pipeline/record/unowned-responses.ts";
import { ResultsUrls } from "../pipeline/upstream/results-url.ts";
import type { ScanServices } from "../endpoints/scan/scan.ts";
import { Admission } from "../proxy/overload/admission.ts";
import { RefusedLoad } from "../proxy/overload/refused-load.ts";
import { ByteBudget } from "../proxy/listener/byte-budget.ts";
import type { ListenerOptions } from "../proxy/listener/server.ts";
import { UpstreamGuard } from "../proxy/upstream/upstream-guard.ts";
import { Upstream } from "../proxy/upstream/upstream.ts";
import { systemClock } from "../runtime/clock.ts";
import type { Contents } from "../store/content/contents.ts";
import type { ProviderState } from "../store/provider-state/provider-state.ts";
import type { Spender } from "../store/ledger/ledger.ts";
import type { ScanPool } from "../workers/pool/pool.ts";

export interface ProxyOptions {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly findKey: FindKey;
  /** As of `callsWhileLeased`. */
  readonly lease: Parameters<typeof callsWhileLeased>[0];
  readonly managed: Pick<ManagedResources, "organizations" | "usageLimits" | "policies">;
  readonly accounts: Accounts;
  readonly ledger: Spender;
  readonly contents: Pick<Contents, "keep">;
  readonly unowned: UnownedResponses;
  readonly windows: Windows;
  readonly providerState: ProviderState;
  /** Called for every request's scan, for batches that run in another thread. */
  readonly scanBegan?: () => void;
  /** When a request's scan last began in another thread, milliseconds since 1970. */
  readonly lastScanElsewhereMs?: () => number;
  /** The metrics of the process as a whole. */
  readonly sources: Omit<
    MetricSources,
    | "scansQueued"
    | "circuits"
    | "bodyBudgetUsedBytes"
    | "cachedAnswers"
    | "cachedBytes"
    | "books"
    | "lowBalance"
  >;
}

/** Everything that takes part in serving model requests and scans. */
export interface Proxy {
  readonly findKey: FindKey;
  readonly limits: Limits;
  readonly accounts: Accounts;
  readonly gateway: RequestServices;
  readonly scan: ScanServices;
  readonly controlPlane: ControlPlane;
  /** undefined if the configuration has none. */
  readonly cache: ResponseCache | null;
  readonly records: Records;
  readonly metrics: Metrics;
  /** How an account does, as this thread sees it; null if there is no such account. */
  accountHealth(name: string): AccountHealth | null;
  readonly pool: ScanPool;
  readonly mask: Workers["mask"];
  readonly requestScans: RequestScans;
  /** For the listener of these services. */
  readonly overload: NonNullable<ListenerOptions["overload"]>;
  /** For all listeners together. */
  readonly budget: ByteBudget;
  /** Ends every call to a provider as if its connection broke. No new calls are made. */
  abortCalls(): Promise<void>;
  /** Must be called once nothing is served any more. */
  close(): Promise<void>;
}

/** Resolves once the scan workers are up. */
export async function openProxy(options: ProxyOptions): Promise<Proxy> {
  const { configuration, logger, findKey, managed, accounts, ledger } = options;
  const requestScans = new RequestScans(
    systemClock,
    () => pool.queued,
    options.lastScanElsewhereMs,
  );
  const workers = await openWorkers(configuration.gateway.scanWorkers, logger, () => {
    requestScans.began();
    options.scanBegan?.();
  });
  const { pool } = workers;
  const guard = new UpstreamGuard(configuration.network);
  const upstream = new Upstream(guard);
  const forward = callsWhileLeased(options.lease, upstream.forward);
  const budget = bodyBudget(configuration.gateway);
  const { bytesMax } = configuration.cache;
  const cache = bytesMax === 0 ? null : new ResponseCache({ bytesMax });
  const metrics = new Metrics({
    ...options.sources,
    scansQueued: () => pool.queued,
    circuits: () => accounts.circuits,
    bodyBudgetUsedBytes: () => budget.usedBytes,
    cachedAnswers: () => cache?.size ?? 0,
    cachedBytes: () => cache?.bytes ?? 0,
    books: () => ledger.counts,
    lowBalance: lowBalanceOf(configuration.billing.lowBalanceUsd),
  });
  const limits = openLimits({
    windows: options.windows,
    configuration,
    managed,
    rejected: (kind) => metrics.limitRejected(kind),
    count: (usage) => ledger.count(usage),
  });
  const { rateLimits } = limits;
  const records = requestRecords({
    logger,
    metrics,
    ledger,
    contents: options.contents,
    unowned: options.unowned,
  });
  const flushWaits = new FlushWaits();
  const payments: PaymentServices = {
    ledger,
    flushWaits,
    findOrganization: (id) => managed.organizations.find(id),
  };
  const prices = new PriceCatalog(readSeedPrices(), configuration.pricing.models);
  return {
    findKey,
    limits,
    accounts,
    gateway: {
      findKey,
      rateLimits,
      usageLimits: limits.usageLimits,
      scan: workers.scan,
      policy: configuration.security.defaultPolicy,
      findPolicy: (key) => managed.policies.policyFor(key),
      applyRules: workers.applyRules,
      searchSteps: workers.searchSteps,
      accounts,
      cache,
      checkUpstream: (url) => guard.check(url),
      resultsUrls: new ResultsUrls(configuration.publicUrl, (why) => {
        logger.warn({ path: "publicUrl", reason: why }, resultsLeadPast);
      }),
      forward,
      keylessPassthrough: configuration.network.keylessPassthrough,
      findPrice: (provider, model, at) => prices.priceOf(provider, model, at),
      payments,
      providerState: options.providerState,
      wallMs: Date.now,
      records,
    },
    scan: {
      findKey,
      rateLimits,
      report: workers.report,
      searchPatterns: workers.searchPatterns,
      records,
      contentBytesMax: configuration.scan.contentBytesMax,
      payments,
      rates: scanRates(configuration.pricing.scan),
    },
    controlPlane: new ControlPlane({
      paths: configuration.controlPlane.paths,
      upstream: configuration.controlPlane,
      findKey,
      limit: (exchange, key) => rateLimits.request(exchange, key),
      forward,
      records,
    }),
    cache,
    records,
    metrics,
    accountHealth: (name) => {
      const circuit = accounts.circuitOf(name);
      return circuit === null ? null : { circuit, ...metrics.accountCounts(name) };
    },
    pool,
    mask: workers.mask,
    requestScans,
    overload: openOverload({ pool, flushWaits, metrics, logger }),
    budget,
    abortCalls: () => upstream.close(),
    close: async () => {
      cache?.close();
      await workers.close();
    },
  };
}

interface OverloadOptions {
  readonly pool: ScanPool;
  readonly flushWaits: FlushWaits;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** How one thread handles more requests than it can serve in time. */
function openOverload(options: OverloadOptions): Proxy["overload"] {
  const { pool, flushWaits, metrics, logger } = options;
  return {
    admission: new Admission({
      scansWaiting: () => pool.backlog,
      inHand: () => pool.open + flushWaits.open,
    }),
    refused: new RefusedLoad({
      // At most one line per second, because a line per request would itself be a load.
      refusing: ({ admitted, by }) => {
        for (const [reason, count] of by) metrics.overloadRefused(reason, count);
        const refused = Object.fromEntries(by);
        logger.warn({ admitted, refused }, "more requests came than could be served in time");
      },
    }),
  };
}

const resultsLeadPast =
  "a message batch's results_url leads clients past the gateway, with their service key";

/**
 * An equal share of the budget, but with room for the longest body and for the longest buffered
 * answer.
 */
function bodyBudget({ proxyThreads, bodyBytesMax }: Configuration["gateway"]): ByteBudget {
  const share = Math.floor(bodyBudgetBytes / proxyThreads);
  return new ByteBudget(Math.max(share, bodyBytesMax, responseBytesMaxDefault));
}

/** The configuration's pattern accepts less than this parser. */
export function lowBalanceOf(usd: string): MicroUsd {
  const amount = parseUsd(usd);
  if (!amount.ok) throw new Error(`billing.lowBalanceUsd: ${amount.refusal.message}`);
  return amount.value;
}
