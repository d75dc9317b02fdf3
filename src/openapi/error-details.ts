import type { ErrorCode, ErrorDetails } from "../contract/errors.ts";
import { bodyBytesMaxDefault, scanContentBytesMaxDefault } from "../contract/limits.ts";

/** Examples of the further members in the envelopes of some codes. */
export const exampleDetails: Partial<Readonly<Record<ErrorCode, ErrorDetails>>> = {
  no_route: {
    param: "model",
    requested_model: "demo/ecco",
    suggested_models: ["demo/echo"],
    available_provider_types: ["demo"],
    available_account_names: ["demo"],
  },
  security_blocked: {
    type: "permission_error",
    retryable: false,
    location: "messages[4].content[0]",
    score: 0.93,
    threshold: "0.80",
  },
  request_too_large: { limit: bodyBytesMaxDefault },
  scan_input_too_large: { limit: scanContentBytesMaxDefault },
  scan_batch_backlog_exceeded: { queued: 9_500, limit: 10_000 },
  usage_limit_exceeded: {
    limitType: "cost",
    threshold: "50.00",
    currentUsage: "50.120000",
    timeWindow: "day",
  },
  budget_exceeded: {
    limitType: "cost",
    threshold: "100",
    currentUsage: "99.950000",
    timeWindow: "month",
  },
  // spec: Error envelope. On a rate-limit 429 this is a point in time; the header has seconds.
  rate_limit_exceeded: { retryAfter: 1_767_225_660 },
  insufficient_balance: { balanceCents: 12, availableCents: 12, estimatedCostCents: 40 },
  payg_reserved: {
    retryAfter: 2,
    balanceCents: 100,
    availableCents: 10,
    estimatedCostCents: 40,
  },
  payg_busy: { retryAfter: 1 },
};
