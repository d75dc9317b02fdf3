import { chat } from "./chat.ts";
import { embeddings } from "./embeddings.ts";
import { countTokens } from "./count-tokens.ts";
import type { ModelEndpoint } from "./endpoint.ts";
import { responses } from "./responses.ts";
import { messages } from "./messages.ts";
import type { Wire } from "../wire.ts";

/** All endpoints that the service pays for. The first one of a wire is its best-known endpoint. */
export const modelEndpoints: readonly ModelEndpoint[] = [
  chat,
  messages,
  responses,
  embeddings,
  countTokens,
];

export const endpointOfPath: ReadonlyMap<string, ModelEndpoint> = new Map(
  modelEndpoints.map((endpoint) => [endpoint.path, endpoint]),
);

/** The wire of a path. The path may have another prefix than the wire's own. */
export function shapeOfPath(path: string): Wire | null {
  const endpoint = endpointOfPath.get(path);
  if (endpoint !== undefined) return endpoint.wire;
  if (path.endsWith("/chat/completions")) return "chat";
  if (path.endsWith("/embeddings")) return "embeddings";
  return /\/v1\/messages(?:\/count_tokens)?$/.test(path) ? "messages" : null;
}

/** How a body sent to a path is read for its scan; null: as JSON of no known shape. */
export function bodyShapeOfPath(path: string): Wire | null {
  return (
    shapeOfPath(path) ??
    (/\/responses(?:\/(?:compact|input_tokens))?$/.test(path) ? "responses" : null)
  );
}
