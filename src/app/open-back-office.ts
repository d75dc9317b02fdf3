import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { MetricObject } from "prom-client";
import { entryResolver } from "../config/accounts.ts";
import { scanRates } from "../billing/scan-price.ts";
import { dashboardHosts, servedHosts } from "./addresses.ts";
import type { Configuration } from "../contract/configuration.ts";
import { whileLeased } from "./while-leased.ts";
import { openBatch } from "./open-batch.ts";
import { lowBalanceOf, type Proxy } from "./open-proxy.ts";
import type { State } from "./open-state.ts";
import { auditRoutes } from "../endpoints/audit/routes.ts";
import { batchStatus, submitBatch } from "../endpoints/batch/endpoints.ts";
import { nothingToSearch } from "../endpoints/batch/submission.ts";
import { keysApiRoutes, type KeysApiServices } from "../endpoints/keys-api/routes.ts";
import { answerLimited } from "../endpoints/answer-limited.ts";
import { windowsOfLimitId } from "../pipeline/limits/usage-caps.ts";
import { ExportJobs } from "../endpoints/records/export-jobs.ts";
import { readModelDirectory } from "../store/embedded/records/read-model-directory.ts";
import { readAssets } from "../endpoints/dashboard/assets.ts";
import { dashboardRoutes } from "../endpoints/dashboard/routes.ts";
import type { ContentServices } from "../endpoints/readable-content.ts";
import { ContentReads } from "../store/embedded/content/content-reads.ts";
import { LiveTails } from "../endpoints/records/live-tails.ts";
import { recordsRoutes } from "../endpoints/records/routes.ts";
import { sessionRoutes } from "../endpoints/sessions/endpoints.ts";
import { findingSessions } from "../endpoints/sessions/session-credential.ts";
import type { FindKey } from "../pipeline/caller/authenticate.ts";
import { me, shownBalance, type MeServices } from "../endpoints/me.ts";
import { checkHost } from "../exchange/host-check.ts";
import { answerWith } from "../exchange/refusal.ts";
import {
  checkOperator,
  metricsAnswer,
  readyAnswer,
  type CheckReader,
  type Readiness,
} from "../endpoints/service.ts";
import { Trials } from "../endpoints/dashboard/trial.ts";
import { listModels } from "../endpoints/models.ts";
import { securityScan } from "../endpoints/scan/scan.ts";
import { accept } from "../contract/outcome.ts";
import type { AccountHealth } from "../contract/account-health.ts";
import { modelRequest } from "../pipeline/request.ts";
import type { RouteTable } from "../pipeline/routes.ts";

export interface BackOfficeOptions {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly env: NodeJS.ProcessEnv;
  readonly state: State;
  readonly proxy: Proxy;
  /** The other proxy threads. */
  readonly others: () => OtherThreads | null;
}

/** The services of the other proxy threads that the back office uses. */
export interface OtherThreads {
  metrics(): Promise<readonly (readonly MetricObject[])[]>;
  accountHealth(name: string): Promise<readonly AccountHealth[]>;
  /** Forgets the organization's answers in their caches. */
  forgetCached(orgId: string): void;
}

/**
 * The services that run in the thread that writes the state: batch jobs, the audit log, the callers' own view
 * of themselves, and the whole listener of the keys API.
 */
export interface BackOffice {
  /** Of the gateway's listener. */
  readonly routes: RouteTable;
  /** Of the keys API's listener. */
  readonly keysRoutes: (readiness: Readiness) => RouteTable;
  readonly batchItemsOpen: () => number;
  /** Ends live tails, which would last as long as their clients like. */
  endTails(): void;
  /** Starts nothing more of a batch, and lets running items end. */
  stop(): Promise<void>;
}

/** The built dashboard, from src/ as from dist/. */
const dashboardFolder = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../dist/ui" : "../ui", import.meta.url),
);

/** Also takes up the batch jobs that have not ended. */
export function openBackOffice(options: BackOfficeOptions): BackOffice {
  const { configuration, logger, state, proxy } = options;
  const { managed, books, contents } = state;
  const { findKey, records, limits } = proxy;
  const findSessionKey = whileLeased(state.lease, findingSessions(state.sessions, findKey));
  const findOrganization = (id: string) => managed.organizations.find(id);
  const batch = openBatch({
    store: state.store,
    journal: books.journal,
    scan: { ...proxy.scan, report: (job) => proxy.pool.report(job) },
    requestScans: proxy.requestScans,
    scanWorkers: configuration.gateway.scanWorkers,
    claims: state.jobClaims,
    onFailure: (error) => logger.error({ err: error }, "a batch item failed unexpectedly"),
  });
  const meServices: MeServices = {
    findKey,
    shownKey: (id) => state.keys.get(id),
    findOrganization,
    limitsFor: (orgId, apiKeyId) => managed.usageLimits.forCaller(orgId, apiKeyId),
    currentUsage: limits.currentUsage,
    balance: async (orgId) => shownBalance(await books.ledger.freshBalance(orgId)),
  };
  const metrics = {
    contentType: proxy.metrics.contentType,
    expose: async () => proxy.metrics.expose(await options.others()?.metrics()),
  };
  // If no key is needed, a page in a browser on this machine must still not get in.
  const hosts = servedHosts(configuration);
  const checkReader: CheckReader = hosts.loopbackOnly
    ? (head) => checkHost(head.headers, hosts)
    : (head) => checkOperator(head, findKey);
  const readable: ContentServices = {
    contents,
    mask: proxy.mask,
    contentReads: new ContentReads(books.journal),
  };
  const forgetHere = (orgId: string): void => {
    proxy.cache?.forget(orgId);
    options.others()?.forgetCached(orgId);
  };
  state.otherCaches?.forgetWith(forgetHere);
  const audit = (findKey: FindKey): RouteTable =>
    auditRoutes({
      auditLog: books.auditLog,
      readModel: state.readModel,
      ...readable,
      forgetCached: async (orgId, author) => {
        forgetHere(orgId);
        return (await state.otherCaches?.forget(orgId, author)) ?? accept(null);
      },
      erasures: state.erasures,
      findKey,
      rateLimits: limits.rateLimits,
      findOrganization,
      records,
    });
  const exportJobs = new ExportJobs({
    directory: readModelDirectory(state.store),
    readModel: state.readModel,
    auditLog: books.auditLog,
    onFailure: (error) => logger.error({ err: error }, "an export failed unexpectedly"),
  });
  const aboutMe = (findKey: FindKey) =>
    answerLimited((head, find) => me(head, { ...meServices, findKey: find }), {
      findKey,
      rateLimits: limits.rateLimits,
      records,
    });
  const tails = new LiveTails({
    readModel: state.readModel,
    auditLog: books.auditLog,
    checkKey: whileLeased(
      state.lease,
      findingSessions({ find: (secrets) => state.sessions.look(secrets) }, findKey),
    ),
  });
  return {
    routes: {
      "/v1/me": { GET: aboutMe(findKey) },
      "/v1/security/scan/batch": { POST: (exchange) => submitBatch(exchange, batch.services) },
      "/v1/security/scan/batch/:id": {
        GET: (exchange, { id }) => batchStatus(exchange, id ?? "", batch.services),
      },
      ...audit(findKey),
    },
    keysRoutes: (readiness) => ({
      ...keysApiRoutes({ ...keysApiServices(options, findSessionKey), jobs: batch.jobs.views }),
      ...audit(findSessionKey),
      ...recordsRoutes(
        {
          auditLog: books.auditLog,
          readModel: state.readModel,
          ...readable,
          unowned: state.unowned,
          prices: {
            accounts: proxy.accounts,
            findPrice: proxy.gateway.findPrice,
            scanRates: scanRates(configuration.pricing.scan),
          },
          findOrganization,
          findKey: findSessionKey,
          records,
        },
        exportJobs,
        tails,
      ),
      ...sessionRoutes({
        sessions: state.sessions,
        address: configuration.dashboard,
        hosts: dashboardHosts(configuration),
        rateLimits: limits.rateLimits,
        ledger: books.ledger,
        findKey: findSessionKey,
        records,
      }),
      ...dashboardRoutes(readAssets(dashboardFolder)),
      "/v1/me": { GET: aboutMe(findSessionKey) },
      ...trialRoutes(proxy, findSessionKey),
      "/metrics": { GET: answerWith((head) => metricsAnswer(head, metrics, checkReader)) },
      "/readyz": { GET: (exchange) => exchange.respond(readyAnswer(readiness)) },
    }),
    batchItemsOpen: () => batch.jobs.openItems,
    endTails: () => tails.close(),
    stop: async () => {
      await Promise.all([batch.runner.stop(), exportJobs.close()]);
    },
  };
}

/** What the dashboard tries out. A scan and the list of models take its session, a chat takes a key. */
function trialRoutes({ scan, gateway, accounts }: Proxy, findKey: FindKey): RouteTable {
  const trials = new Trials();
  const { records, rateLimits } = scan;
  return {
    "/v1/security/scan": {
      POST: trials.of((exchange) => securityScan(exchange, { ...scan, findKey })),
    },
    "/v1/chat/completions": { POST: trials.of((exchange) => modelRequest(exchange, gateway)) },
    "/v1/models": {
      GET: answerLimited((head, find) => listModels(head, accounts, find), {
        findKey,
        rateLimits,
        records,
      }),
    },
  };
}

function keysApiServices(
  options: BackOfficeOptions,
  findKey: FindKey,
): Omit<KeysApiServices, "jobs"> {
  const { configuration, logger, env, state, proxy } = options;
  const { managed, books, windows } = state;
  return {
    ...managed,
    keys: state.keys,
    ledger: books.ledger,
    lowBalance: lowBalanceOf(configuration.billing.lowBalanceUsd),
    findKey,
    records: proxy.records,
    currentUsage: proxy.limits.currentUsage,
    currentSpending: proxy.limits.currentSpending,
    accountHealth: async (name) => {
      const here = proxy.accountHealth(name);
      const elsewhere = (await options.others()?.accountHealth(name)) ?? [];
      return here === null ? elsewhere : [here, ...elsewhere];
    },
    fileAccounts: state.fileAccounts,
    resolveEntry: entryResolver(env),
    checkPatterns: (patterns) => proxy.scan.searchPatterns(nothingToSearch, patterns),
    defaultInjection: configuration.security.defaultPolicy.injection,
    changed: (event, author) => {
      const { type, id, orgId } = event;
      if (type === "usage_limit.deleted") windows.forget(windowsOfLimitId(id));
      const by = { request_id: author.requestId, by_key_id: author.keyId };
      logger.info({ ...by, event: type, id, org_id: orgId }, "managed");
    },
  };
}
