import { expect, test } from "vitest";
import type { ErrorCode } from "../../../src/contract/errors.ts";
import type { Attempt, RelayEnd } from "../../../src/exchange/exchange.ts";
import type { CallOutcome } from "../../../src/contract/account-health.ts";
import { ProviderCall } from "../../../src/pipeline/record/provider-call.ts";

const buffered = (status: number): Attempt => {
  return { kind: "buffered", status, headers: [], body: new Uint8Array(0) };
};
const relayed = (end: RelayEnd): Attempt => {
  return { kind: "relayed", status: 200, end, errorCode: null, clientGone: false };
};
const failed = (code: ErrorCode, upstreamStatus?: number): Attempt => {
  const status = upstreamStatus === undefined ? {} : { upstreamStatus };
  return { kind: "failed", refusal: { code, message: "", ...status } };
};
const unsent = (code: ErrorCode): Attempt => ({ kind: "unsent", refusal: { code, message: "" } });

test.each<[string, Attempt, CallOutcome | null]>([
  ["a whole answer", buffered(200), "answered"],
  ["a whole stream", relayed("complete"), "answered"],
  ["a stream that a rule stopped", relayed("blocked"), "answered"],
  ["an answer that a rule stopped before it began", failed("security_blocked"), "answered"],
  ["an answer that is too long", failed("upstream_response_too_large", 200), "answered"],
  ["a 429", buffered(429), "rate_limited"],
  ["a 401", buffered(401), "refused"],
  ["a 4xx that broke off", failed("upstream_error", 422), "refused"],
  ["a 500", buffered(500), "failed"],
  ["a timeout", failed("upstream_timeout"), "failed"],
  ["a stream that broke off", relayed("cut"), "failed"],
  ["a stream with an error event", relayed("provider_error"), "failed"],
  ["a connection that failed", unsent("upstream_error"), "unsent"],
  [
    "one that failed when the client had left",
    { kind: "abandoned", connectFailed: true },
    "unsent",
  ],
  ["a client that left before the answer", { kind: "abandoned" }, "abandoned"],
  ["a client that left meanwhile", relayed("abandoned"), "abandoned"],
  ["a request that nobody could be sent", unsent("invalid_request"), null],
])("%s", (_name, attempt, outcome) => {
  const call = new ProviderCall("a");
  call.ended(attempt);
  expect(call.outcome).toBe(outcome);
});

test("the head's time is told only where a head came", () => {
  const call = new ProviderCall("a");
  expect(call.headMs).toBeNull();
  call.headCame();
  expect(call.headMs).toBeGreaterThanOrEqual(0);
});

test.each<[string, Attempt, number | null]>([
  ["an answer", buffered(429), 429],
  ["a stream", relayed("complete"), 200],
  ["a failure with a status", failed("upstream_error", 503), 503],
  ["a timeout", failed("upstream_timeout"), null],
  ["a connection that failed", unsent("upstream_error"), null],
])("%s is recorded with its status and time", (_name, attempt, status) => {
  const call = new ProviderCall("a");
  expect([call.status, call.ms]).toEqual([null, null]);
  call.ended(attempt);
  expect(call.status).toBe(status);
  expect(call.ms).toBeGreaterThanOrEqual(0);
});
