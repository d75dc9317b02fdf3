import type { ModelEndpoint } from "./endpoint.ts";

export const chat: ModelEndpoint = {
  path: "/v1/chat/completions",
  route: "chat",
  wire: "chat",
  format: "openai",
  isBilled: true,
  isCached: true,
  window: "requests",
};
