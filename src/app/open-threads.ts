import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { BoundPort } from "./bound-port.ts";
import type { Configuration } from "../contract/configuration.ts";
import { requestFailed } from "./open-listener.ts";
import type { State } from "./open-state.ts";
import { logStream } from "../pipeline/record/log-stream.ts";
import { lineOfPacked } from "../pipeline/record/request-log.ts";
import { refusalAnswer, unexpected } from "../exchange/refusal.ts";
import type { RouteTable } from "../pipeline/routes.ts";
import type { ListenerDescriptor } from "../proxy/listener/server.ts";
import { shareOf } from "./thread-shares.ts";
import type { ProviderState } from "../store/provider-state/provider-state.ts";
import { ProxyThreads } from "../threads/proxy-threads.ts";
import type { HandedOverRequest, ThreadStart } from "../threads/messages.ts";
import type { RemoteExchange } from "../threads/remote-exchange.ts";
import type { SharedFlags } from "../threads/shared-flags.ts";

export interface OpenThreadsOptions {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly env: NodeJS.ProcessEnv;
  readonly state: State;
  /** Shared with the threads beside the main one. */
  readonly words: SharedFlags;
  /** Of the main thread. */
  readonly providerState: Pick<ProviderState, "caughtUp">;
  readonly boundPort: BoundPort;
  /** The routes that the main thread serves for all threads. */
  readonly backOffice: RouteTable;
  /** Called if a thread has died. Then the process must end. */
  readonly died: (error: Error) => void;
}

/** The proxy threads beside the main one, up and sharing the state. */
export async function openProxyThreads(options: OpenThreadsOptions): Promise<{
  readonly proxyThreads: ProxyThreads;
  readonly listeners: readonly ListenerDescriptor[];
}> {
  const { configuration, env, state, words, backOffice } = options;
  const { books, contents, keys, windows } = state;
  const proxyThreads = new ProxyThreads({
    words,
    books,
    contents,
    keys,
    log: logTo(options.logger),
    serve: (request, exchange) => serve(request, exchange, options),
    caughtUp: () => options.providerState.caughtUp(),
    grant: state.grant,
    died: options.died,
  });
  const threads = configuration.gateway.proxyThreads - 1;
  const startOf = (index: number): ThreadStart => ({
    index,
    threads,
    configuration: shareOf(configuration, index + 1),
    fileAccounts: state.fileAccounts,
    databasePath: state.store.databasePath,
    windows: windows.buffers,
    accounts: books.accounts,
    lease: state.lease?.buffer ?? null,
    writeHalt: state.store.halt.buffer,
    unowned: state.unowned.buffer,
    words: words.buffer,
    boundPort: options.boundPort.buffer,
    handedOver: Object.fromEntries(
      Object.entries(backOffice).map(([pattern, methods]) => [pattern, Object.keys(methods)]),
    ),
  });
  const started = proxyThreads.start(
    Array.from(
      { length: threads },
      (_, index) => new Worker(threadUrl, { workerData: startOf(index), env }),
    ),
  );
  // This comes at once, because a thread's first read of the store may be out of date before the
  // thread is up.
  state.shareWith(proxyThreads);
  return { proxyThreads, listeners: await started };
}

/** Next to this file, which is TypeScript in `src` and JavaScript in `dist`. */
const threadUrl = new URL(`./proxy-thread${extname(import.meta.url)}`, import.meta.url);

async function serve(
  { pattern, method, parameters }: HandedOverRequest,
  exchange: RemoteExchange,
  { backOffice, logger }: OpenThreadsOptions,
): Promise<void> {
  try {
    const handler = backOffice[pattern]?.[method];
    if (handler === undefined) throw new Error("no route serves a request that was handed over");
    await handler(exchange, parameters);
  } catch (error) {
    requestFailed(logger)(error, exchange.requestId);
    exchange.respond(refusalAnswer(unexpected, exchange.head));
    exchange.cut();
  }
}

/** Passes packed lines of other loggers to this logger's stream. */
function logTo(logger: Logger): (line: Buffer) => void {
  const stream = logStream(logger);
  return (line) => {
    if (stream.writePacked !== undefined) stream.writePacked(line);
    else stream.write(lineOfPacked(line));
  };
}
