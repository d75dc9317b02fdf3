import { Type } from "typebox";
import type { ErrorCode } from "../contract/errors.ts";
import { errorResponses } from "./error-responses.ts";
import { headerReferences } from "./headers.ts";
import type { Operation } from "./operation.ts";

const readErrors: readonly ErrorCode[] = [
  "invalid_request",
  "invalid_key",
  "invalid_byok_credentials",
  "control_plane_credential_required",
  "org_membership_not_found",
  "method_not_allowed",
  "rate_limit_exceeded",
  "internal_error",
  "upstream_error",
  "auth_unavailable",
  "control_plane_busy",
  "upstream_timeout",
];

/** `GET` of the default paths; a deployment may list others (spec: Authentication 6). */
export const readControlPlane: Operation = {
  operationId: "readControlPlane",
  summary: "Read settings of your provider account",
  description:
    "Managed policies and account settings live in the caller's own account at the provider. Both keys are needed: the service key as `Authorization: Bearer`, your provider key as `x-api-key`, which alone goes on; `If-None-Match` and `ETag` pass. The same holds for everything under `/api/claude_code/`, `/api/oauth/` and `/api/organizations/`, or under the paths that a deployment lists in `controlPlane.paths`. Nothing is billed.",
  tags: ["Service"],
  parameters: [
    {
      name: "path",
      in: "path",
      description: "What is read; it may have slashes in it.",
      required: true,
      schema: Type.String(),
    },
  ],
  responses: {
    "200": {
      description: "The provider's answer.",
      headers: headerReferences(["X-Svc-Cost-Usd", "X-Svc-Cost-Calculation-Status"]),
      content: {
        "application/json": {
          schema: Type.Unknown(),
          examples: {
            settings: { summary: "Managed settings", value: { settings: { model: "sonnet" } } },
          },
        },
      },
    },
    ...errorResponses(readErrors),
  },
};

export const getHello: Operation = {
  operationId: "getHello",
  summary: "Say hello",
  description: "What client tooling asks to see that its provider is there.",
  tags: ["Service"],
  security: [],
  responses: {
    "200": {
      description: "The gateway is there.",
      headers: headerReferences(),
      content: {
        "application/json": {
          schema: Type.Object({ message: Type.Literal("hello") }),
          examples: { answer: { summary: "Hello", value: { message: "hello" } } },
        },
      },
    },
    ...errorResponses(["invalid_request", "internal_error"]),
  },
};
