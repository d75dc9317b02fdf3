import { describe, expect, test } from "vitest";
import { refuse, type ErrorCode } from "../../src/contract/errors.ts";
import { refusalAnswer } from "../../src/exchange/refusal.ts";

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

describe("Retry-After", () => {
  const retryAfter = (code: ErrorCode, retryAfterSeconds: number): string | undefined => {
    const { headers } = refusalAnswer(refuse(code, "m", { retryAfterSeconds }).refusal);
    return headers.find((_, i) => headers[i - 1] === "Retry-After");
  };

  test("names no wait that agents would sleep through, where another try is in vain", () => {
    expect(retryAfter("usage_limit_exceeded", 120)).toBe("120");
    expect(retryAfter("usage_limit_exceeded", 121)).toBeUndefined();
    expect(retryAfter("budget_exceeded", 604_800)).toBeUndefined();
  });

  test("names any wait that helps", () => {
    expect(retryAfter("rate_limit_exceeded", 61)).toBe("61");
    expect(retryAfter("circuit_open", 600)).toBe("600");
  });
});

describe("the form of an error", () => {
  const { refusal } = refuse("unknown_route", "m");
  const blocked = refuse("security_blocked", "m", {
    details: { type: "permission_error" },
  }).refusal;
  const at = (path: string, ...headers: string[]) => ({ method: "GET", path, query: "", headers });
  const version = ["anthropic-version", "2023-06-01"];
  const bodyOf = (...args: Parameters<typeof refusalAnswer>): unknown =>
    JSON.parse(String(refusalAnswer(...args).body));

  test.each([
    ["the messages wire", at("/v1/messages")],
    ["what else its clients ask for", at("/v1/files", ...version)],
    ["a path that nobody knows", at("/v1/messages/batches", ...version)],
    ["the service's own endpoints", at("/v1/models", ...version)],
  ])("%s: as its clients read it", (_, head) => {
    const error = { type: "not_found_error", code: "unknown_route", message: "m" };
    expect(bodyOf(refusal, head)).toMatchObject({ type: "error", error });
  });

  test.each([
    ["no version", at("/v1/files")],
    ["the chat wire", at("/v1/chat/completions", ...version)],
  ])("%s: the envelope alone", (_, head) => {
    expect(bodyOf(refusal, head)).toEqual({
      error: { code: "unknown_route", message: "m", source: "validation" },
    });
  });

  // spec: Errors.
  test("a security block off the messages endpoints is an envelope", () => {
    const error = { code: "security_blocked", source: "gateway", type: "permission_error" };
    expect(bodyOf(blocked, at("/v1/files", ...version))).toMatchObject({ type: "error", error });
    expect(bodyOf(blocked, at("/v1/messages"))).toEqual({
      type: "error",
      error: { type: "permission_error", message: "m" },
    });
  });
});
