import { Type, type TSchema } from "typebox";
import { errorRules, type ErrorCode } from "../contract/errors.ts";
import { cacheTtlSecondsDefault, cacheTtlSecondsMax, tagsMax } from "../contract/limits.ts";
import { messagesEnvelope } from "../contract/messages-error.ts";
import { Model, ModelList } from "../contract/service-schemas.ts";
import { errorResponses, type OtherBody } from "./error-responses.ts";
import { costHeaders, headerReferences, rateLimitHeaders } from "./headers.ts";
import * as examples from "./model-examples.ts";
import type { Examples, Operation, Parameter, Reference, Response } from "./operation.ts";
import {
  ChatCompletion,
  ChatCompletionsRequest,
  CountTokensRequest,
  Embeddings,
  EmbeddingsRequest,
  EventStream,
  ProviderResponse,
  ResponsesRequest,
  Message,
  messagesSecurityBlock,
  MessagesRequest,
  relayedChatError,
  relayedMessagesError,
  TokenCount,
} from "./provider-bodies.ts";

/** Request headers that choose the target of a model request and allow a cached answer. */
export const routingParameters = {
  "X-Svc-Provider": {
    name: "X-Svc-Provider",
    in: "header",
    description:
      "The provider or account that is to serve the request; where none is called so, the type of accounts.",
    required: false,
    schema: Type.String(),
  },
  "X-Svc-Upstream-Url": {
    name: "X-Svc-Upstream-Url",
    in: "header",
    description:
      "Own keys: the provider's base address without `/v1`. The request is forwarded to it with the provider key that stands in the client's normal slot; the service key goes into X-Svc-Api-Key.",
    required: false,
    schema: Type.String({ examples: ["https://api.openai.com"] }),
  },
  "X-Svc-Tags": {
    name: "X-Svc-Tags",
    in: "header",
    description: `At most ${tagsMax} labels of at most 64 characters each, such as \`feature=rag,customer=acme\`. They are recorded in the request's event and never sent on. A malformed header is \`invalid_request\`.`,
    required: false,
    schema: Type.String({ examples: ["feature=rag,customer=acme"] }),
  },
  "X-Svc-Cache": {
    name: "X-Svc-Cache",
    in: "header",
    description:
      "`on`: the answer may come from the response cache, and is kept there; `off`: neither. Default: what the key's `responseCache` says. Any other value is `invalid_request`.",
    required: false,
    schema: Type.Enum(["on", "off"]),
  },
  "X-Svc-Cache-Ttl": {
    name: "X-Svc-Cache-Ttl",
    in: "header",
    description:
      "With the response cache: the seconds for which the answer is kept, and the greatest age of a cached one. Default: what the key's `responseCache` says.",
    required: false,
    schema: Type.Integer({
      minimum: 1,
      maximum: cacheTtlSecondsMax,
      default: cacheTtlSecondsDefault,
    }),
  },
} as const satisfies Record<string, Parameter>;

const routing: readonly Reference[] = Object.keys(routingParameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** Codes that both wires answer with in an envelope. A security block is not among them. */
const modelErrors: readonly ErrorCode[] = [
  "not_found",
  "invalid_request",
  "no_route",
  "invalid_upstream",
  "missing_upstream_header",
  "invalid_key",
  "invalid_byok_credentials",
  "insufficient_balance",
  "payg_disabled",
  "org_not_provisioned",
  "org_membership_not_found",
  "forbidden",
  "ssrf_blocked",
  "request_too_large",
  "rate_limit_exceeded",
  "usage_limit_exceeded",
  "budget_exceeded",
  "payg_reserved",
  "payg_busy",
  "internal_error",
  "upstream_error",
  "upstream_error_in_2xx",
  "upstream_response_too_large",
  "provider_auth_failed",
  "auth_unavailable",
  "detector_unavailable",
  "circuit_open",
  "missing_credentials",
  "cloud_sdk_unavailable",
  "pricing_unavailable",
  "upstream_timeout",
];

/** A provider's 4xx is relayed, except 401 and 403. Its 5xx is relayed on the messages wire only. */
function relayed(body: OtherBody, serverErrors: boolean): Readonly<Record<number, OtherBody>> {
  const statuses = [...new Set(modelErrors.map((code) => errorRules[code].status))].filter(
    (status) => (status < 500 ? status !== 401 && status !== 403 : serverErrors),
  );
  return Object.fromEntries(statuses.map((status) => [status, body]));
}

function relayedResponse(body: OtherBody): Response {
  return {
    description: body.description,
    headers: headerReferences([
      "X-Svc-Error-Source",
      "X-Svc-Upstream-Status",
      "Retry-After",
      "X-Should-Retry",
      ...costHeaders,
      ...rateLimitHeaders,
      "X-RateLimit-Scope",
    ]),
    content: { "application/json": { schema: body.schema, examples: body.examples } },
  };
}

/** `asStream`: examples of an answer in events; null if the endpoint has none. */
function modelAnswer(
  description: string,
  json: TSchema,
  asJson: Examples,
  asStream: Examples | null,
) {
  return {
    description,
    headers: headerReferences([
      "X-Svc-Cache",
      ...costHeaders,
      "X-Svc-Cost-Assumed-Price",
      "X-Svc-Model",
      ...rateLimitHeaders,
      "X-RateLimit-Scope",
    ]),
    content: {
      "application/json": { schema: json, examples: asJson },
      ...(asStream === null
        ? {}
        : { "text/event-stream": { schema: EventStream, examples: asStream } }),
    },
  };
}

export const createChatCompletion: Operation = {
  operationId: "createChatCompletion",
  summary: "Create a chat completion",
  description:
    "Scans what the model is about to read and forwards the body byte for byte, but for the members that belong to the gateway, to the provider that serves `model`. The answer is relayed as it comes, JSON or server-sent events.",
  tags: ["Models"],
  parameters: routing,
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: ChatCompletionsRequest, examples: examples.chatRequests },
    },
  },
  responses: {
    "200": modelAnswer(
      "The provider's answer.",
      ChatCompletion,
      examples.chatAnswers,
      examples.chatStreams,
    ),
    ...errorResponses([...modelErrors, "security_blocked"], relayed(relayedChatError, false)),
    "4XX": relayedResponse(relayedChatError),
  },
};

export const createMessage: Operation = {
  operationId: "createMessage",
  summary: "Create a message",
  description:
    "The same on the messages wire. The service key may also stand in `x-api-key`, where this wire's SDKs put it. A provider's 4xx and 5xx answers keep status and body, but for 401 and 403.",
  tags: ["Models"],
  parameters: routing,
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: MessagesRequest, examples: examples.messagesRequests },
    },
  },
  responses: {
    "200": modelAnswer(
      "The provider's answer.",
      Message,
      examples.messagesAnswers,
      examples.messagesStreams,
    ),
    ...errorResponses(
      modelErrors,
      {
        ...relayed(relayedMessagesError, true),
        [errorRules.security_blocked.status]: messagesSecurityBlock,
      },
      messagesEnvelope,
    ),
    "4XX": relayedResponse(relayedMessagesError),
    "5XX": relayedResponse(relayedMessagesError),
  },
};

export const createResponse: Operation = {
  operationId: "createResponse",
  summary: "Create a response",
  description:
    "The same on the responses wire. `background: true` and `prompt` are refused: the one can't be billed exactly, the text of the other can't be scanned. So are ids of what a provider stores, unless this organization has created it here: `not_found`. `prompt_cache_key` is made the organization's own. A tool that the provider runs needs `max_tool_calls`.",
  tags: ["Models"],
  parameters: routing,
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: ResponsesRequest, examples: examples.responsesRequests },
    },
  },
  responses: {
    "200": modelAnswer(
      "The provider's answer.",
      ProviderResponse,
      examples.responsesAnswers,
      examples.responsesStreams,
    ),
    ...errorResponses([...modelErrors, "security_blocked"], relayed(relayedChatError, false)),
    "4XX": relayedResponse(relayedChatError),
  },
};

/** Nothing is reserved, so nothing of a balance but its absence can refuse it. */
const unbilledErrors = modelErrors.filter(
  (code) =>
    ![
      "insufficient_balance",
      "usage_limit_exceeded",
      "budget_exceeded",
      "payg_reserved",
      "payg_busy",
      "pricing_unavailable",
    ].includes(code),
);

/** Errors of requests for what a provider stores. */
const storedErrors: readonly ErrorCode[] = [
  ...unbilledErrors.filter((code) => code !== "no_route" && code !== "detector_unavailable"),
  "detector_unavailable",
  "security_blocked",
];

function storedOperation(operationId: string, summary: string, description: string): Operation {
  return {
    operationId,
    summary,
    description: `${description} Only the organization that has created the response here may name it, for as long as its content is kept; to others it is \`not_found\`. Nothing is billed, and the policy's rules for answers hold.`,
    tags: ["Models"],
    parameters: [
      {
        name: "id",
        in: "path",
        description: "The response's id, as the provider gave it.",
        required: true,
        schema: Type.String(),
      },
    ],
    responses: {
      "200": modelAnswer(
        "The provider's answer.",
        ProviderResponse,
        examples.responsesAnswers,
        examples.responsesStreams,
      ),
      ...errorResponses(storedErrors, relayed(relayedChatError, true)),
      "4XX": relayedResponse(relayedChatError),
      "5XX": relayedResponse(relayedChatError),
    },
  };
}

export const getResponse = storedOperation(
  "getResponse",
  "Read a stored response",
  "Asks the account that made the response.",
);
export const deleteResponse = storedOperation(
  "deleteResponse",
  "Delete a stored response",
  "Has the account that made the response delete it.",
);
export const cancelResponse = storedOperation(
  "cancelResponse",
  "Cancel a response",
  "Has the account that makes the response end it.",
);
export const listInputItems = storedOperation(
  "listInputItems",
  "List what a stored response was made from",
  "Asks the account that made the response.",
);

export const createEmbeddings: Operation = {
  operationId: "createEmbeddings",
  summary: "Embed texts or tokens",
  description:
    "Scans texts, and tokens of OpenAI's text-embedding models, and forwards the body byte for byte to the provider that serves `model`. The input alone is billed. Tokens of other models are refused, because the scan can't read them.",
  tags: ["Models"],
  parameters: routing,
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: EmbeddingsRequest, examples: examples.embeddingsRequests },
    },
  },
  responses: {
    "200": modelAnswer("The provider's answer.", Embeddings, examples.embeddings, null),
    ...errorResponses([...modelErrors, "security_blocked"], relayed(relayedChatError, false)),
    "4XX": relayedResponse(relayedChatError),
  },
};

export const countTokens: Operation = {
  operationId: "countTokens",
  summary: "Count the tokens of a message",
  description:
    "Routed and scanned like the message behind it, and free: nothing is reserved or debited, and usage limits and budgets don't count it. It has rate-limit windows of its own, with the caps of the organization and the key; a key without a cap has `tokenCounts.requestsPerMinute` (600 unless configured).",
  tags: ["Models"],
  parameters: routing,
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: CountTokensRequest,
        examples: examples.countRequests,
      },
    },
  },
  responses: {
    "200": modelAnswer("The provider's count.", TokenCount, examples.counts, null),
    ...errorResponses(
      unbilledErrors,
      {
        ...relayed(relayedMessagesError, true),
        [errorRules.security_blocked.status]: messagesSecurityBlock,
      },
      messagesEnvelope,
    ),
    "4XX": relayedResponse(relayedMessagesError),
    "5XX": relayedResponse(relayedMessagesError),
  },
};

const listErrors: readonly ErrorCode[] = [
  "missing_upstream_header",
  "invalid_key",
  "org_membership_not_found",
  "rate_limit_exceeded",
  "internal_error",
  "auth_unavailable",
];

export const getModel: Operation = {
  operationId: "getModel",
  summary: "Look up one model",
  description:
    "The model that a request with this name would use, in the shape of both SDKs. `id` may be any name that `model` takes, its slash encoded or not. A model that the key may not use is `not_found`.",
  tags: ["Models"],
  parameters: [
    {
      name: "id",
      in: "path",
      description: "`provider/model`, a bare id or an alias.",
      required: true,
      schema: Type.String(),
    },
  ],
  responses: {
    "200": {
      description: "The model.",
      headers: headerReferences(rateLimitHeaders),
      content: { "application/json": { schema: Model, examples: examples.oneModel } },
    },
    ...errorResponses([...listErrors, "not_found"]),
  },
};

export const listModels: Operation = {
  operationId: "listModels",
  summary: "List the models",
  description: "One list that serves both SDKs' shapes.",
  tags: ["Models"],
  parameters: [
    {
      name: "limit",
      in: "query",
      description: "The most models to list. Default: all.",
      required: false,
      schema: Type.Integer({ minimum: 1 }),
    },
    {
      name: "after_id",
      in: "query",
      description: "The model behind which the list begins.",
      required: false,
      schema: Type.String(),
    },
    {
      name: "before_id",
      in: "query",
      description: "The model before which the list ends.",
      required: false,
      schema: Type.String(),
    },
  ],
  responses: {
    "200": {
      description: "The models that the key may use.",
      headers: headerReferences(rateLimitHeaders),
      content: { "application/json": { schema: ModelList, examples: examples.modelLists } },
    },
    ...errorResponses(["invalid_request", ...listErrors]),
  },
};
