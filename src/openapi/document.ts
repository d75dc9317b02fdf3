import { bodyBytesMaxDefault } from "../contract/limits.ts";
import { serviceKeyPrefix } from "../contract/wire.ts";
import { responseHeaders } from "./headers.ts";
import {
  countTokens,
  createChatCompletion,
  createEmbeddings,
  cancelResponse,
  deleteResponse,
  getResponse,
  listInputItems,
  createResponse,
  createMessage,
  getModel,
  listModels,
  routingParameters,
} from "./model-operations.ts";
import { definition, namedSchemas, published } from "./named-schemas.ts";
import type { Operation, Tag } from "./operation.ts";
import { listDetectors, scan } from "./scan-operations.ts";
import { policyOperations, providerOperations } from "./configuration-operations.ts";
import { recordsOperations } from "./records-operations.ts";
import { auditOperations } from "./audit-operations.ts";
import { booksOperations } from "./books-operations.ts";
import { sessionOperations } from "./session-operations.ts";
import {
  keyOperations,
  limitOperations,
  organizationOperations,
  teamOperations,
} from "./keys-api-operations.ts";
import { batchOperations, getBatch, submitBatch } from "./batch-operations.ts";
import { callMcp } from "./mcp-operation.ts";
import { getHello, readControlPlane } from "./control-plane-operations.ts";
import { getMe } from "./me-operation.ts";
import { getHealth, getOpenApi, getReadiness, getVersion } from "./service-operations.ts";

/** The version of the API, not of the release (spec: Versioning 3). */
const apiVersion = "1.0.0";

/** Every public endpoint by path and method. */
const operations = {
  "/v1/chat/completions": { post: createChatCompletion },
  "/v1/messages": { post: createMessage },
  "/v1/messages/count_tokens": { post: countTokens },
  "/v1/responses": { post: createResponse },
  "/v1/responses/{id}": { get: getResponse, delete: deleteResponse },
  "/v1/responses/{id}/cancel": { post: cancelResponse },
  "/v1/responses/{id}/input_items": { get: listInputItems },
  "/v1/embeddings": { post: createEmbeddings },
  "/v1/models": { get: listModels },
  "/v1/models/{id}": { get: getModel },
  "/v1/me": { get: getMe },
  "/v1/security/scan": { post: scan },
  "/v1/security/scan/batch": { post: submitBatch },
  "/v1/security/scan/batch/{job_id}": { get: getBatch },
  "/v1/security/mcp": { post: callMcp },
  "/v1/security/detectors": { get: listDetectors },
  ...auditOperations,
  "/api/hello": { get: getHello },
  "/api/oauth/{path}": { get: readControlPlane },
  "/version": { get: getVersion },
  "/healthz": { get: getHealth },
  "/readyz": { get: getReadiness },
  "/openapi.json": { get: getOpenApi },
  ...keyOperations,
  ...sessionOperations,
  ...booksOperations,
  ...teamOperations,
  ...limitOperations,
  ...organizationOperations,
  ...providerOperations,
  ...policyOperations,
  ...batchOperations,
  ...recordsOperations,
} as const satisfies Record<string, Record<string, Operation>>;

const tags: readonly { readonly name: Tag; readonly description: string }[] = [
  { name: "Models", description: "Model requests on every wire, scanned on their way." },
  { name: "Security scan", description: "The same detectors on their own; advisory." },
  { name: "Account", description: "What a key may know of itself." },
  { name: "Keys", description: "Service keys. On the keys API's own listener." },
  { name: "Usage limits", description: "Rolling caps on cost, tokens and requests." },
  { name: "Organizations", description: "The tenants of a gateway." },
  { name: "Providers", description: "Accounts at providers, beside those of the file." },
  { name: "Policies", description: "What is looked for on the way, and what happens then." },
  { name: "Records", description: "Questions on requests, scans and usage." },
  {
    name: "Audit log",
    description: "What happened, for good, with proofs that nothing was changed.",
  },
  { name: "Sessions", description: "Signing in with a browser. On the keys API's own listener." },
  { name: "Service", description: "What runs here. No key is needed." },
];

const description = `An LLM gateway and security scan service.

Model requests are scanned and forwarded. Paid through the service, the service key is the only
credential. With your own provider key, that key stands in its usual slot, the service key in
\`X-Svc-Api-Key\` and the provider's base address in \`X-Svc-Upstream-Url\`; every path and method is
then forwarded to that address.

The keys API (\`/api/v1/gateway/…\`) has a listener of its own; its operations name it as their server.
It takes an operator's or an admin's key as bearer token; an admin manages its own organization, and
what belongs to another answers 404 \`not_found\`. A member that a body may not have refuses it.

Errors are envelopes with a stable \`code\`; \`source\` says who has to act. A path that does not exist
answers 404 \`unknown_route\`, another method 405 \`method_not_allowed\`, a body over the deployment's
cap (${bodyBytesMaxDefault / 1024 / 1024} MB unless configured) 413 \`request_too_large\`. \`HEAD\` is served where \`GET\` is.

New members, endpoints and codes may be added at any time: ignore what you don't know.`;

/** The description of the API in OpenAPI 3.1.0, as `GET /openapi.json` serves it. */
export function openApiDocument(): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "Weir",
      version: apiVersion,
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      { url: "/", description: "The gateway that serves this document." },
      { url: "http://127.0.0.1:8787", description: "A gateway started with its defaults." },
    ],
    security: [{ bearer: [] }, { serviceKey: [] }],
    tags,
    paths: published(operations),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: `A service key; it begins with \`${serviceKeyPrefix}\`.`,
        },
        session: {
          type: "apiKey",
          in: "header",
          name: "X-Svc-Session",
          description:
            "The token of a session, beside its cookie. In place of the bearer token it works for every endpoint on the keys API's listener; never on the gateway's.",
        },
        serviceKey: {
          type: "apiKey",
          in: "header",
          name: "X-Svc-Api-Key",
          description: "A service key. Beside it the other slots are free for a provider's key.",
        },
      },
      headers: published(responseHeaders),
      parameters: published(routingParameters),
      schemas: Object.fromEntries(
        Object.entries(namedSchemas).map(([name, schema]) => [name, definition(schema)]),
      ),
    },
  };
}
