import { pino, type Logger } from "pino";
import { announce, withdraw } from "./app/addresses.ts";
import { address, isLoopback } from "./config/address.ts";
import { loadConfiguration } from "./config/configuration.ts";
import { BoundPort } from "./app/bound-port.ts";
import type { Configuration } from "./contract/configuration.ts";
import { keysApiBodyBytesMax } from "./contract/limits.ts";
import { greeting, type Served } from "./app/greeting.ts";
import { LogQueue } from "./app/log-queue.ts";
import { withSession } from "./endpoints/sessions/session-credential.ts";
import { openBackOffice } from "./app/open-back-office.ts";
import { catchUpOf, providerStateOf } from "./app/open-provider-state.ts";
import { openProxyThreads } from "./app/open-threads.ts";
import {
  endExchanges,
  openGatewayListener,
  readinessOf,
  requestFailed,
} from "./app/open-listener.ts";
import { openProxy } from "./app/open-proxy.ts";
import { whileLeased } from "./app/while-leased.ts";
import { openState, type State } from "./app/open-state.ts";
import { firstPaidModel, warnOfAssumed, warnOfUnpaid } from "./app/paid-models.ts";
import { Listener } from "./proxy/listener/server.ts";
import { StopSignals } from "./app/stop-signals.ts";
import { shareOf } from "./app/thread-shares.ts";
import type { ProxyThreads } from "./threads/proxy-threads.ts";
import { SharedFlags } from "./threads/shared-flags.ts";
import { warnOfUnknown } from "./config/unknown-variables.ts";

/** A running gateway, as seen by the code that started it. */
export interface RunningGateway extends Served {
  /**
   * Resolves if a proxy thread has died, or the shared store lacks what it had. Then nothing may be served any more, and there can be no clean
   * shutdown: the next start repairs the thread's unfinished work, as after a crash.
   */
  readonly died: Promise<Error>;
  /** Must be called when the keys of a first start were shown. Otherwise the next start shows new ones. */
  keysShown(): Promise<void>;
  /** Lets open exchanges finish, then closes everything. */
  stop(): Promise<void>;
  /** For a process that exits, with or without `stop`; false if a proxy thread does not end. */
  endThreads(): boolean;
}

/**
 * The composition root: configuration → state → proxy → back office → listen. Resolves when requests are
 * served and `listening.json` is written. Throws with a reason that a person can act on.
 */
export async function start(
  configuration: Configuration,
  logger: Logger,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningGateway> {
  const boundPort = new BoundPort();
  const death = Promise.withResolvers<Error>();
  const state = await openState(configuration, logger, env, boundPort, death.resolve);
  try {
    return await serve({ configuration, logger, env, boundPort, state, death });
  } catch (error) {
    await state.leave();
    throw error;
  }
}

interface Opened {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly env: NodeJS.ProcessEnv;
  readonly boundPort: BoundPort;
  readonly state: State;
  readonly death: PromiseWithResolvers<Error>;
}

async function serve(opened: Opened): Promise<RunningGateway> {
  const { configuration, logger, env, boundPort, state, death } = opened;
  const settings = configuration.gateway;
  const { keys, managed, accounts, books, contents, windows } = state;
  const threads = settings.proxyThreads - 1;
  const words = threads === 0 ? null : new SharedFlags(threads);
  const own = shareOf(configuration, 0);
  let proxyThreads: ProxyThreads | null = null;
  const others = (): ProxyThreads | null => proxyThreads;
  const providerState = providerStateOf(state.store, managed, catchUpOf(books.journal, others));
  const proxy = await openProxy({
    configuration: own,
    logger,
    findKey: whileLeased(state.lease, (secret) => keys.findBySecret(secret)),
    lease: state.lease,
    managed,
    accounts,
    ledger: books.ledger,
    contents,
    unowned: state.unowned,
    windows,
    providerState,
    lastScanElsewhereMs: () => words?.lastScannedWallMs() ?? 0,
    sources: {
      openExchanges: () => listener.openExchanges,
      batchItemsOpen: () => backOffice.batchItemsOpen(),
      journalFailing: () => books.journal.failing || state.store.halt.halted,
      journalPendingBytes: () => books.journal.pendingBytes,
      contentsDropped: () => contents.dropped,
      contentPendingBytes: () => contents.pendingBytes,
    },
  });
  const { findPrice } = proxy.gateway;
  warnOfUnpaid(accounts.serving, findPrice, Date.now(), logger);
  warnOfAssumed(accounts.serving, findPrice, Date.now(), logger);
  const backOffice = openBackOffice({ configuration: own, logger, env, state, proxy, others });
  if (configuration.network.keylessPassthrough && !isLoopback(settings.host)) {
    logger.warn(openRelayWarning);
  }
  const readiness = {
    proxy,
    storeOpen: () => keys.available && state.lease?.isOver !== true,
    writesHalted: () => state.store.halt.halted,
    // On a shared store known keys and what was granted go on for the lease.
    journalFailing: () => state.lease === null && books.journal.failing,
  };
  const listener = openGatewayListener({
    ...readiness,
    configuration,
    logger,
    backOffice: backOffice.routes,
    unowned: state.unowned,
  });
  const ready = readinessOf(readiness, () => listener.draining);
  const keysListener = new Listener({
    host: settings.host,
    port: settings.keysPort,
    routes: { ownKeys: null, table: backOffice.keysRoutes(ready) },
    headOf: (head) => withSession(head, configuration.dashboard),
    bodyBytesMax: keysApiBodyBytesMax,
    budget: proxy.budget,
    failed: requestFailed(logger),
  });
  if (words !== null) {
    const rooms = {
      configuration,
      logger,
      env,
      state,
      words,
      boundPort,
      providerState,
      backOffice: backOffice.routes,
    };
    const opened = await openProxyThreads({ ...rooms, died: death.resolve });
    proxyThreads = opened.proxyThreads;
    listener.shareWith(opened.listeners);
  }
  // First, because the gateway's refusals name it.
  boundPort.port = await keysListener.listen();
  const addresses = {
    gateway: address(settings.host, await listener.listen()),
    keys: address(settings.host, boundPort.port),
  };
  announce(settings.dataDir, addresses);
  let noted: Promise<void> = Promise.resolve();
  return {
    ...addresses,
    firstRun: state.firstRun,
    operatorKeyGiven: settings.operatorKey !== null,
    firstModel: firstPaidModel(accounts.serving, findPrice, Date.now()),
    died: death.promise,
    keysShown: () => (noted = state.firstRun === null ? noted : state.firstRunShown()),
    stop: async () => {
      withdraw(settings.dataDir);
      backOffice.endTails();
      await Promise.all([
        // First, because it closes the socket that gives the threads their connections.
        endExchanges([listener, keysListener], settings.drainMs, { proxy, logger }),
        proxyThreads?.drain(settings.drainMs),
      ]);
      await backOffice.stop();
      await Promise.all([proxy.close(), state.stopDemo()]);
      await noted;
      await state.close();
    },
    endThreads: () => proxyThreads?.end() ?? true,
  };
}

const openRelayWarning =
  "an open relay: this gateway listens beyond loopback, and forwards requests without a service key to any public address; network.keylessPassthrough: false turns that off";

async function main(): Promise<void> {
  const loaded = loadConfiguration(process.env, process.cwd());
  if (!loaded.ok) {
    for (const { path, expected } of loaded.faults) {
      console.error(`weir: ${path}: expected ${expected}`);
    }
    process.exit(1);
  }
  const configuration = loaded.value;
  const output = new LogQueue();
  process.on("exit", () => output.flushSync());
  const logger = pino({ level: configuration.gateway.logLevel, base: null }, output);
  warnOfUnknown(loaded.unknownVariables, logger);
  const running = await start(configuration, logger);
  process.on("exit", () => {
    // An exit would abort the process, and the core dump would contain keys and prompts.
    if (!running.endThreads()) process.kill(process.pid, "SIGKILL");
  });
  void running.died.then((error) => {
    logger.fatal({ err: error }, "the process can't go on");
    process.exit(1);
  });
  const signals = new StopSignals();
  const stop = (signal: NodeJS.Signals): void => {
    const wish = signals.read(signal);
    if (wish === "end") process.exit(1);
    if (wish !== "drain") return;
    logger.info({ signal }, "draining");
    void running.stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("SIGHUP", stop);
  // Last, because a reader of the greeting may send a signal at once.
  if (await print(greeting(running))) await running.keysShown();
  else console.error("weir: the greeting could not be printed; the next start repeats it");
}

/** Resolves with true if standard output has taken the text. */
function print(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.on("error", () => resolve(false));
    process.stdout.write(`${text}\n`, (error) => resolve(error === null || error === undefined));
  });
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? `weir: ${error.message}` : error);
    process.exit(1);
  });
}
