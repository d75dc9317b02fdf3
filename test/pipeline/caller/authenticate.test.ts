import { describe, expect, test } from "vitest";
import {
  authenticate,
  identify,
  readCredentials,
} from "../../../src/pipeline/caller/authenticate.ts";
import { accept } from "../../../src/contract/outcome.ts";
import { refuse } from "../../../src/contract/errors.ts";
import { header } from "../../../src/exchange/exchange.ts";
import { refusalAnswer } from "../../../src/exchange/refusal.ts";
import type { ApiKey } from "../../../src/contract/identity.ts";

const key = "sk-gw-" + "0".repeat(48);
const other = "sk-gw-" + "1".repeat(48);
const upstream = ["x-svc-upstream-url", "https://api.example.com"];

function read(headers: readonly string[], path = "/v1/chat/completions", query = ""): string {
  const credentials = readCredentials({ method: "POST", path, query, headers });
  return credentials.ok ? credentials.value.mode : credentials.refusal.code;
}

describe("who pays (design section 7)", () => {
  const rows: [string, readonly string[], string][] = [
    ["service key, bearer", ["authorization", `Bearer ${key}`], "pay_through"],
    ["service key, bearer in lower case", ["authorization", `bearer ${key}`], "pay_through"],
    ["service key, X-Svc-Api-Key", ["x-svc-api-key", key], "pay_through"],
    ["service key, x-api-key", ["x-api-key", key], "pay_through"],
    ["service key, api-key", ["api-key", key], "pay_through"],
    ["service key, x-goog-api-key", ["x-goog-api-key", key], "pay_through"],
    [
      "service key in the bearer slot, provider key in x-api-key",
      ["authorization", `Bearer ${key}`, "x-api-key", "sk-ant-1"],
      "pay_through",
    ],
    [
      "service key in X-Svc-Api-Key, another bearer token",
      ["x-svc-api-key", key, "authorization", "Bearer sk-1"],
      "missing_upstream_header",
    ],
    [
      "service key in X-Svc-Api-Key, provider key in x-api-key",
      ["x-svc-api-key", key, "x-api-key", "sk-ant-1"],
      "missing_upstream_header",
    ],
    [
      "service key, provider bearer, upstream",
      ["x-svc-api-key", key, "authorization", "Bearer sk-1", ...upstream],
      "own_keys",
    ],
    [
      "service key in the bearer slot, provider key in x-api-key, upstream",
      ["authorization", `Bearer ${key}`, "x-api-key", "sk-ant-1", ...upstream],
      "own_keys",
    ],
    [
      "service key in X-Svc-Api-Key, upstream, no provider key",
      ["x-svc-api-key", key, ...upstream],
      "own_keys",
    ],
    [
      "service key in the bearer slot, upstream, no provider key",
      ["authorization", `Bearer ${key}`, ...upstream],
      "invalid_request",
    ],
    [
      "the same key in two slots",
      ["authorization", `Bearer ${key}`, "x-svc-api-key", key],
      "pay_through",
    ],
    [
      "two different service keys",
      ["authorization", `Bearer ${key}`, "x-svc-api-key", other],
      "invalid_key",
    ],
    ["other bearer token", ["authorization", "Bearer sk-1"], "missing_upstream_header"],
    ["other bearer token, upstream", ["authorization", "Bearer sk-1", ...upstream], "keyless"],
    ["nothing", [], "invalid_key"],
    ["an empty bearer token", ["authorization", "Bearer "], "invalid_key"],
    ["X-Svc-Api-Key without the prefix", ["x-svc-api-key", "nonsense"], "pay_through"],
  ];
  test.each(rows)("%s", (_name, headers, result) => {
    expect(read(headers)).toBe(result);
  });

  test("a service key in the query", () => {
    expect(read([], undefined, `key=${key}`)).toBe("pay_through");
  });

  test.each(["/v1/me", "/v1/security/scan", "/v1/audit/events"])(
    "a forgotten upstream inside %s",
    (path) => {
      expect(read(["authorization", "Bearer sk-1"], path)).toBe("unknown_route");
    },
  );

  test.each([
    ["a provider key in x-api-key", ["x-api-key", "sk-ant-1"]],
    ["credentials for a proxy's password", ["authorization", "Basic dTpw"]],
  ])("X-Svc-Api-Key beside %s inside a namespace", (_name, headers) => {
    const both = ["x-svc-api-key", key, ...headers];
    expect(read(both)).toBe("missing_upstream_header");
    expect(read(both, "/v1/security/scan")).toBe("pay_through");
    const bearer = ["x-svc-api-key", key, "authorization", "Bearer sk-1"];
    expect(read(bearer, "/v1/security/scan")).toBe("unknown_route");
  });

  test("a path that only begins like a namespace", () => {
    expect(read(["authorization", "Bearer sk-1"], "/v1/meetings")).toBe("missing_upstream_header");
  });
});

describe("the key", () => {
  const headers = ["x-svc-api-key", key, "authorization", "Bearer sk-1", ...upstream];
  const head = { method: "POST", path: "/v1/messages", query: "", headers };

  test("could not be checked: no verdict on it, and when to come back", () => {
    const unavailable = refuse("auth_unavailable", "try again", { retryAfterSeconds: 1 });
    const found = identify(head, () => unavailable, true);
    expect(found).toEqual(unavailable);
    const answer = refusalAnswer(unavailable.refusal);
    expect(answer.status).toBe(503);
    expect(header(answer.headers, "Retry-After")).toBe("1");
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      error: { code: "auth_unavailable", source: "gateway", retryable: true },
    });
  });

  test("is asked for where keyless passthrough is off, and by every other endpoint", () => {
    const keyless = { ...head, headers: headers.slice(2) };
    const never = () => {
      throw new Error("no key was sent");
    };
    expect(identify(keyless, never, true)).toMatchObject({ ok: true, value: { key: null } });
    expect(identify(keyless, never, false)).toMatchObject({ refusal: { code: "invalid_key" } });
    expect(authenticate(keyless, never)).toMatchObject({ refusal: { code: "invalid_key" } });
  });
});

test("a platform key calls no model and no scan", () => {
  const platform: ApiKey = {
    id: "key_1",
    orgId: null,
    name: "operator",
    label: "sk-gw-000…0000",
    role: "operator",
    status: "active",
    rateLimit: null,
    allowedModels: null,
    securityPolicyId: null,
    team: null,
    responseCache: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    lastUsedAt: null,
    expiresAt: null,
  };
  const headers = ["authorization", `Bearer ${key}`];
  const head = { method: "POST", path: "/v1/messages", query: "", headers };
  const found = authenticate(head, () => accept(platform));
  expect(found).toMatchObject({ ok: false, refusal: { code: "org_membership_not_found" } });
});
