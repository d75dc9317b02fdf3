import { servedHosts } from "./addresses.ts";
import { buildIdentity } from "./build-identity.ts";
import type { Configuration } from "../contract/configuration.ts";
import type { Proxy } from "./open-proxy.ts";
import { helloAnswer } from "../endpoints/control-plane.ts";
import { listDetectors } from "../endpoints/scan/detector-list.ts";
import { modelEndpoints } from "../contract/endpoints/by-path.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { modelRequest } from "../pipeline/request.ts";
import { answerLimited, type LimitedAnswer } from "../endpoints/answer-limited.ts";
import { mcpEndpoint, type McpServices } from "../endpoints/mcp/endpoint.ts";
import { getModel, listModels } from "../endpoints/models.ts";
import { securityScan } from "../endpoints/scan/scan.ts";
import {
  aliveAnswer,
  openApiAnswer,
  readyAnswer,
  versionAnswer,
  type Readiness,
} from "../endpoints/service.ts";
import type { Routes, RouteTable } from "../pipeline/routes.ts";

export interface PublicRoutesOptions {
  readonly configuration: Configuration;
  readonly proxy: Proxy;
  /** The back office's routes on the gateway's listener. */
  readonly backOffice: RouteTable;
  readonly readiness: Readiness;
}

/** All routes of the gateway's listener. */
export function publicRoutes({
  configuration,
  proxy,
  backOffice,
  readiness,
}: PublicRoutesOptions): Routes {
  const { findKey, limits, accounts, scan } = proxy;
  const version = buildIdentity();
  const mcp: McpServices = {
    ...scan,
    hosts: servedHosts(configuration),
    version: version.version,
  };
  const limitedServices = { findKey, rateLimits: limits.rateLimits, records: scan.records };
  const limited = (answer: LimitedAnswer) => answerLimited(answer, limitedServices);
  const model = (exchange: Exchange) => modelRequest(exchange, proxy.gateway);
  return {
    ownKeys: model,
    controlPlane: proxy.controlPlane,
    table: {
      "/v1/responses/:id": { GET: model, DELETE: model },
      "/v1/responses/:id/cancel": { POST: model },
      "/v1/responses/:id/input_items": { GET: model },
      ...Object.fromEntries(modelEndpoints.map(({ path }) => [path, { POST: model }])),
      "/v1/models": { GET: limited((head, find) => listModels(head, accounts, find)) },
      "/v1/models/*id": {
        GET: (exchange, { id = "" }) =>
          answerLimited(
            (head, find) => getModel(head, id, accounts, find),
            limitedServices,
          )(exchange),
      },
      "/v1/security/scan": { POST: (exchange) => securityScan(exchange, scan) },
      "/v1/security/mcp": { POST: (exchange) => mcpEndpoint(exchange, mcp) },
      "/v1/security/detectors": { GET: limited(listDetectors) },
      ...backOffice,
      "/api/hello": { GET: (exchange) => exchange.respond(helloAnswer()) },
      "/openapi.json": { GET: (exchange) => exchange.respond(openApiAnswer()) },
      "/version": { GET: (exchange) => exchange.respond(versionAnswer(version)) },
      "/healthz": { GET: (exchange) => exchange.respond(aliveAnswer()) },
      "/readyz": { GET: (exchange) => exchange.respond(readyAnswer(readiness)) },
    },
  };
}
