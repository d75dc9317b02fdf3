import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi } from "../../support/keys-api.ts";
import { answerFaults } from "../../openapi/described-api.ts";
import { callTool, post, rpc, statelessMeta, type RpcResponse } from "./mcp-client.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const call = (given: unknown, name: unknown = "security_scan") => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: given },
});
const stateless = (method: string, params: object = {}, meta: object = statelessMeta) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: { ...params, _meta: meta },
});
const old = { "mcp-protocol-version": "2025-06-18" };
const middle = { "mcp-protocol-version": "2025-11-25" };
const current = (method: string, name?: string) => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...(name === undefined ? {} : { "mcp-name": name }),
});

describe("a message that is not served", () => {
  const scanHeaders = current("tools/call", "security_scan");
  const scan = stateless("tools/call", { name: "security_scan", arguments: { input: "hi" } });
  test.each<[string, unknown, Record<string, string>, number, number]>([
    ["is not JSON", "{", {}, 400, -32700],
    ["is not UTF-8", '{"jsonrpc":"2.0","id":1,"method":"pi\\x"}', {}, 400, -32700],
    ["is empty", "", {}, 400, -32700],
    ["is a batch", [list], {}, 400, -32600],
    ["is an empty batch", [], {}, 400, -32600],
    ["is a string", '"hi"', {}, 400, -32600],
    ["has no jsonrpc", { id: 1, method: "ping" }, {}, 400, -32600],
    ["has another jsonrpc", { ...list, jsonrpc: "1.0" }, {}, 400, -32600],
    ["has jsonrpc as a number", { ...list, jsonrpc: 2 }, {}, 400, -32600],
    ["has a null id", { ...list, id: null }, {}, 400, -32600],
    ["has a fraction as id", { ...list, id: 1.5 }, {}, 400, -32600],
    ["has an object as id", { ...list, id: {} }, {}, 400, -32600],
    ["has no method", { jsonrpc: "2.0", id: 1 }, {}, 400, -32600],
    ["is a response", { jsonrpc: "2.0", id: 1, result: {} }, {}, 400, -32600],
    ["has two methods", '{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}', {}, 400, -32600],
    ["has an endless id", { ...list, id: "x".repeat(70_000) }, {}, 400, -32600],
    ["has a list of params", { ...list, params: [] }, {}, 400, -32602],
    [
      "has two names",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}',
      {},
      400,
      -32602,
    ],
    ["has an unknown method", { ...list, method: "resources/list" }, {}, 200, -32601],
    ["discovers without a version", { ...list, method: "server/discover" }, {}, 200, -32601],
    ["calls no tool", call({}, undefined), {}, 200, -32602],
    ["calls a number", call({}, 5), {}, 200, -32602],
    ["calls another tool", call({}, "security_scam"), {}, 200, -32602],
    ["has a list of arguments", call([]), middle, 200, -32602],
    ["has wrong arguments, before 2025-11-25", call({ input: 5 }), old, 200, -32602],
    ["has wrong arguments and no version", call({ input: 5 }), {}, 200, -32602],
    ["has a version that is none", list, { "mcp-protocol-version": "1999-01-01" }, 400, -32022],
    [
      "names a version to come",
      stateless(
        "tools/list",
        {},
        { ...statelessMeta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
      ),
      { ...current("tools/list"), "mcp-protocol-version": "2099-01-01" },
      400,
      -32022,
    ],
    ["has no _meta", list, current("tools/list"), 400, -32602],
    [
      "has no capabilities",
      stateless("tools/list", {}, { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }),
      current("tools/list"),
      400,
      -32602,
    ],
    ["has no version header", stateless("tools/list"), { "mcp-method": "tools/list" }, 400, -32020],
    [
      "has another version in its header",
      stateless("tools/list"),
      { ...current("tools/list"), "mcp-protocol-version": "2025-11-25" },
      400,
      -32020,
    ],
    [
      "has no method header",
      stateless("tools/list"),
      { "mcp-protocol-version": "2026-07-28" },
      400,
      -32020,
    ],
    [
      "has another method in its header",
      stateless("tools/list"),
      current("tools/call"),
      400,
      -32020,
    ],
    ["has no name header", scan, current("tools/call"), 400, -32020],
    ["has another name in its header", scan, { ...scanHeaders, "mcp-name": "x" }, 400, -32020],
    ["pings without a handshake", stateless("ping"), current("ping"), 404, -32601],
    [
      "initializes in the revision without it",
      stateless("initialize"),
      current("initialize"),
      404,
      -32601,
    ],
    [
      "calls another tool without a handshake",
      stateless("tools/call", { name: "x" }),
      current("tools/call", "x"),
      200,
      -32602,
    ],
  ])("%s", async (_, message, headers, status, code) => {
    const response = await post(gateway, message, headers);
    const copy = response.clone();
    const body = (await response.json()) as RpcResponse;
    expect([response.status, body.error?.code, body.result]).toEqual([status, code, undefined]);
    expect(await answerFaults("POST", "/v1/security/mcp", copy)).toEqual([]);
  });

  test("for an argument that the tool does not take names it, and all that it takes", async () => {
    const { body } = await rpc(gateway, call({ input: "a", text: "b" }));
    expect(body.error?.message).toMatch(/ but include_redacted_text, .*input.*; it has "text"\.$/);
  });

  test("is answered under its own id, if that could be read", async () => {
    const idOf = async (message: unknown) => (await rpc(gateway, message)).body.id;
    expect(await idOf({ jsonrpc: "2.0", id: "a", method: "x" })).toBe("a");
    expect(await idOf({ jsonrpc: "1.0", id: 7, method: "x" })).toBe(7);
    expect(await idOf("{")).toBeNull();
    expect(await idOf([])).toBeNull();
  });
});

describe("a message that is served", () => {
  test.each([
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2024-11-05", "2025-11-25"],
    [undefined, "2025-11-25"],
  ])("initialize with %s answers %s", async (protocolVersion, version) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const { body } = await rpc(gateway, { jsonrpc: "2.0", id: 0, method: "initialize", params });
    expect(body.result).toMatchObject({
      protocolVersion: version,
      capabilities: { tools: {} },
      serverInfo: { name: "weir" },
    });
  });

  test.each([
    [{ jsonrpc: "2.0", method: "notifications/initialized" }, {}],
    [{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, old],
    [{ jsonrpc: "2.0", method: "notifications/cancelled" }, current("notifications/cancelled")],
  ])("a notification has no answer", async (message, headers) => {
    const response = await post(gateway, message, headers);
    const copy = response.clone();
    expect([response.status, await response.text()]).toEqual([202, ""]);
    expect(await answerFaults("POST", "/v1/security/mcp", copy)).toEqual([]);
  });

  test("ping", async () => {
    const { body } = await rpc(gateway, { jsonrpc: "2.0", id: 3, method: "ping" });
    expect(body).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
  });

  test("the list of tools is the same in every revision, and says how long it holds in the last", async () => {
    const before = await rpc(gateway, list, old);
    const after = await rpc(gateway, stateless("tools/list"), current("tools/list"));
    expect(after.body.result?.["tools"]).toEqual(before.body.result?.["tools"]);
    expect(after.body.result).toMatchObject({ resultType: "complete", cacheScope: "public" });
    expect(before.body.result?.["tools"]).toMatchObject([
      { name: "security_scan", annotations: { readOnlyHint: true } },
    ]);
  });

  test("discovery", async () => {
    const { body } = await rpc(gateway, stateless("server/discover"), current("server/discover"));
    expect(body.result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "weir" } },
    });
  });

  test.each([
    ["application/json, text/event-stream", "application/json"],
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    ["text/event-stream", "text/event-stream"],
    ["text/event-stream, */*;q=0.1", "text/event-stream"],
    ["application/json;q=0.5, text/event-stream", "text/event-stream"],
    ["text/event-stream;q=0, application/json", "application/json"],
    ["text/html", "application/json"],
  ])("Accept: %s is answered with %s", async (accept, type) => {
    const response = await post(gateway, list, { accept });
    const copy = response.clone();
    expect(response.headers.get("content-type")).toBe(type);
    const text = await response.text();
    const json =
      type === "application/json" ? text : /^event: message\ndata: (.*)\n\n$/.exec(text)?.[1];
    expect(JSON.parse(json ?? "")).toMatchObject({ jsonrpc: "2.0", id: 1 });
    expect(await answerFaults("POST", "/v1/security/mcp", copy)).toEqual([]);
  });

  test("a name that is written in Base64 in its header is read", async () => {
    const name = Buffer.from("security_scan").toString("base64");
    const message = stateless("tools/call", { name: "security_scan", arguments: { input: "hi" } });
    const { body } = await rpc(gateway, message, current("tools/call", `=?base64?${name}?=`));
    expect(body.result).toMatchObject({ isError: false, resultType: "complete" });
  });
});

describe("HTTP", () => {
  test.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS"])("%s is not allowed", async (method) => {
    const response = await fetch(`${gateway.url}/v1/security/mcp`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test.each<[string, Record<string, string>, number, string]>([
    ["no key", { authorization: "" }, 401, "invalid_key"],
    ["a wrong key", { authorization: "Bearer sk-gw-wrong" }, 401, "invalid_key"],
    ["a provider's key", { authorization: "Bearer sk-provider" }, 404, "unknown_route"],
    ["a foreign page", { origin: "https://evil.example" }, 403, "forbidden"],
    ["a page without an origin", { origin: "null" }, 403, "forbidden"],
    ["a page on another address", { origin: "http://192.0.2.1" }, 403, "forbidden"],
  ])("%s is refused before the message is read", async (_, headers, status, code) => {
    const response = await post(gateway, "{", headers);
    const copy = response.clone();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(await answerFaults("POST", "/v1/security/mcp", copy)).toEqual([]);
  });

  test("an operator's key belongs to no organization", async () => {
    const response = await post(gateway, list, { authorization: `Bearer ${gateway.operatorKey}` });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "org_membership_not_found" } });
  });

  test.each([
    ["evil.example:8787", 403],
    ["localhost", 200],
    ["[::1]:1", 200],
    ["192.0.2.7", 200],
  ])("Host: %s is answered with %i", async (host, status) => {
    expect(await statusFor(gateway, host)).toBe(status);
  });

  test("a page on this machine may call", async () => {
    expect((await post(gateway, list, { origin: "http://localhost:6274" })).status).toBe(200);
  });

  test("names that are configured may call", async () => {
    const named = await startGateway({
      env: {},
      config: { network: { allowedHosts: ["Gate.example"] } },
    });
    try {
      expect(await statusFor(named, "gate.example:443")).toBe(200);
      expect(await statusFor(named, "gate.example", "https://gate.example")).toBe(200);
      expect(await statusFor(named, "evil.example")).toBe(403);
    } finally {
      await named.stop();
    }
  });
});

describe("the tool", () => {
  const secret = "jane.doe@example.com";

  test("answers with a scan response, and says nothing of what was submitted", async () => {
    const given = { input: `Mail ${secret}`, categories: ["prompt_injection", "pii"] };
    const result = await callTool(gateway, given);
    expect(result.isError).toBe(false);
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result.structuredContent).toMatchObject({
      injection: { verdict: "allow" },
      detections: [{ entity_type: "EMAIL_ADDRESS", start: 5 }],
    });
    expect(result.structuredContent).not.toHaveProperty("redacted_text");
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  test("is one event's data, whatever stands between the tokens of what was submitted", async () => {
    const given = { request_format: "openai", categories: ["pii"], include_redacted_text: true };
    const request = { messages: [{ role: "user", content: `Mail ${secret}` }] };
    const params = { name: "security_scan", arguments: { ...given, request } };
    const message = JSON.stringify(
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      null,
      2,
    );
    const response = await post(gateway, message.replaceAll("\n", "\r\n"), {
      accept: "text/event-stream",
    });
    const data = /^event: message\ndata: (.*)\n\n$/.exec(await response.text())?.[1] ?? "";
    expect(JSON.parse(data)).toMatchObject({
      result: {
        structuredContent: {
          redacted_text: { messages: [{ role: "user", content: "Mail <EMAIL>" }] },
        },
      },
    });
  });

  test.each([
    [true, "Mail <EMAIL>"],
    [false, undefined],
  ])("include_redacted_text %s", async (include_redacted_text, text) => {
    const result = await callTool(gateway, {
      input: `Mail ${secret}`,
      categories: ["pii"],
      include_redacted_text,
    });
    expect(result.structuredContent["redacted_text"]).toBe(text);
  });

  test("redacted_text is null where it was asked for and nothing was found", async () => {
    const result = await callTool(gateway, { input: "Mail", include_redacted_text: true });
    expect(result.structuredContent["redacted_text"]).toBeNull();
  });

  test("takes a provider's request and patterns", async () => {
    const messages = [{ role: "user", content: `Mail ${secret}` }];
    const result = await callTool(gateway, {
      request: { model: "x", messages },
      request_format: "openai",
      custom_patterns: [{ name: "m", regex: "Mail", direction: "both", action: "flag" }],
    });
    expect(result.structuredContent["custom_pattern_findings"]).toMatchObject([
      { pattern_name: "m", location: { source: "messages", index: 0 } },
    ]);
  });

  test.each<[string, object | undefined, string]>([
    ["no arguments", undefined, "invalid_request"],
    ["no target", {}, "invalid_request"],
    ["two targets", { input: "a", request: {}, request_format: "openai" }, "invalid_request"],
    ["an empty text", { input: "" }, "invalid_request"],
    ["a wrong segment", { input: secret, segment: secret }, "invalid_request"],
    ["an unknown member", { input: "a", [secret]: 1 }, "invalid_request"],
    ["a wrong flag", { input: "a", include_redacted_text: secret }, "invalid_request"],
    ["a content too large", { input: "a".repeat(4_194_305) }, "scan_input_too_large"],
    [
      "a wrong pattern",
      {
        input: "a",
        custom_patterns: [{ name: "p", regex: "(", direction: "both", action: "flag" }],
      },
      "invalid_request",
    ],
  ])("%s is a failure of the tool", async (_, given, code) => {
    const result = await callTool(gateway, given);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ error: { code } });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  test("is billed as a scan, and the list of tools is not", async () => {
    const before = await balanceUsd();
    await rpc(gateway, list);
    expect(await balanceUsd()).toBe(before);
    const response = await post(gateway, call({ input: "hi" }), middle);
    expect(response.headers.get("x-svc-cost-usd")).toBe("0.000010");
    expect(await answerFaults("POST", "/v1/security/mcp", response)).toEqual([]);
    expect(Number(before) - Number(await balanceUsd())).toBeCloseTo(0.00001, 6);
  });

  test("its requests are logged under their route, with the code of a failure", async () => {
    await callTool(gateway, { input: "" });
    const line = gateway.log.findLast(({ route }) => route === "mcp");
    expect(line).toMatchObject({ route: "mcp", error_code: "invalid_request" });
  });
});

test("a key's limit that is used up refuses a request, and fails a call of the tool", async () => {
  const api = new KeysApi(gateway);
  const orgId = await api.firstOrganization();
  const { secret } = await api.key({ orgId, rateLimit: 1 });
  const caller = { ...gateway, key: secret };
  expect((await post(caller, list)).status).toBe(200);
  const response = await post(caller, list);
  const copy = response.clone();
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
  expect(await answerFaults("POST", "/v1/security/mcp", copy)).toEqual([]);
  const result = await callTool(caller, { input: "hi" });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "rate_limit_exceeded" } },
  });
});

test("a scan limit that is used up is the tool's failure, and no other request's", async () => {
  const limited = await startGateway({ config: { scan: { requestsPerMinute: 1 } } });
  try {
    expect((await callTool(limited, { input: "hi" })).isError).toBe(false);
    const response = await post(limited, call({ input: "hi" }), middle);
    const copy = response.clone();
    expect(response.status).toBe(200);
    expect(response.headers.get("retry-after")).not.toBeNull();
    expect(await response.json()).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: "rate_limit_exceeded" } } },
    });
    expect(await answerFaults("POST", "/v1/security/mcp", copy)).toEqual([]);
    expect((await post(limited, list)).status).toBe(200);
  } finally {
    await limited.stop();
  }
});

async function balanceUsd(): Promise<string> {
  const response = await fetch(`${gateway.url}/v1/me`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  const me = (await response.json()) as {
    readonly data: { readonly balance: { readonly balanceUsd: string } };
  };
  return me.data.balance.balanceUsd;
}

/** fetch sets Host itself. */
function statusFor(to: TestGateway, host: string, origin?: string): Promise<number | undefined> {
  const headers = {
    host,
    authorization: `Bearer ${to.key}`,
    "content-type": "application/json",
    ...(origin === undefined ? {} : { origin }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${to.url}/v1/security/mcp`, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(list));
  });
}
