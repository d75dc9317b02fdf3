import type { ModelEndpoint } from "./endpoint.ts";

/** OpenAI's responses (docs/decisions/0055-responses.md). */
export const responses: ModelEndpoint = {
  path: "/v1/responses",
  route: "responses",
  wire: "responses",
  format: "responses",
  isBilled: true,
  isCached: true,
  window: "requests",
};
