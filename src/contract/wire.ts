/** The two provider wires: chat completions (OpenAI's shape) and messages (Anthropic's shape). */
export type Wire = "chat" | "messages";

export const wireOfPath: ReadonlyMap<string, Wire> = new Map<string, Wire>([
  ["/v1/chat/completions", "chat"],
  ["/v1/messages", "messages"],
]);

/** The wire of a path. The path may have another prefix than the wire's own. */
export function shapeOfPath(path: string): Wire | null {
  const wire = wireOfPath.get(path);
  if (wire !== undefined) return wire;
  if (path.endsWith("/chat/completions")) return "chat";
  return /\/v1\/messages(?:\/count_tokens)?$/.test(path) ? "messages" : null;
}

/** The responses API. It is available with the caller's own keys only. */
export type ProviderShape = Wire | "responses";

/** How a body sent to a path is read for its scan; null: as JSON of no known shape. */
export function bodyShapeOfPath(path: string): ProviderShape | null {
  return (
    shapeOfPath(path) ??
    (/\/responses(?:\/(?:compact|input_tokens))?$/.test(path) ? "responses" : null)
  );
}

/** Paths in these namespaces belong to the service (spec: Namespaces). */
export const serviceNamespaces = ["/v1/me", "/v1/security", "/v1/audit"] as const;

/** The prefix of every service key (spec: Notation). */
export const serviceKeyPrefix = "sk-gw-";

/** Scan formats of a provider request (spec: `request_format`). */
export type RequestFormat = "openai" | "anthropic";

export const formatOfWire: Readonly<Record<Wire, RequestFormat>> = {
  chat: "openai",
  messages: "anthropic",
};
