import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { rawHeader } from "../support/provider.ts";
import { exchangeRaw } from "../support/raw-socket.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

let provider: Recorder;
let gateway: TestGateway;
/** Answers of the provider that wait to be let go. */
const waiting: (() => void)[] = [];

beforeAll(async () => {
  provider = await startRecorder(({ url, rawHeaders }, response) => {
    response.setHeader("etag", '"v1"');
    if (rawHeader(rawHeaders, "if-none-match") === '"v1"') response.writeHead(304).end();
    else if (url.includes("wait")) waiting.push(() => response.end("{}"));
    else if (url.includes("rejected")) response.writeHead(401).end("{}");
    else if (url.includes("missing")) response.writeHead(404).end('{"no":1}');
    else response.setHeader("content-type", "application/json").end('{"managed":true}');
  });
  gateway = await startGateway({
    config: {
      providers: [
        {
          name: "claude",
          type: "anthropic",
          baseUrl: `${provider.origin}/base`,
          apiKey: { env: "OPERATORS_KEY" },
          models: ["m"],
        },
      ],
    },
    env: { OPERATORS_KEY: "operators-own-credential" },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(() => {
  provider.received.length = 0;
});

type Headers = Readonly<Record<string, string>>;
const both = (): Headers => ({ authorization: `Bearer ${gateway.key}`, "x-api-key": "P" });

function ask(path: string, headers: Headers = both(), method = "GET"): Promise<Response> {
  return fetch(gateway.url + path, { method, headers: { ...headers } });
}

async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return error.code;
}

describe("with both credentials", () => {
  test.each(["/api/claude_code/settings?x=1", "/api/oauth/profile", "/api/organizations/o/x"])(
    "%s is read from the caller's account",
    async (path) => {
      const response = await ask(path, { ...both(), "anthropic-beta": "oauth" });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ managed: true });
      expect(response.headers.get("x-svc-cost-calculation-status")).toBe("non_billable");
      expect(response.headers.get("x-svc-cost-usd")).toBe("0.000000");
      const { url, rawHeaders } = provider.received[0] ?? { url: "", rawHeaders: [] };
      expect(url).toBe(`/base${path}`);
      expect(rawHeader(rawHeaders, "x-api-key")).toBe("P");
      expect(rawHeader(rawHeaders, "authorization")).toBeUndefined();
      expect(rawHeader(rawHeaders, "anthropic-beta")).toBe("oauth");
      expect(JSON.stringify(rawHeaders)).not.toMatch(/sk-gw-|operators-own/i);
    },
  );

  test("ETag, If-None-Match and 304 pass", async () => {
    const first = await ask("/api/oauth/profile");
    expect(first.headers.get("etag")).toBe('"v1"');
    const second = await ask("/api/oauth/profile", { ...both(), "if-none-match": '"v1"' });
    expect(second.status).toBe(304);
    expect(second.headers.get("etag")).toBe('"v1"');
  });

  test("HEAD is a read, everything else is none", async () => {
    expect((await ask("/api/oauth/profile", both(), "HEAD")).status).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const response = await ask("/api/oauth/profile", both(), method);
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD");
    }
    expect(provider.received).toHaveLength(1);
  });

  test("a provider's key that is rejected", async () => {
    const response = await ask("/api/oauth/rejected");
    expect(response.status).toBe(401);
    expect(await codeOf(response)).toBe("invalid_byok_credentials");
  });

  test("a provider's own refusal", async () => {
    const response = await ask("/api/oauth/missing");
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('{"no":1}');
    expect(response.headers.get("x-svc-upstream-status")).toBe("404");
    const id = response.headers.get("x-svc-request-id");
    const line = gateway.log.find(({ request_id, msg }) => request_id === id && msg === "request");
    expect(line).toMatchObject({ error_code: "upstream_error", upstream_status: 404 });
  });

  test("a service key that is not valid", async () => {
    const headers = { ...both(), authorization: `Bearer sk-gw-${"0".repeat(48)}` };
    const response = await ask("/api/oauth/profile", headers);
    expect(response.status).toBe(401);
    expect(await codeOf(response)).toBe("invalid_key");
  });

  test("a platform key", async () => {
    const headers = { ...both(), authorization: `Bearer ${gateway.operatorKey}` };
    expect(await codeOf(await ask("/api/oauth/profile", headers))).toBe("org_membership_not_found");
  });
});

describe("without both", () => {
  const cases: [string, (key: string) => Headers][] = [
    ["none", () => ({})],
    ["the service key alone", (key) => ({ authorization: `Bearer ${key}` })],
    ["the service key twice", (key) => ({ authorization: `Bearer ${key}`, "x-api-key": key })],
    ["the service key in X-Svc-Api-Key", (key) => ({ "x-svc-api-key": key, "x-api-key": "P" })],
    ["the provider key alone", () => ({ "x-api-key": "P" })],
    ["a provider's bearer token", () => ({ authorization: "Bearer P" })],
    ["the slots the other way round", (key) => ({ authorization: "Bearer P", "x-api-key": key })],
  ];
  test.each(cases)("%s: 403", async (_name, headers) => {
    for (const path of ["/api/claude_code/settings", "/api/oauth/x", "/api/organizations/x"]) {
      const response = await ask(path, headers(gateway.key));
      expect(response.status).toBe(403);
      expect(response.headers.get("x-svc-error-source")).toBe("validation");
      expect(await codeOf(response)).toBe("control_plane_credential_required");
    }
    expect(provider.received).toHaveLength(0);
  });
});

test.each<[string, Headers]>([
  ["alone", { authorization: `Bearer sk-gw-${"0".repeat(48)}` }],
  ["in another slot", { "x-svc-api-key": `sk-gw-${"0".repeat(48)}`, "x-api-key": "P" }],
])("a service key that is not valid, %s: 401, whatever else is missing", async (_name, headers) => {
  const response = await ask("/api/claude_code/settings", headers);
  expect([response.status, await codeOf(response)]).toEqual([401, "invalid_key"]);
});

describe("what is not on the list", () => {
  test.each([
    "/api/oauth",
    "/api/oauth/",
    "/api/oauthx/profile",
    "/API/OAUTH/profile",
    "/api/else",
    "/api/oauth/../else",
    "/api/oauth/%2e%2e/else",
    "/api/oauth/%2E./else",
    "/api/oauth/%252e%252e/else",
    "/api/oauth/./profile",
    "/api/oauth//profile",
    "/api/oauth/..",
    "/api/oauth/..%2felse",
    "/api/oauth/x%2f..%2f..%2felse",
    "/api/oauth/..%5celse",
    "/api/oauth/..\\else",
    "/api/oauth/..;/else",
    "/api/else/../oauth/profile",
    "//api/oauth/profile",
  ])("%s", async (path) => {
    const request = [
      `GET ${path} HTTP/1.1`,
      "Host: gateway",
      ...Object.entries(both()).map(([name, value]) => `${name}: ${value}`),
      "Connection: close",
      "\r\n",
    ].join("\r\n");
    const answer = await exchangeRaw(gateway.url, request, ({ text }) => text.includes("}}"));
    expect(answer.text).toMatch(/^HTTP\/1.1 404 [^]*"unknown_route"/);
    expect(provider.received).toHaveLength(0);
  });
});

test("reads at once are bounded", async () => {
  const open = Array.from({ length: 32 }, () => ask("/api/oauth/wait"));
  await expect.poll(() => waiting.length).toBe(32);
  const refused = await ask("/api/oauth/wait");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({
    error: { code: "control_plane_busy", source: "gateway", retryable: true },
  });
  for (const answer of waiting.splice(0)) answer();
  expect((await Promise.all(open)).every(({ status }) => status === 200)).toBe(true);
  expect((await ask("/api/oauth/profile")).status).toBe(200);
});

test("a request that names its own upstream goes there", async () => {
  const headers = { ...both(), "x-svc-upstream-url": "http://10.0.0.1" };
  expect(await codeOf(await ask("/api/oauth/profile", headers))).toBe("ssrf_blocked");
});

test("/api/hello answers without a key", async () => {
  const response = await ask("/api/hello", {});
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ message: "hello" });
  expect((await ask("/api/hello", {}, "HEAD")).status).toBe(200);
});
