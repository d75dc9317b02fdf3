import { pino, type Logger } from "pino";
import { address, announce, isLoopback } from "./addresses.ts";
import { loadConfiguration } from "./config.ts";
import type { Configuration } from "./contract/configuration.ts";
import { keysApiBodyBytesMax } from "./contract/limits.ts";
import { greeting, type Served } from "./greeting.ts";
import { LogOutput } from "./log-output.ts";
import { openBackOffice } from "./open-back-office.ts";
import { openProxy } from "./open-proxy.ts";
import { openState } from "./open-state.ts";
import { Listener } from "./proxy/server.ts";
import { publicRoutes } from "./public-routes.ts";

/** A running gateway, as its starter holds it. */
export interface RunningGateway extends Served {
  /** Lets open exchanges finish, then closes everything. */
  stop(): Promise<void>;
}

/**
 * The composition root: configuration → state → proxy → back office → listen. Resolves when requests
 * are served and `listening.json` is written; throws with a reason a person can act on.
 */
export async function start(
  configuration: Configuration,
  logger: Logger,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningGateway> {
  const settings = configuration.gateway;
  const state = await openState(configuration, logger, env);
  const { keys, managed, accounts, books, contents, windows } = state;
  const proxy = await openProxy({
    configuration,
    logger,
    findKey: (secret) => keys.findBySecret(secret),
    managed,
    accounts,
    ledger: books.ledger,
    contents,
    windows,
    sources: {
      openExchanges: () => publicListener.openExchanges,
      batchItemsOpen: () => backOffice.batchItemsOpen(),
      journalPendingBytes: () => books.journal.pendingBytes,
      contentsDropped: () => contents.dropped,
      contentPendingBytes: () => contents.pendingBytes,
    },
  });
  const backOffice = openBackOffice({ configuration, logger, env, state, proxy });
  if (configuration.network.keylessPassthrough && !isLoopback(settings.host)) {
    logger.warn(openRelayWarning);
  }
  const failed = (error: unknown, requestId: string): void => {
    logger.error({ err: error, request_id: requestId }, "a request failed unexpectedly");
  };
  const shared = { host: settings.host, budget: proxy.budget, failed };
  const publicListener: Listener = new Listener({
    ...shared,
    port: settings.port,
    routes: publicRoutes({
      configuration,
      proxy,
      backOffice: backOffice.routes,
      readiness: {
        storeOpen: () => keys.available,
        workersUp: () => proxy.pool.isReady,
        draining: () => publicListener.draining,
      },
    }),
    bodyBytesMax: settings.bodyBytesMax,
    overload: proxy.overload,
  });
  const keysListener = new Listener({
    ...shared,
    port: settings.keysPort,
    routes: { ownKeys: null, table: backOffice.keysRoutes },
    bodyBytesMax: keysApiBodyBytesMax,
  });
  const addresses = {
    gateway: address(settings.host, await publicListener.listen()),
    keys: address(settings.host, await keysListener.listen()),
  };
  announce(settings.dataDir, addresses);
  return {
    ...addresses,
    firstRun: state.firstRun,
    firstModel: accounts.list()[0]?.id ?? null,
    stop: async () => {
      await Promise.all([
        publicListener.drain(settings.drainMs),
        keysListener.drain(settings.drainMs),
      ]);
      await backOffice.stop();
      await Promise.all([proxy.close(), state.stopDemo()]);
      await state.close();
    },
  };
}

const openRelayWarning =
  "an open relay: this gateway listens beyond loopback, and forwards requests without a service key to any public address; network.keylessPassthrough: false turns that off";

async function main(): Promise<void> {
  const loaded = loadConfiguration(process.env, process.cwd());
  if (!loaded.ok) {
    for (const { path, expected } of loaded.faults) console.error(`${path}: ${expected}`);
    process.exit(1);
  }
  const configuration = loaded.value;
  const output = new LogOutput();
  process.on("exit", () => output.flushSync());
  const logger = pino({ level: configuration.gateway.logLevel, base: null }, output);
  const running = await start(configuration, logger);
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, "draining");
    void running.stop().then(() => process.exit(0));
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
