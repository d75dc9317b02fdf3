import type { ModelEndpoint } from "./endpoint.ts";

/**
 * How many tokens a message would have. Providers do not charge for a count, and coding agents ask dozens
 * of times before their first message. So counts have rate-limit windows of their own
 * (docs/decisions/0050-token-counts.md).
 */
export const countTokens: ModelEndpoint = {
  path: "/v1/messages/count_tokens",
  route: "count_tokens",
  wire: "messages",
  format: "anthropic",
  isBilled: false,
  isCached: false,
  window: "token_counts",
};
