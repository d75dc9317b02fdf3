/** design section 7, `/v1/audit`. */
export const csvColumns = [
  "timestamp",
  "request_id",
  "correlation_id",
  "org_id",
  "api_key_id",
  "route",
  "type",
  "provider",
  "model",
  "status",
  "http_status",
  "error_code",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "billable_tokens",
  "cost_usd",
  "cost_status",
  "verdict",
  "latency_ms",
  "audit_index",
  "tags",
] as const;

/** An export has these too. */
export const exportColumns = [
  ...csvColumns,
  "team",
  "account",
  "upstream_status",
  "cache",
  "stream",
  "reasoning_tokens",
  "first_byte_ms",
] as const;
