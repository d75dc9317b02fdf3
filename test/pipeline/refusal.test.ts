import { describe, expect, test } from "vitest";
import { refuse, type ErrorCode } from "../../src/contract/errors.ts";
import { refusalAnswer } from "../../src/pipeline/refusal.ts";

/** The values of `x-should-retry`, which SDKs go by before the status. */
function shouldRetry(code: ErrorCode, more: Parameters<typeof refuse>[2] = {}): string[] {
  const { headers } = refusalAnswer(refuse(code, "m", more).refusal);
  return headers.filter((_, i) => headers[i - 1] === "x-should-retry");
}

describe("spec: Retry guidance", () => {
  test.each<ErrorCode>([
    "usage_limit_exceeded",
    "budget_exceeded",
    "pricing_unavailable",
    "missing_credentials",
    "cloud_sdk_unavailable",
    "provider_auth_failed",
    "upstream_response_too_large",
    "duplicate_entry",
    "internal_error",
  ])("%s, whose status SDKs try again, tells them not to", (code) => {
    expect(shouldRetry(code)).toEqual(["false"]);
  });

  test.each<ErrorCode>([
    "rate_limit_exceeded",
    "payg_reserved",
    "payg_busy",
    "detector_unavailable",
    "circuit_open",
    "upstream_error",
    "upstream_timeout",
    "upstream_error_in_2xx",
    "security_blocked",
    "insufficient_balance",
    "invalid_key",
  ])("%s leaves it to its status", (code) => {
    expect(shouldRetry(code)).toEqual([]);
  });

  test("a refusal that says of itself that it is worth another try leaves it to its status", () => {
    expect(shouldRetry("internal_error", { details: { retryable: true } })).toEqual([]);
  });

  test("what the provider has said of it is not said twice", () => {
    const headers = ["x-should-retry", "false"];
    expect(shouldRetry("provider_auth_failed", { headers })).toEqual(["false"]);
  });
});
