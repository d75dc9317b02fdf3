import type { ErrorObject } from "./error-schema.ts";
import type { Refused } from "./outcome.ts";

/** The party that has to act on an error (spec: Error envelope, `source`). */
export const errorSources = [
  "validation",
  "client",
  "customer_config",
  "byok_credentials",
  "gateway",
  "provider",
  "vendor",
  "pricing",
] as const;
export type ErrorSource = (typeof errorSources)[number];

interface ErrorRule {
  readonly status: number;
  readonly source: ErrorSource;
  /** Sent as `retryable` unless the refusal says otherwise; undefined leaves the field out. */
  readonly retryable?: boolean;
}

/** Code → HTTP status, source and retryability, in one place (spec: Gateway codes, Scan-specific codes). */
export const errorRules = {
  invalid_key: { status: 401, source: "validation" },
  auth_unavailable: { status: 503, source: "gateway", retryable: true },
  unknown_route: { status: 404, source: "validation" },
  no_route: { status: 400, source: "validation" },
  invalid_upstream: { status: 400, source: "validation" },
  missing_upstream_header: { status: 400, source: "validation" },
  rate_limit_exceeded: { status: 429, source: "gateway", retryable: true },
  usage_limit_exceeded: { status: 429, source: "gateway" },
  budget_exceeded: { status: 429, source: "gateway" },
  insufficient_balance: { status: 402, source: "gateway", retryable: false },
  payg_reserved: { status: 429, source: "gateway", retryable: true },
  payg_busy: { status: 429, source: "gateway", retryable: true },
  payg_disabled: { status: 402, source: "gateway" },
  org_not_provisioned: { status: 402, source: "gateway" },
  org_membership_not_found: { status: 403, source: "gateway" },
  pricing_unavailable: { status: 503, source: "pricing", retryable: false },
  security_blocked: { status: 403, source: "gateway" },
  ssrf_blocked: { status: 403, source: "gateway" },
  circuit_open: { status: 503, source: "provider", retryable: true },
  upstream_error: { status: 502, source: "provider", retryable: true },
  upstream_timeout: { status: 504, source: "provider", retryable: true },
  upstream_error_in_2xx: { status: 502, source: "vendor" },
  upstream_response_too_large: { status: 502, source: "provider", retryable: false },
  provider_auth_failed: { status: 502, source: "provider", retryable: false },
  missing_credentials: { status: 503, source: "customer_config" },
  cloud_sdk_unavailable: { status: 503, source: "customer_config" },
  invalid_byok_credentials: { status: 401, source: "byok_credentials" },
  control_plane_credential_required: { status: 403, source: "validation" },
  control_plane_busy: { status: 503, source: "gateway", retryable: true },
  request_too_large: { status: 413, source: "validation" },
  invalid_request: { status: 400, source: "validation" },
  scan_input_too_large: { status: 400, source: "validation" },
  scan_job_expired: { status: 504, source: "gateway" },
  scan_batch_backlog_exceeded: { status: 429, source: "gateway", retryable: true },
  detector_unavailable: { status: 503, source: "gateway", retryable: true },
  records_unavailable: { status: 503, source: "gateway", retryable: true },
  not_found: { status: 404, source: "validation" },
  forbidden: { status: 403, source: "gateway" },
  method_not_allowed: { status: 405, source: "validation" },
  websocket_unsupported: { status: 426, source: "validation" },
  duplicate_entry: { status: 409, source: "validation" },
  internal_error: { status: 500, source: "gateway" },
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof errorRules;
// Object.keys returns strings, so the type is restored here.
export const errorCodes = Object.keys(errorRules) as ErrorCode[];

/** Optional members of the error object. */
export type ErrorDetails = Readonly<Omit<ErrorObject, "code" | "message" | "source">>;

/**
 * A request's refusal, ready to be written as an envelope. `message` is prose for a person and
 * never carries a secret, a prompt or matched text.
 */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
  /** The header `Retry-After`: seconds from now, whole, at least 1. */
  readonly retryAfterSeconds?: number;
  /** The provider's own status, if its failure is relayed (spec: `X-Svc-Upstream-Status`). */
  readonly upstreamStatus?: number;
  /** The error code of a call that failed below HTTP, such as `ECONNREFUSED`. Only for the log. */
  readonly upstreamError?: string;
  /** Further response headers, flat: name, value, name, value, … */
  readonly headers?: readonly string[];
}

export function refuse(
  code: ErrorCode,
  message: string,
  more: Omit<Refusal, "code" | "message"> = {},
): Refused {
  return { ok: false, refusal: { code, message, ...more } };
}

/**
 * True if SDKs would retry because of the status, although the same request can't succeed (spec: Retry
 * guidance). A vendor's error counts as retryable if nothing else says so, because only the vendor knows.
 */
export function isRetriedInVain({ code, details }: Refusal): boolean {
  const { status, source, ...rule }: ErrorRule = errorRules[code];
  const retryable = details?.retryable ?? rule.retryable ?? source === "vendor";
  return !retryable && (status === 409 || status === 429 || status >= 500);
}

/** Refuses a request for one of its parameters, or a member of its body. */
export function refuseParameter(param: string, message: string): Refused {
  return refuse("invalid_request", message, { details: { param } });
}

/** The object in a refusal's envelope (spec: Error envelope). */
export function errorObject(refusal: Refusal): ErrorObject {
  const { source, ...rule }: ErrorRule = errorRules[refusal.code];
  const { retryable = rule.retryable, ...details } = refusal.details ?? {};
  return {
    code: refusal.code,
    message: refusal.message,
    source,
    ...(retryable === undefined ? {} : { retryable }),
    ...details,
  };
}

/** The JSON envelope of a refusal. */
export function envelope(refusal: Refusal): string {
  return JSON.stringify({ error: errorObject(refusal) });
}
