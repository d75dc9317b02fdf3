import type { Logger } from "pino";
import type { Configuration } from "../contract/configuration.ts";
import { cutSettleMsMax } from "../contract/limits.ts";
import type { Proxy } from "./open-proxy.ts";
import type { Readiness } from "../endpoints/service.ts";
import type { RouteTable } from "../pipeline/routes.ts";
import { Listener } from "../proxy/listener/server.ts";
import type { UnownedResponses } from "../pipeline/record/unowned-responses.ts";
import { publicRoutes } from "./public-routes.ts";

export interface GatewayListenerOptions {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly proxy: Proxy;
  /** The back office's routes on the gateway's listener. */
  readonly backOffice: RouteTable;
  readonly unowned: Pick<UnownedResponses, "note">;
  readonly storeOpen: () => boolean;
  readonly writesHalted: () => boolean;
  readonly journalFailing: () => boolean;
}

type ReadinessSources = Pick<
  GatewayListenerOptions,
  "proxy" | "storeOpen" | "writesHalted" | "journalFailing"
>;

/** The gateway's listener: the one with the socket, or that of another proxy thread. */
export function openGatewayListener(options: GatewayListenerOptions): Listener {
  const { configuration, logger, proxy, backOffice } = options;
  const { host, port, bodyBytesMax } = configuration.gateway;
  const listener: Listener = new Listener({
    host,
    port,
    routes: publicRoutes({
      configuration,
      proxy,
      backOffice,
      readiness: readinessOf(options, () => listener.draining),
    }),
    bodyBytesMax,
    budget: proxy.budget,
    overload: proxy.overload,
    refused: (requestId, { status }, address) =>
      options.unowned.note(requestId, null, status, "detector_unavailable", address),
    failed: requestFailed(logger),
  });
  return listener;
}

/** What `/readyz` tells, on the gateway's listener and on that of the keys API. */
export function readinessOf(
  { storeOpen, writesHalted, journalFailing, proxy }: ReadinessSources,
  draining: () => boolean,
): Readiness {
  return { storeOpen, writesHalted, journalFailing, workersUp: () => proxy.pool.isReady, draining };
}

export interface EndingServices {
  readonly proxy: Pick<Proxy, "abortCalls">;
  readonly logger: Logger;
}

/**
 * Lets the exchanges of all listeners finish, at most `waitMsMax`. Exchanges that are cut then are also ended
 * at the provider, and settled and recorded like a stream that the provider cuts. The books may be closed
 * afterwards.
 */
export async function endExchanges(
  listeners: readonly Listener[],
  waitMsMax: number,
  { proxy, logger }: EndingServices,
): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.drain(waitMsMax)));
  await proxy.abortCalls();
  const settled = await Promise.all(listeners.map((listener) => listener.settled(cutSettleMsMax)));
  if (settled.includes(false)) {
    logger.error(
      "requests that the shutdown cut could not be settled; the next start repairs the books",
    );
  }
}

/** Logs a request's bug. The client is told no details. */
export function requestFailed(logger: Logger): (error: unknown, requestId: string) => void {
  return (error, requestId) => {
    logger.error({ err: error, request_id: requestId }, "a request failed unexpectedly");
  };
}
