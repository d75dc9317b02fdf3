import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { destination, pino, type Logger } from "pino";
import { PriceCatalog } from "./billing/catalog.ts";
import { scanRates } from "./billing/scan-price.ts";
import { readSeedPrices } from "./billing/seed-prices.ts";
import { loadConfiguration } from "./config.ts";
import type { Configuration } from "./contract/configuration.ts";
import type { ProviderAccount } from "./contract/account.ts";
import { bodyBudgetBytes, keysApiBodyBytesMax } from "./contract/limits.ts";
import { parseUsd, type MicroUsd } from "./contract/money.ts";
import type { Version } from "./contract/service-schemas.ts";
import { openBatch } from "./open-batch.ts";
import { batchStatus, submitBatch } from "./pipeline/batch/endpoints.ts";
import { RequestScans } from "./pipeline/batch/request-scans.ts";
import { nothingToSearch } from "./pipeline/batch/submission.ts";
import { Accounts } from "./pipeline/accounts.ts";
import { auditRoutes } from "./pipeline/audit/routes.ts";
import type { FindKey } from "./pipeline/authenticate.ts";
import { ControlPlane, helloAnswer } from "./pipeline/control-plane.ts";
import { listDetectors } from "./pipeline/detector-list.ts";
import { gateway } from "./pipeline/gateway.ts";
import type { GatewayServices } from "./pipeline/passage.ts";
import { answerLimited } from "./pipeline/limit/answer-limited.ts";
import { keysApiRoutes, type KeysApiServices } from "./pipeline/keys-api/routes.ts";
import { me, shownBalance, type MeServices } from "./pipeline/me.ts";
import type { PaymentServices } from "./pipeline/payment.ts";
import { mcpEndpoint, type McpServices } from "./pipeline/mcp/endpoint.ts";
import { Metrics } from "./pipeline/metrics.ts";
import { listModels } from "./pipeline/models.ts";
import { resolvedAccounts, type FileAccounts } from "./pipeline/provider-accounts.ts";
import { answerWith } from "./pipeline/refusal.ts";
import { requestRecords } from "./pipeline/request-records.ts";
import { securityScan, type ScanServices } from "./pipeline/scan.ts";
import {
  aliveAnswer,
  metricsAnswer,
  openApiAnswer,
  readyAnswer,
  versionAnswer,
} from "./pipeline/service-endpoints.ts";
import { ByteBudget } from "./proxy/byte-budget.ts";
import { models } from "./proxy/demo-provider/models.ts";
import { startDemoProvider, type DemoProvider } from "./proxy/demo-provider/server.ts";
import type { Routes } from "./proxy/routes.ts";
import { Listener } from "./proxy/server.ts";
import { UpstreamGuard } from "./proxy/upstream-guard.ts";
import { Upstream } from "./proxy/upstream.ts";
import { systemClock } from "./store/clock.ts";
import { Contents } from "./store/content/contents.ts";
import { openLedger } from "./store/ledger/open-ledger.ts";
import { provisionFirstRun } from "./store/first-run.ts";
import { openKeys } from "./store/keys.ts";
import { openStore } from "./store/store.ts";
import { openManagedResources } from "./managed-resources.ts";
import { openLimits } from "./open-limits.ts";
import { greeting, type Served } from "./greeting.ts";
import { PatternPool } from "./workers/patterns/pattern-pool.ts";
import { PolicyPool } from "./workers/policy/policy-pool.ts";
import { ScanPool } from "./workers/pool.ts";

/** A running gateway, as its starter holds it. */
export interface RunningGateway extends Served {
  /** Lets open exchanges finish, then closes everything. */
  stop(): Promise<void>;
}

/**
 * The composition root: configuration → store → workers → proxy → listen. Resolves when requests
 * are served and `listening.json` is written; throws with a reason a person can act on.
 */
export async function start(
  configuration: Configuration,
  logger: Logger,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningGateway> {
  const settings = configuration.gateway;
  const opened = await openStore({ dataDir: settings.dataDir });
  if (!opened.ok) throw new Error(opened.fault);
  const store = opened.value;
  const provisioned = await provisionFirstRun(store, { operatorKey: settings.operatorKey });
  if (!provisioned.ok) throw new Error(provisioned.refusal.message);
  const firstRun = provisioned.value;
  const keys = openKeys(store, {
    onCheckFailed: (error) => logger.error({ err: error }, "the keys can't be checked"),
  });
  const demo = await startDemo(configuration.providers);
  const fileAccounts: FileAccounts = {
    accounts: withDemoProvider(configuration.providers, demo),
    builtInDemo: configuration.builtInDemo,
  };
  const managed = openManagedResources(
    store,
    () => accounts.replace(resolvedAccounts(fileAccounts, managed.providers.all(), env)),
    (error) => logger.error({ err: error }, "the store can't be checked"),
  );
  const accounts = new Accounts(resolvedAccounts(fileAccounts, managed.providers.all(), env));
  const openedBooks = await openLedger(store, {
    billingUrl: configuration.billing.url,
    holdsMax: configuration.billing.holdsPerOrganizationMax,
    onFailure: (error) => logger.error({ err: error }, "the books could not be written"),
  });
  if (!openedBooks.ok) throw new Error(openedBooks.refusal.message);
  const books = openedBooks.value;
  const { ledger } = books;
  const contents = new Contents({
    dataDir: settings.dataDir,
    retentions: () => managed.organizations.retentions(),
    retentionDays: (id) => managed.organizations.find(id)?.retentionDays ?? null,
    onFailure: (error) => logger.error({ err: error }, "readable content could not be kept"),
  });
  const prices = new PriceCatalog(readSeedPrices(), configuration.pricing.models);
  const payments: PaymentServices = {
    ledger,
    findOrganization: (id) => managed.organizations.find(id),
  };
  const pool = new ScanPool({
    threads: settings.scanWorkers,
    onFailure: (error) => logger.error({ err: error }, "a scan worker failed"),
  });
  const patternPool = new PatternPool();
  const policyPool = new PolicyPool(settings.scanWorkers, (error) =>
    logger.error({ err: error }, "a policy could not be applied"),
  );
  await pool.ready();
  const guard = new UpstreamGuard(configuration.network);
  const upstream = new Upstream(guard);
  const budget = new ByteBudget(Math.max(bodyBudgetBytes, settings.bodyBytesMax));

  const metrics = new Metrics({
    openExchanges: () => publicListener.openExchanges,
    scansQueued: () => pool.queued,
    batchItemsOpen: () => batch.jobs.openItems,
    bodyBudgetUsedBytes: () => budget.usedBytes,
    books: () => ledger.counts,
    lowBalance: lowBalanceOf(configuration.billing.lowBalanceUsd),
    journalPendingBytes: () => books.journal.pendingBytes,
    contentsDropped: () => contents.dropped,
    contentPendingBytes: () => contents.pendingBytes,
  });
  const limits = openLimits({
    store,
    configuration,
    managed,
    rejected: (kind) => metrics.limitRejected(kind),
    onFailure: (error, message) => logger.error({ err: error }, message),
  });
  const { rateLimits, currentUsage } = limits;
  const records = requestRecords({ logger, metrics, ledger, contents });
  const findKey: FindKey = (secret) => keys.findBySecret(secret);
  const requestScans = new RequestScans(systemClock, () => pool.queued);
  const services: GatewayServices = {
    findKey,
    rateLimits,
    usageLimits: limits.usageLimits,
    scan: (job) => {
      requestScans.began();
      return pool.scan(job);
    },
    policy: configuration.security.defaultPolicy,
    findPolicy: (key) => managed.policies.policyFor(key),
    applyRules: (job) => policyPool.body(job),
    searchSteps: (job) => policyPool.steps(job),
    accounts,
    checkUpstream: (url) => guard.check(url),
    forward: upstream.forward,
    keylessPassthrough: configuration.network.keylessPassthrough,
    findPrice: (provider, model, at) => prices.priceOf(provider, model, at),
    payments,
    wallMs: Date.now,
    records,
  };
  const scanServices: ScanServices = {
    findKey,
    rateLimits,
    report: (job) => {
      requestScans.began();
      return pool.report(job);
    },
    searchPatterns: (job, patterns) => patternPool.search(job, patterns),
    records,
    contentBytesMax: configuration.scan.contentBytesMax,
    payments,
    rates: scanRates(configuration.pricing.scan),
  };
  const batch = openBatch({
    store,
    journal: books.journal,
    scan: { ...scanServices, report: (job) => pool.report(job) },
    requestScans,
    scanWorkers: settings.scanWorkers,
    onFailure: (error) => logger.error({ err: error }, "a batch item failed unexpectedly"),
  });
  const meServices: MeServices = {
    findKey,
    shownKey: (id) => keys.get(id),
    findOrganization: (id) => managed.organizations.find(id),
    limitsFor: (orgId, apiKeyId) => managed.usageLimits.forCaller(orgId, apiKeyId),
    currentUsage,
    balance: (orgId) => shownBalance(ledger.balance(orgId)),
  };
  const keysApi: KeysApiServices = {
    ...managed,
    keys,
    ledger,
    findKey,
    records,
    currentUsage,
    fileAccounts,
    env,
    checkPatterns: (patterns) => patternPool.search(nothingToSearch, patterns),
    defaultInjection: configuration.security.defaultPolicy.injection,
    changed: (event, manager, requestId) => {
      const { type, id, orgId } = event;
      if (type === "usage_limit.deleted") limits.forgetLimit(id);
      const by = { request_id: requestId, by_key_id: manager.key.id };
      logger.info({ ...by, event: type, id, org_id: orgId }, "managed");
      const message = "The keys API changed something.";
      ledger.record([{ eventType: type, message, orgId, requestId, data: { id, ...by } }]);
    },
  };
  const version = buildIdentity();
  const mcpServices: McpServices = {
    ...scanServices,
    hosts: {
      loopbackOnly: isLoopback(settings.host),
      allowed: configuration.network.allowedHosts,
    },
    version: version.version,
  };
  const readiness = {
    storeOpen: () => keys.available,
    workersUp: () => pool.isReady,
    draining: () => publicListener.draining,
  };
  const controlPlane = new ControlPlane({
    paths: configuration.controlPlane.paths,
    upstream: configuration.controlPlane,
    findKey,
    limit: (exchange, key) => rateLimits.request(exchange, key),
    forward: upstream.forward,
    records,
  });
  if (configuration.network.keylessPassthrough && !isLoopback(settings.host)) {
    logger.warn(openRelayWarning);
  }
  const limited = (answer: Parameters<typeof answerLimited>[0]) =>
    answerLimited(answer, findKey, rateLimits);
  const publicRoutes: Routes = {
    ownKeys: (exchange) => gateway(exchange, services),
    controlPlane,
    table: {
      "/v1/chat/completions": { POST: (exchange) => gateway(exchange, services) },
      "/v1/messages": { POST: (exchange) => gateway(exchange, services) },
      "/v1/me": { GET: limited((head, find) => me(head, { ...meServices, findKey: find })) },
      "/v1/models": { GET: limited((head, find) => listModels(head, accounts, find)) },
      "/v1/security/scan": { POST: (exchange) => securityScan(exchange, scanServices) },
      "/v1/security/scan/batch": { POST: (exchange) => submitBatch(exchange, batch.services) },
      "/v1/security/scan/batch/:id": {
        GET: (exchange, { id }) => batchStatus(exchange, id ?? "", batch.services),
      },
      "/v1/security/mcp": { POST: (exchange) => mcpEndpoint(exchange, mcpServices) },
      "/v1/security/detectors": { GET: limited(listDetectors) },
      ...auditRoutes({
        auditLog: books.auditLog,
        contents,
        recordEvent: (event) => ledger.record([event]),
        findKey,
        rateLimits,
        findOrganization: (id) => managed.organizations.find(id),
        records,
      }),
      "/api/hello": { GET: (exchange) => exchange.respond(helloAnswer()) },
      "/openapi.json": { GET: (exchange) => exchange.respond(openApiAnswer()) },
      "/version": { GET: (exchange) => exchange.respond(versionAnswer(version)) },
      "/healthz": { GET: (exchange) => exchange.respond(aliveAnswer()) },
      "/readyz": { GET: (exchange) => exchange.respond(readyAnswer(readiness)) },
    },
  };
  const metricsKey = isLoopback(settings.host) ? null : findKey;
  const keysRoutes: Routes = {
    ownKeys: null,
    table: {
      ...keysApiRoutes(keysApi),
      "/metrics": { GET: answerWith((head) => metricsAnswer(head, metrics, metricsKey)) },
    },
  };
  const failed = (error: unknown, requestId: string): void => {
    logger.error({ err: error, request_id: requestId }, "a request failed unexpectedly");
  };
  const shared = { host: settings.host, budget, failed };
  const publicListener = new Listener({
    ...shared,
    port: settings.port,
    routes: publicRoutes,
    bodyBytesMax: settings.bodyBytesMax,
  });
  const keysListener = new Listener({
    ...shared,
    port: settings.keysPort,
    routes: keysRoutes,
    bodyBytesMax: keysApiBodyBytesMax,
  });
  const addresses = {
    gateway: address(settings.host, await publicListener.listen()),
    keys: address(settings.host, await keysListener.listen()),
  };
  announce(settings.dataDir, addresses);
  return {
    ...addresses,
    firstRun,
    firstModel: accounts.list()[0]?.id ?? null,
    stop: async () => {
      await Promise.all([
        publicListener.drain(settings.drainMs),
        keysListener.drain(settings.drainMs),
      ]);
      await batch.runner.stop();
      await Promise.all([
        upstream.close(),
        pool.close(),
        patternPool.close(),
        policyPool.close(),
        demo?.close(),
      ]);
      managed.close();
      await limits.close();
      await books.close();
      await contents.close();
      keys.close();
      await keys.writeUses();
      await store.close();
    },
  };
}

const openRelayWarning =
  "an open relay: this gateway listens beyond loopback, and forwards requests without a service key to any public address; network.keylessPassthrough: false turns that off";

/** Whole or not at all: whoever waits for the file reads it as soon as it is there. */
function announce(dataDir: string, addresses: object): void {
  const file = join(dataDir, "listening.json");
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...addresses, pid: process.pid })}\n`);
  renameSync(`${file}.new`, file);
}

async function startDemo(accounts: readonly ProviderAccount[]): Promise<DemoProvider | null> {
  return accounts.some(({ type }) => type === "demo") ? startDemoProvider() : null;
}

/** The demo accounts with the address that their provider got, and all of its models. */
function withDemoProvider(
  accounts: readonly ProviderAccount[],
  demo: DemoProvider | null,
): readonly ProviderAccount[] {
  if (demo === null) return accounts;
  return accounts.map((account) => {
    if (account.type !== "demo") return account;
    const listed = new Set(account.models.map(({ id }) => id));
    const others = [...models.keys()].filter((id) => !listed.has(id));
    return {
      ...account,
      origin: demo.origin,
      models: [...account.models, ...others.map((id) => ({ id, alias: null }))],
    };
  });
}

/** The configuration's own pattern is narrower than what is read here. */
function lowBalanceOf(usd: string): MicroUsd {
  const amount = parseUsd(usd);
  if (!amount.ok) throw new Error(`billing.lowBalanceUsd: ${amount.refusal.message}`);
  return amount.value;
}

/** `build.json` stands beside the built code; run from source there is none. */
function buildIdentity(): Version {
  const read = (file: string): Partial<Version> => {
    try {
      // The files are the build's own.
      return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as Version;
    } catch {
      return {};
    }
  };
  const { version = "0.0.0" } = read("../package.json");
  const { commit = null, built_at = null } = read("./build.json");
  return { version, commit, built_at };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** An address that a client on this machine can use. */
function address(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

async function main(): Promise<void> {
  const loaded = loadConfiguration(process.env, process.cwd());
  if (!loaded.ok) {
    for (const { path, expected } of loaded.faults) console.error(`${path}: ${expected}`);
    process.exit(1);
  }
  const configuration = loaded.value;
  const output = destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 250 });
  const logger = pino({ level: configuration.gateway.logLevel, base: null }, output);
  const running = await start(configuration, logger);
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, "draining");
    void running.stop().then(() => {
      output.flushSync();
      process.exit(0);
    });
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // Last, for who reads it may send a signal at once.
  console.log(greeting(running));
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? `weir: ${error.message}` : error);
    process.exit(1);
  });
}
