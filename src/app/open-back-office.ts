import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { MetricObject } from "prom-client";
import { entryResolver } from "../config/accounts.ts";
import { servedHosts } from "./addresses.ts";
import type { Configuration } from "../contract/configuration.ts";
import { openBatch } from "./open-batch.ts";
import type { Proxy } from "./open-proxy.ts";
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
import { recordsRoutes } from "../endpoints/records/routes.ts";
import { sessionRoutes } from "../endpoints/sessions/endpoints.ts";
import { findingSessions } from "../endpoints/sessions/session-credential.ts";
import type { FindKey } from "../pipeline/caller/authenticate.ts";
import { me, shownBalance, type MeServices } from "../endpoints/me.ts";
import { checkHost } from "../exchange/host-check.ts";
import { answerWith } from "../exchange/refusal.ts";
import { checkOperator, metricsAnswer, type CheckReader } from "../endpoints/service.ts";
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
  readonly keysRoutes: RouteTable;
  readonly batchItemsOpen: () => number;
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
  const findSessionKey = findingSessions(state.sessions, findKey);
  const findOrganization = (id: string) => managed.organizations.find(id);
  const batch = openBatch({
    store: state.store,
    journal: books.journal,
    scan: { ...proxy.scan, report: (job) => proxy.pool.report(job) },
    requestScans: proxy.requestScans,
    scanWorkers: configuration.gateway.scanWorkers,
    onFailure: (error) => logger.error({ err: error }, "a batch item failed unexpectedly"),
  });
  const meServices: MeServices = {
    findKey,
    shownKey: (id) => state.keys.get(id),
    findOrganization,
    limitsFor: (orgId, apiKeyId) => managed.usageLimits.forCaller(orgId, apiKeyId),
    currentUsage: limits.currentUsage,
    balance: (orgId) => shownBalance(books.ledger.balance(orgId)),
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
  const audit = (findKey: FindKey): RouteTable =>
    auditRoutes({
      auditLog: books.auditLog,
      readModel: state.readModel,
      contents,
      forgetCached: (orgId) => {
        proxy.cache?.forget(orgId);
        options.others()?.forgetCached(orgId);
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
  return {
    routes: {
      "/v1/me": {
        GET: answerLimited((head, find) => me(head, { ...meServices, findKey: find }), {
          findKey,
          rateLimits: limits.rateLimits,
          records,
        }),
      },
      "/v1/security/scan/batch": { POST: (exchange) => submitBatch(exchange, batch.services) },
      "/v1/security/scan/batch/:id": {
        GET: (exchange, { id }) => batchStatus(exchange, id ?? "", batch.services),
      },
      ...audit(findKey),
    },
    keysRoutes: {
      ...keysApiRoutes(keysApiServices(options, findSessionKey)),
      ...audit(findSessionKey),
      ...recordsRoutes(
        {
          auditLog: books.auditLog,
          readModel: state.readModel,
          unowned: state.unowned,
          findOrganization,
          findKey: findSessionKey,
          records,
        },
        exportJobs,
      ),
      ...sessionRoutes({
        sessions: state.sessions,
        address: configuration.dashboard,
        rateLimits: limits.rateLimits,
        ledger: books.ledger,
        findKey: findSessionKey,
        records,
      }),
      ...dashboardRoutes(readAssets(dashboardFolder)),
      "/metrics": { GET: answerWith((head) => metricsAnswer(head, metrics, checkReader)) },
    },
    batchItemsOpen: () => batch.jobs.openItems,
    stop: async () => {
      await Promise.all([batch.runner.stop(), exportJobs.close()]);
    },
  };
}

function keysApiServices(options: BackOfficeOptions, findKey: FindKey): KeysApiServices {
  const { configuration, logger, env, state, proxy } = options;
  const { managed, books, windows } = state;
  return {
    ...managed,
    keys: state.keys,
    ledger: books.ledger,
    findKey,
    records: proxy.records,
    currentUsage: proxy.limits.currentUsage,
    fileAccounts: state.fileAccounts,
    resolveEntry: entryResolver(env),
    checkPatterns: (patterns) => proxy.scan.searchPatterns(nothingToSearch, patterns),
    defaultInjection: configuration.security.defaultPolicy.injection,
    changed: (event, author) => {
      const { type, id, orgId } = event;
      if (type === "usage_limit.deleted") {
        for (const window of windowsOfLimitId(id)) windows.usage.forget(window);
      }
      const by = { request_id: author.requestId, by_key_id: author.keyId };
      logger.info({ ...by, event: type, id, org_id: orgId }, "managed");
    },
  };
}
