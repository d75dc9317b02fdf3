import { Type } from "typebox";
import { MessagesSecurityBlock } from "../contract/error-schema.ts";
import type { OtherBody } from "./error-responses.ts";

// The providers own the schemas of these bodies. Only the members that the gateway reads are listed here.
// All other members pass unchanged.
const free = { additionalProperties: true };

const model = Type.String({
  description:
    "`provider/model`, a bare model name or an alias, as `GET /v1/models` lists them. With X-Svc-Upstream-Url: the upstream's own id, forwarded untouched.",
  examples: ["demo/echo"],
});
const provider = Type.Optional(
  Type.String({
    description:
      "The provider or account that is to serve the request, like X-Svc-Provider. It is not forwarded.",
  }),
);
const stream = Type.Optional(
  Type.Boolean({ description: "Whether the answer comes as server-sent events." }),
);
const messages = Type.Optional(
  Type.Array(Type.Unknown(), {
    description: "The conversation. Its text is scanned; images and files are not.",
  }),
);
const tools = Type.Optional(
  Type.Array(Type.Unknown(), { description: "Tool definitions. Their text is scanned." }),
);
const outputCap = (description: string) =>
  Type.Optional(Type.Integer({ description: `${description} It bounds the worst-case cost.` }));

export const ChatCompletionsRequest = Type.Object(
  {
    model,
    provider,
    stream,
    messages,
    tools,
    max_completion_tokens: outputCap("The most tokens of an answer."),
    max_tokens: outputCap("The older name of `max_completion_tokens`."),
    n: outputCap("How many answers are wanted."),
  },
  {
    ...free,
    description:
      "A chat-completions request in its provider's own schema. Listed is what the gateway reads; every other member is forwarded as it came.",
  },
);

export const MessagesRequest = Type.Object(
  {
    model,
    provider,
    stream,
    system: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Unknown())], {
        description: "The system text or its blocks. Scanned.",
      }),
    ),
    messages,
    tools,
    max_tokens: outputCap("The most tokens of the answer."),
  },
  {
    ...free,
    description:
      "A messages request in its provider's own schema. Listed is what the gateway reads; every other member is forwarded as it came.",
  },
);

export const CountTokensRequest = Type.Object(
  {
    model,
    provider,
    system: MessagesRequest.properties.system,
    messages,
    tools,
  },
  {
    ...free,
    description:
      "What a message would be made of, in its provider's own schema. Listed is what the gateway reads; every other member is forwarded as it came.",
  },
);

export const ResponsesRequest = Type.Object(
  {
    model,
    provider,
    stream,
    input: Type.Optional(Type.Unknown({ description: "A text or items. Their text is scanned." })),
    instructions: Type.Optional(Type.Unknown({ description: "The developer's text. Scanned." })),
    tools,
    max_output_tokens: outputCap("The most tokens of the answer."),
    max_tool_calls: outputCap("The most calls of tools that the provider runs."),
    previous_response_id: Type.Optional(
      Type.Unknown({ description: "A response that this organization has created here." }),
    ),
  },
  {
    ...free,
    description:
      "A responses request in its provider's own schema. Listed is what the gateway reads; every other member is forwarded as it came.",
  },
);

export const ProviderResponse = Type.Object(
  {},
  { ...free, description: "The provider's response, unchanged." },
);

export const EmbeddingsRequest = Type.Object(
  {
    model,
    provider,
    input: Type.Optional(
      Type.Unknown({
        description: "A text, texts, a list of tokens or lists of tokens. All of it is scanned.",
      }),
    ),
  },
  {
    ...free,
    description:
      "An embeddings request in its provider's own schema. Listed is what the gateway reads; every other member is forwarded as it came.",
  },
);

export const Embeddings = Type.Object(
  {},
  { ...free, description: "The provider's embeddings, unchanged." },
);

export const TokenCount = Type.Object(
  {},
  { ...free, description: "The provider's count, unchanged." },
);

export const ChatCompletion = Type.Object(
  {},
  { ...free, description: "The provider's chat completion, unchanged." },
);

export const Message = Type.Object(
  {},
  { ...free, description: "The provider's message, unchanged." },
);

/** A stream. Its events pass unchanged. */
export const EventStream = Type.String({
  description:
    "The provider's server-sent events, unchanged. A stream that breaks ends with an error event of the gateway's own.",
});

export const ProviderError = Type.Object(
  {},
  { ...free, description: "The provider's own error body, unchanged." },
);

function relayedError(example: unknown): OtherBody {
  return {
    relayed: true,
    description: "The provider's own refusal, with its status and body unchanged.",
    schema: ProviderError,
    examples: { relayed: { summary: "The provider's own error", value: example } },
  };
}

export const relayedChatError = relayedError({
  error: { message: "Invalid value for 'temperature'.", type: "invalid_request_error" },
});

export const relayedMessagesError = relayedError({
  type: "error",
  error: { type: "invalid_request_error", message: "temperature: range: 0..1" },
});

export const messagesSecurityBlock: OtherBody = {
  relayed: false,
  description: "`security_blocked`, in the form of this wire: blocked by the security policy.",
  schema: MessagesSecurityBlock,
  examples: {
    security_blocked: {
      summary: "security_blocked",
      value: {
        type: "error",
        error: {
          type: "permission_error",
          message: "The request was blocked by the security policy.",
        },
      },
    },
  },
};
