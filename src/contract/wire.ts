/** The provider wires: chat completions (OpenAI's shape) and messages (Anthropic's shape). */
export type Wire = "chat" | "messages";

/** The responses API. It is available with the caller's own keys only. */
export type ProviderShape = Wire | "responses";

/** Paths in these namespaces belong to the service (spec: Namespaces). */
export const serviceNamespaces = ["/v1/me", "/v1/security", "/v1/audit"] as const;

/** The prefix of every service key (spec: Notation). */
export const serviceKeyPrefix = "sk-gw-";

/** Scan formats of a provider request (spec: `request_format`). */
export type RequestFormat = "openai" | "anthropic";

/** The schemas by which a provider's request can be read for its scan. */
export type ProviderFormat = RequestFormat | "responses";

export const formatOfWire: Readonly<Record<Wire, RequestFormat>> = {
  chat: "openai",
  messages: "anthropic",
};
