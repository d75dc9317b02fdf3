import { errorRules, type ErrorCode } from "../contract/errors.ts";
import { ScanRequest } from "../contract/scan-request.ts";
import { ScanResponse } from "../contract/scan-response.ts";
import { DetectorCatalog, type DetectorCatalog as Catalog } from "../contract/service-schemas.ts";
import { errorResponses } from "./error-responses.ts";
import { costHeaders, headerReferences, rateLimitHeaders } from "./headers.ts";
import type { Operation } from "./operation.ts";
import { invalidPatterns, scanAnswers, scanRequests } from "./scan-examples.ts";

/** Of every endpoint under /v1/security (spec: Authentication 2 to 4). */
const securityErrors: readonly ErrorCode[] = [
  "invalid_request",
  "invalid_key",
  "org_membership_not_found",
  "unknown_route",
  "internal_error",
  "auth_unavailable",
];

export const scan: Operation = {
  operationId: "scan",
  summary: "Scan one item",
  description:
    "Checks a text or a provider-native request for prompt injection, personal data, health data and credentials, and for patterns of your own. It calls no model and is advisory: it blocks and changes nothing. Charged by `billable_tokens`; refusals are not charged.",
  tags: ["Security scan"],
  requestBody: {
    required: true,
    content: { "application/json": { schema: ScanRequest, examples: scanRequests } },
  },
  responses: {
    "200": {
      description: "What was found.",
      headers: headerReferences([...costHeaders, ...rateLimitHeaders]),
      content: { "application/json": { schema: ScanResponse, examples: scanAnswers } },
    },
    ...errorResponses(
      [
        ...securityErrors,
        "scan_input_too_large",
        "insufficient_balance",
        "payg_disabled",
        "org_not_provisioned",
        "request_too_large",
        "rate_limit_exceeded",
        "payg_reserved",
        "payg_busy",
        "pricing_unavailable",
        "detector_unavailable",
      ],
      { [errorRules.invalid_request.status]: invalidPatterns },
    ),
  },
};

const catalog: Catalog = {
  data: [
    {
      entity_type: "EMAIL_ADDRESS",
      label: "EMAIL",
      category: "pii",
      description: "E-mail addresses.",
    },
  ],
};

export const listDetectors: Operation = {
  operationId: "listDetectors",
  summary: "List what entity scans find",
  description: "The catalog of `entity_type` values and their labels.",
  tags: ["Security scan"],
  responses: {
    "200": {
      description: "One row a kind of entity.",
      headers: headerReferences(rateLimitHeaders),
      content: {
        "application/json": {
          schema: DetectorCatalog,
          examples: { catalog: { summary: "One row of it", value: catalog } },
        },
      },
    },
    ...errorResponses([...securityErrors, "rate_limit_exceeded"]),
  },
};
