import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProviderAccount } from "../../src/contract/account.ts";
import { header } from "../../src/exchange/exchange.ts";
import {
  answerHeaders,
  forwardedQuery,
  byokHeaders,
  payThroughHeaders,
} from "../../src/exchange/forward-headers.ts";

const key = "sk-gw-" + "a".repeat(48);
const account: ProviderAccount = {
  name: "one",
  provider: "one",
  type: "openai",
  origin: "https://api.example.com",
  basePath: "",
  wires: ["chat", "messages"],
  credential: "sk-provider",
  credentialVariable: null,
  models: [],
  apiPath: "/v1",
  query: "",
  credentialHeader: null,
  orgId: null,
  timeoutsMs: { connect: 1, headers: 1, idle: 1 },
  responseBytesMax: 1,
};

describe("pay-through", () => {
  const sent = [
    "host", "gateway", "content-length", "3", "connection", "keep-alive", "cookie", "a=b",
    "authorization", `Bearer ${key}`, "x-api-key", "sk-ant-1", "x-svc-provider", "one",
    "content-type", "application/json", "accept", "*/*", "user-agent", "x", "accept-encoding", "br",
    "anthropic-version", "2024-01-01", "anthropic-beta", "b", "openai-organization", "o",
    "openai-project", "p", "openai-beta", "assistants=v2",
    "x-stainless-lang", "js", "x-forwarded-for", "1.2.3.4", "idempotency-key", "i",
    "traceparent", "00-1-2-01", "tracestate", "a=1",
  ]; // prettier-ignore

  test("only what is listed leaves, with the account's credential", () => {
    const headers = payThroughHeaders(sent, account, "chat");
    const names = headers.filter((_, i) => i % 2 === 0);
    expect(names.toSorted()).toEqual([
      "accept", "accept-encoding", "anthropic-beta", "anthropic-version", "authorization",
      "content-type", "idempotency-key", "openai-beta", "traceparent", "tracestate", "user-agent",
      "x-stainless-lang",
    ]); // prettier-ignore
    expect(header(headers, "authorization")).toBe("Bearer sk-provider");
    expect(header(headers, "accept-encoding")).toBe("identity");
  });

  test("the messages wire has its own credential slot and a version", () => {
    const headers = payThroughHeaders([], account, "messages");
    expect(header(headers, "x-api-key")).toBe("sk-provider");
    expect(header(headers, "authorization")).toBeUndefined();
    expect(header(headers, "anthropic-version")).toBe("2023-06-01");
    expect(header(payThroughHeaders(sent, account, "messages"), "anthropic-version")).toBe(
      "2024-01-01",
    );
  });

  test("an account without a credential sends none", () => {
    const headers = payThroughHeaders(sent, { ...account, credential: null }, "chat");
    expect(header(headers, "authorization")).toBeUndefined();
  });
});

describe("own keys", () => {
  test("everything but hop-by-hop, cookies, X-Svc-*, encodings and what Connection lists", () => {
    const headers = byokHeaders([
      "host", "gateway", "connection", "keep-alive, X-Hop", "x-hop", "1", "keep-alive", "5",
      "transfer-encoding", "chunked", "te", "trailers", "expect", "100-continue", "cookie", "a=b",
      "content-length", "3", "trailer", "x-sum", "upgrade", "h2c", "http2-settings", "AAMAAABkAAQ",
      "proxy-authorization", "Basic YTpi", "proxy-connection", "keep-alive",
      "x-svc-api-key", key, "x-svc-upstream-url", "https://x", "content-encoding", "gzip",
      "authorization", "Bearer sk-1", "accept-encoding", "br", "x-custom", "authorization",
    ]); // prettier-ignore
    expect(headers).toEqual([
      "authorization", "Bearer sk-1", "accept-encoding", "br", "x-custom", "authorization",
    ]); // prettier-ignore
  });

  test("a service key never leaves, wherever it stands", () => {
    const names = [
      "authorization",
      "x-api-key",
      "api-key",
      "x-goog-api-key",
      "x-svc-api-key",
      "x-else",
    ];
    const value = fc.constantFrom(
      key,
      `Bearer ${key}`,
      `bearer  ${key}`,
      key.toUpperCase(),
      "sk-other",
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), value)), (pairs) => {
        const flat = pairs.flat();
        expect(byokHeaders(flat).join(" ").toLowerCase()).not.toContain("sk-gw-");
        expect(payThroughHeaders(flat, account, "chat").join(" ").toLowerCase()).not.toContain(
          "sk-gw-",
        );
      }),
    );
  });
});

test("the query keeps its bytes, but for a service key", () => {
  expect(forwardedQuery("")).toBe("");
  expect(forwardedQuery("beta=true&a=%20b")).toBe("?beta=true&a=%20b");
  expect(forwardedQuery(`a=1&key=${key}&b=2`)).toBe("?a=1&b=2");
  expect(forwardedQuery(`key=sk%2Dgw%2D${"a".repeat(48)}`)).toBe("");
  expect(forwardedQuery("key=AIza&b=%zz")).toBe("?key=AIza&b=%zz");
});

test("an answer's headers: the service's first, the provider's own service headers dropped", () => {
  const upstream = [
    "content-type", "text/event-stream", "connection", "close, X-Hop", "transfer-encoding", "chunked",
    "content-length", "3", "keep-alive", "timeout=5", "trailer", "x-sum", "upgrade", "h2c",
    "proxy-authenticate", "Basic", "x-hop", "1", "alt-svc", 'h3=":443"', "set-cookie", "a=b", "x-svc-cost-usd", "0", "date", "x", "x-request-id", "r",
    "retry-after", "3", "anthropic-ratelimit-requests-remaining", "1", "content-encoding", "br",
    "x-ratelimit-limit", "9", "x-ratelimit-reset", "1", "x-ratelimit-reset-tokens", "6m0s",
  ]; // prettier-ignore
  expect(answerHeaders(upstream, ["X-Svc-A", "1"])).toEqual([
    "X-Svc-A", "1", "content-type", "text/event-stream", "x-request-id", "r",
    "retry-after", "3", "anthropic-ratelimit-requests-remaining", "1", "content-encoding", "br",
    "x-ratelimit-reset-tokens", "6m0s",
  ]); // prettier-ignore
});
