import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { exchangeRaw, statusesOf, type RawAnswer } from "../support/raw-socket.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

interface Expected {
  readonly status: number;
  readonly code?: string;
}

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, { method, headers });
  const text = await response.text();
  return { response, text };
}

test.each(["/v1/models", "/v1/me", "/v1/security/detectors"])(
  "%s has a line in the log, with the error code and without the key",
  async (path) => {
    const { response } = await ask("GET", path, { authorization: "Bearer sk-gw-wrong" });
    const id = response.headers.get("x-svc-request-id");
    const line = gateway.log.find((one) => one["request_id"] === id);
    expect(line).toMatchObject({ route: "service", status: 401, error_code: "invalid_key" });
    expect(JSON.stringify(line)).not.toContain("sk-gw-wrong");
  },
);

describe("every answer has a request id, every error the envelope and its source", () => {
  const cases: [string, string, Record<string, string>, Expected][] = [
    ["GET", "/version", {}, { status: 200 }],
    ["GET", "/healthz", {}, { status: 200 }],
    ["GET", "/readyz", {}, { status: 200 }],
    ["GET", "/v1/models", {}, { status: 401, code: "invalid_key" }],
    ["GET", "/", {}, { status: 404, code: "unknown_route" }],
    ["GET", "/v1/chat/completions", {}, { status: 405, code: "method_not_allowed" }],
    ["DELETE", "/version", {}, { status: 405, code: "method_not_allowed" }],
    ["GET", "/v1/responses", {}, { status: 405, code: "method_not_allowed" }],
    ["GET", "/v1/nothing", {}, { status: 404, code: "unknown_route" }],
    [
      "GET",
      "/v1/nothing",
      { authorization: "Bearer sk-1" },
      { status: 400, code: "missing_upstream_header" },
    ],
    // spec: Namespaces. What does not exist is 404 without a look at the key …
    ["GET", "/v1/me/nothing", {}, { status: 404, code: "unknown_route" }],
    ["GET", "/v1/security/nothing", {}, { status: 404, code: "unknown_route" }],
    ["POST", "/v1/audit/nothing", {}, { status: 404, code: "unknown_route" }],
    [
      "GET",
      "/v1/security/nothing",
      { authorization: "Bearer sk-1" },
      { status: 404, code: "unknown_route" },
    ],
    // … and what exists wants one.
    ["POST", "/v1/security/scan", {}, { status: 401, code: "invalid_key" }],
    [
      "POST",
      "/v1/security/scan",
      { authorization: "Bearer sk-gw-x" },
      { status: 401, code: "invalid_key" },
    ],
    [
      "POST",
      "/v1/security/scan",
      { authorization: "Bearer sk-1" },
      { status: 404, code: "unknown_route" },
    ],
    ["GET", "/toString", {}, { status: 404, code: "unknown_route" }],
    ["GET", "/__proto__", {}, { status: 404, code: "unknown_route" }],
  ];
  test.each(cases)("%s %s %o", async (method, path, headers, expected) => {
    const { response, text } = await ask(method, path, headers);
    expect(response.status).toBe(expected.status);
    expect(response.headers.get("x-svc-request-id")).toMatch(/^req_[\w-]+$/);
    if (expected.code === undefined) return;
    const { error } = JSON.parse(text) as {
      error: { code: string; source: string; message: string };
    };
    expect(error.code).toBe(expected.code);
    expect(error.message).toMatch(/./);
    expect(response.headers.get("x-svc-error-source")).toBe(error.source);
  });

  test.each([
    [
      "a base address without /v1",
      "POST",
      "/chat/completions",
      "/v1/chat/completions, /v1/messages, ",
    ],
    ["one with a /v1 too many", "POST", "/v1/v1/messages", "/v1/chat/completions, /v1/messages, "],
    ["another endpoint of a provider", "POST", "/v1/images/generations", "X-Svc-Upstream-Url"],
    ["the keys API at the gateway", "GET", "/api/v1/gateway/orgs", "keys API"],
  ])("404 tells where to go: %s", async (_name, method, path, hint) => {
    const { text } = await ask(method, path, { authorization: `Bearer ${gateway.key}` });
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    expect(error.code).toBe("unknown_route");
    expect(error.message).toContain(hint);
  });

  test("405 names what is allowed", async () => {
    const { response } = await ask("DELETE", "/v1/models");
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  });

  test.each([
    ["/v1/responses", 426],
    ["/v1/messages", 426],
    // What takes a GET serves it, and elsewhere a WebSocket is a method like any other.
    ["/version", 200],
    ["/v1/security/mcp", 405],
  ])("a WebSocket is asked for at %s: %i, and the connection goes on", async (path, status) => {
    const wish = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    const head = [`GET ${path} HTTP/1.1`, "Host: g", ...wish, key, "", ""].join("\r\n");
    const next = "GET /version HTTP/1.1\r\nHost: g\r\n\r\n";
    const isOver = ({ text }: RawAnswer) => statusesOf(text).length === 2;
    const { text } = await exchangeRaw(gateway.url, head + next, isOver);
    expect(statusesOf(text)).toEqual([status, 200]);
    if (status !== 426) return;
    expect(text).toContain('"code":"websocket_unsupported"');
    expect(text).toMatch(/\r\nUpgrade: HTTP\/1.1\r\n/);
  });

  test("HEAD has the headers of GET and no body", async () => {
    const { response, text } = await ask("HEAD", "/version");
    expect(response.status).toBe(200);
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(0);
    expect(text).toBe("");
  });
});

describe("keys", () => {
  const chat = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers,
      body: '{"model":"demo/echo","messages":[{"role":"user","content":"hi"}]}',
    });

  test("in either header, in x-api-key, and not otherwise", async () => {
    expect((await chat({ authorization: `Bearer ${gateway.key}` })).status).toBe(200);
    expect((await chat({ "x-svc-api-key": gateway.key })).status).toBe(200);
    expect((await chat({ "x-api-key": gateway.key })).status).toBe(200);
    expect((await chat({})).status).toBe(401);
    expect((await chat({ authorization: `Bearer ${gateway.key}0` })).status).toBe(401);
    expect((await chat({ authorization: `Basic ${gateway.key}` })).status).not.toBe(500);
  });

  test("a platform key calls no model", async () => {
    const response = await chat({ authorization: `Bearer ${gateway.operatorKey}` });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "org_membership_not_found" } });
  });
});

test("the model list serves both SDKs' shapes", async () => {
  const list = async (query: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${gateway.url}/v1/models${query}`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const whole = await list("");
  expect(whole).toMatchObject({ object: "list", has_more: false, first_id: "demo/echo" });
  const data = whole["data"] as Record<string, unknown>[];
  expect(data[0]).toMatchObject({
    id: "demo/echo",
    object: "model",
    owned_by: "demo",
    type: "model",
    display_name: "demo/echo",
  });
  expect(await list("?limit=1")).toMatchObject({ has_more: true, last_id: "demo/echo" });
  const ids = data.map(({ id }) => String(id));
  const [first, second, third] = ids;
  expect(await list(`?after_id=${first}&limit=1`)).toMatchObject({
    has_more: true,
    last_id: second,
  });
  expect(await list(`?before_id=${third}&limit=1`)).toMatchObject({
    has_more: true,
    last_id: second,
  });
  expect(await list(`?before_id=${second}&limit=1`)).toMatchObject({ has_more: false });
  expect(await list(`?after_id=${ids.at(-1)}`)).toMatchObject({ data: [], has_more: false });
  expect(await list("?after_id=nobody")).toMatchObject({
    error: { code: "invalid_request", param: "after_id" },
  });
  expect(await list("?limit=1000")).toEqual(whole);
  for (const limit of ["0", "-1", "1.5", "1e1", "abc", ""]) {
    expect(await list(`?limit=${limit}`)).toMatchObject({
      error: { code: "invalid_request", param: "limit" },
    });
  }
});

test("metrics stand on the keys API's listener, not on the gateway's", async () => {
  const metrics = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
  expect(metrics).toContain("weir_requests_total{");
  expect(metrics).toContain("process_cpu_seconds_total");
  expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
});

test("metrics are not for a web page whose name was pointed at this machine", async () => {
  const { keysUrl } = gateway;
  const statusFor = async (url: string, host: string): Promise<number | undefined> => {
    const request = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const { text } = await exchangeRaw(url, request, ({ text }) => /\r\n\r\n./s.test(text));
    if (/^HTTP\S+ 403 /.test(text)) expect(text).toContain('"code":"forbidden"');
    return statusesOf(text)[0];
  };
  expect(await statusFor(keysUrl, "evil.example:8788")).toBe(403);
  for (const host of ["localhost:8788", "127.0.0.1", "[::1]:8788", "192.0.2.7"]) {
    expect([host, await statusFor(keysUrl, host)]).toEqual([host, 200]);
  }
  const named = await startGateway({ config: { network: { allowedHosts: ["Gate.example"] } } });
  expect(await statusFor(named.keysUrl, "gate.example:8788")).toBe(200);
  expect(await statusFor(named.keysUrl, "evil.example")).toBe(403);
  await named.stop();
});

test("metrics need an operator key where others than this machine can reach them", async () => {
  const exposed = await startGateway({ env: { GATEWAY_HOST: "0.0.0.0" } });
  const status = async (key: string): Promise<number> => {
    const headers = key === "" ? {} : { authorization: `Bearer ${key}` };
    return (await fetch(`${exposed.keysUrl}/metrics`, { headers })).status;
  };
  expect(await status("")).toBe(401);
  expect(await status("sk-gw-wrong")).toBe(401);
  expect(await status(exposed.key)).toBe(403);
  expect(await status(exposed.operatorKey)).toBe(200);
  await exposed.stop();
});

test("the OpenAPI document is public", async () => {
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as object;
  expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
});

test("the catalog of detectors is for keys of an organization", async () => {
  const url = `${gateway.url}/v1/security/detectors`;
  expect((await fetch(url)).status).toBe(401);
  const headers = { authorization: `Bearer ${gateway.key}` };
  const { data } = (await (await fetch(url, { headers })).json()) as { data: object[] };
  for (const entity_type of ["EMAIL_ADDRESS", "PERSON", "NPI", "GITHUB_TOKEN"]) {
    expect(data).toContainEqual(expect.objectContaining({ entity_type }));
  }
});

test("one structured line a request", () => {
  const line = gateway.log.find(({ route, status }) => route === "chat" && status === 200);
  expect(line).toMatchObject({
    msg: "request",
    model: "demo/echo",
    account: "demo",
    verdict: "allow",
    upstream_status: 200,
    own_keys: false,
  });
});
