/**
 * The provider wires: chat completions, responses and embeddings in OpenAI's shape, messages in Anthropic's.
 */
export const wires = ["chat", "messages", "responses", "embeddings"] as const;
export type Wire = (typeof wires)[number];

/** Paths in these namespaces belong to the service (spec: Namespaces). */
export const serviceNamespaces = ["/v1/me", "/v1/security", "/v1/audit"] as const;

/** The prefix of every service key (spec: Notation). */
export const serviceKeyPrefix = "sk-gw-";

/** Scan formats of a provider request (spec: `request_format`). */
export type RequestFormat = "openai" | "anthropic";

/** The schemas by which a provider's request can be read for its scan. */
export type ProviderFormat = RequestFormat | "responses" | "embeddings";

export const formatOfWire: Readonly<Record<Wire, ProviderFormat>> = {
  chat: "openai",
  messages: "anthropic",
  responses: "responses",
  embeddings: "embeddings",
};
