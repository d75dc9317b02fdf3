import { Check } from "typebox/value";
import { describe, expect, test } from "vitest";
import { ErrorEnvelope, MessagesSecurityBlock } from "../../src/contract/error-schema.ts";
import { envelope, errorCodes, type ErrorDetails } from "../../src/contract/errors.ts";
import { messagesEnvelope } from "../../src/contract/messages-error.ts";
import { refusalAnswer } from "../../src/exchange/refusal.ts";

test.each(errorCodes)("the envelope of %s is as published", (code) => {
  const body: unknown = JSON.parse(envelope({ code, message: "m" }));
  expect(Check(ErrorEnvelope, body)).toBe(true);
});

test.each(errorCodes)("on the messages wire %s has what that wire's clients look for", (code) => {
  const body: unknown = JSON.parse(messagesEnvelope({ code, message: "m" }));
  expect(body).toMatchObject({ type: "error", error: { message: "m" } });
  if (code !== "security_blocked") expect(Check(ErrorEnvelope, body)).toBe(true);
});

test.each([
  ["invalid_request", "invalid_request_error"],
  ["invalid_key", "authentication_error"],
  ["insufficient_balance", "billing_error"],
  ["forbidden", "permission_error"],
  ["unknown_route", "not_found_error"],
  ["request_too_large", "request_too_large"],
  ["rate_limit_exceeded", "rate_limit_error"],
  ["upstream_error", "api_error"],
  ["upstream_timeout", "timeout_error"],
] as const)("on the messages wire %s is an error of the type %s", (code, type) => {
  const { error } = JSON.parse(messagesEnvelope({ code, message: "m" })) as ErrorEnvelope;
  expect(error).toMatchObject({ code, type });
});

test("every optional member is as published", () => {
  const details: Required<ErrorDetails> = {
    type: "permission_error",
    retryable: true,
    retryAfter: 1,
    correlation_id: "c",
    queued: 0,
    limit: 0,
    param: "model",
    requested_model: "m",
    suggested_models: ["n"],
    available_provider_types: ["openai"],
    available_account_names: ["a"],
    limitType: "tokens",
    threshold: "100",
    currentUsage: "101",
    timeWindow: "month",
    custom_pattern_errors: [
      { field: "regex", code: "regex_syntax", message: "m", index: 0, patternName: null },
    ],
    custom_pattern_errors_truncated: 0,
    balanceCents: 1,
    availableCents: 1,
    estimatedCostCents: 2,
    billingUrl: "https://billing.example.com",
    reason: "cost_unbounded",
    location: "messages[0]",
    score: 0.93,
  };
  const body: unknown = JSON.parse(envelope({ code: "invalid_request", message: "m", details }));
  expect(Check(ErrorEnvelope, body)).toBe(true);
});

describe("spec: Error envelope", () => {
  const error = { code: "invalid_key", message: "m", source: "validation" };
  test.each<[rule: string, change: object]>([
    ["no code", { code: undefined }],
    ["an unknown code", { code: "whatever" }],
    ["an unknown source", { source: "server" }],
    ["a retryAfter of 0", { retryAfter: 0 }],
    ["a negative limit", { limit: -1 }],
    ["pattern errors that are no list", { custom_pattern_errors: {} }],
  ])("refuses %s", (_rule, change) => {
    const body: unknown = JSON.parse(JSON.stringify({ error: { ...error, ...change } }));
    expect(Check(ErrorEnvelope, { error })).toBe(true);
    expect(Check(ErrorEnvelope, body)).toBe(false);
  });
});

test("a security block on the messages wire has that wire's form", () => {
  const refusal = { code: "security_blocked", message: "m" } as const;
  const at = (path: string) => ({ method: "POST", path, query: "", headers: [] });
  const body: unknown = JSON.parse(String(refusalAnswer(refusal, at("/v1/messages")).body));
  expect(Check(MessagesSecurityBlock, body)).toBe(true);
  expect(Check(ErrorEnvelope, body)).toBe(false);
  const onChat: unknown = JSON.parse(
    String(refusalAnswer(refusal, at("/v1/chat/completions")).body),
  );
  expect(Check(ErrorEnvelope, onChat)).toBe(true);
});
