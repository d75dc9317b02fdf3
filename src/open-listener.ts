import type { Logger } from "pino";
import type { Configuration } from "./contract/configuration.ts";
import type { Proxy } from "./open-proxy.ts";
import type { RouteTable } from "./proxy/routes.ts";
import { Listener } from "./proxy/server.ts";
import { publicRoutes } from "./public-routes.ts";

export interface GatewayListenerOptions {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly proxy: Proxy;
  /** What the back office serves on the gateway's listener. */
  readonly backOffice: RouteTable;
  readonly storeOpen: () => boolean;
}

/** The gateway's listener: the one with the socket, or that of another proxy thread. */
export function openGatewayListener(options: GatewayListenerOptions): Listener {
  const { configuration, logger, proxy, backOffice, storeOpen } = options;
  const { host, port, bodyBytesMax } = configuration.gateway;
  const listener: Listener = new Listener({
    host,
    port,
    routes: publicRoutes({
      configuration,
      proxy,
      backOffice,
      readiness: {
        storeOpen,
        workersUp: () => proxy.pool.isReady,
        draining: () => listener.draining,
      },
    }),
    bodyBytesMax,
    budget: proxy.budget,
    overload: proxy.overload,
    failed: requestFailed(logger),
  });
  return listener;
}

/** Logs a request's bug; the client is told nothing of it. */
export function requestFailed(logger: Logger): (error: unknown, requestId: string) => void {
  return (error, requestId) => {
    logger.error({ err: error, request_id: requestId }, "a request failed unexpectedly");
  };
}
