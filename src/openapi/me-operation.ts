import { MeAnswer } from "../contract/keys-api/me.ts";
import { errorResponses } from "./error-responses.ts";
import { headerReferences, rateLimitHeaders } from "./headers.ts";
import { me } from "./keys-api-examples.ts";
import type { Operation } from "./operation.ts";

export const getMe: Operation = {
  operationId: "getMe",
  summary: "Tell what the key may know of itself",
  description: "The key's organization and attributes, its limits with their use, the balance.",
  tags: ["Account"],
  responses: {
    "200": {
      description: "The caller.",
      headers: headerReferences(rateLimitHeaders),
      content: {
        "application/json": {
          schema: MeAnswer,
          examples: { answer: { summary: "A key with one limit", value: { data: me } } },
        },
      },
    },
    ...errorResponses([
      "invalid_request",
      "invalid_key",
      "org_membership_not_found",
      "unknown_route",
      "rate_limit_exceeded",
      "internal_error",
      "auth_unavailable",
    ]),
  },
};
