import type { ModelEndpoint } from "./endpoint.ts";

export const messages: ModelEndpoint = {
  path: "/v1/messages",
  route: "messages",
  wire: "messages",
  format: "anthropic",
  isBilled: true,
  isCached: true,
  window: "requests",
};
