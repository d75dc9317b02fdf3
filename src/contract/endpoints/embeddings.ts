import type { ModelEndpoint } from "./endpoint.ts";

/** Texts or tokens in, vectors out: the input alone is billed (docs/decisions/0051-embeddings.md). */
export const embeddings: ModelEndpoint = {
  path: "/v1/embeddings",
  route: "embeddings",
  wire: "embeddings",
  format: "embeddings",
  isBilled: true,
  isCached: true,
  window: "requests",
};
