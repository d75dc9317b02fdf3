import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { modelEndpoints } from "../../src/contract/endpoints/by-path.ts";
import { circuitCallsMin } from "../../src/contract/limits.ts";
import { wires } from "../../src/contract/wire.ts";
import { startGateway, startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { startObservedProvider, type ObservedProvider } from "../support/provider.ts";
import { exchangeRaw, statusesOf } from "../support/raw-socket.ts";
import { startRecorder } from "../support/recorder.ts";

let provider: ObservedProvider;
let gateway: TestGateway;
const faultOf = new Map<string, string>();

beforeAll(async () => {
  provider = await startObservedProvider(faultOf);
  const closedPort = provider.demo.port === 1 ? 2 : 1;
  const models = [
    "fault-stall-headers",
    "fault-stall",
    "fault-too-large",
    "fault-reset",
    "fault-500",
    "fault-429",
  ];
  gateway = await startGateway({
    config: {
      providers: [
        provider.account("main", {
          ...{ models, wires: ["chat", "messages", "responses"] },
          timeoutsMs: { connect: 1000, headers: 300, idle: 300 },
          responseBytesMax: 1_000_000,
        }),
        provider.account("unset", { models: ["no-key"], apiKey: { env: "UNSET_KEY" }, wires }),
        // One for each endpoint, so that the failures of no account open its circuit.
        ...modelEndpoints.map(({ route }) =>
          provider.account(`of-${route}`, {
            ...{ models: ["fault-stall-headers", "fault-reset"], wires },
            timeoutsMs: { connect: 1000, headers: 300, idle: 300 },
          }),
        ),
        { name: "aws", type: "bedrock", models: ["nova"] },
        provider.account("dead", { models: ["dead"], baseUrl: `http://127.0.0.1:${closedPort}` }),
        // Pools: the first account fails in its own way, the second is well.
        provider.account("refusing", {
          models: ["pool-connect"],
          baseUrl: `http://127.0.0.1:${closedPort}`,
        }),
        provider.account("fine-1", { models: ["pool-connect"] }),
        provider.account("sick", { models: ["circuit"] }),
        provider.account("breaking", {
          models: ["fault-cut", "fault-mid-stream-reset", "stall"],
          timeoutsMs: { connect: 1000, headers: 300, idle: 300 },
        }),
      ],
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.demo.close();
});

function ask(model: string, path = "/v1/chat/completions", stream = false): Promise<Response> {
  return fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model,
      stream,
      max_tokens: 1000,
      ...(path === "/v1/responses" || path === "/v1/embeddings"
        ? { input: "hi" }
        : { messages: [{ role: "user", content: "hi" }] }),
    }),
  });
}

describe("every failure of an upstream has its code", () => {
  test.each([
    ["fault-stall-headers", 504, "upstream_timeout", "provider"],
    ["fault-too-large", 502, "upstream_response_too_large", "provider"],
    ["fault-reset", 502, "upstream_error", "provider"],
    ["dead", 502, "upstream_error", "provider"],
    ["no-key", 503, "missing_credentials", "customer_config"],
    ["nova", 503, "cloud_sdk_unavailable", "customer_config"],
  ])("%s", async (model, status, code, source) => {
    const response = await ask(model);
    expect(response.status).toBe(status);
    expect(response.headers.get("x-svc-error-source")).toBe(source);
    expect(response.headers.get("x-svc-request-id")).toMatch(/./);
    expect(await response.json()).toMatchObject({ error: { code, source } });
  });

  const everywhere = modelEndpoints.flatMap(({ path, route }) => [
    [path, `of-${route}/fault-stall-headers`, 504, "upstream_timeout"] as const,
    [path, `of-${route}/fault-reset`, 502, "upstream_error"] as const,
    [path, "unset/no-key", 503, "missing_credentials"] as const,
  ]);
  test.each(everywhere)("%s %s", async (path, model, status, code) => {
    const response = await ask(model, path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  test.each([
    ["dead", "ECONNREFUSED"],
    ["fault-reset", "ECONNRESET"],
    ["fault-stall-headers", "ERR_UPSTREAM_HEADERS_TIMEOUT"],
    ["pool-connect", "ECONNREFUSED"],
  ])("%s is %s in the log, and for no client", async (model, upstreamError) => {
    faultOf.set("pool-connect", "echo");
    const response = await ask(model);
    expect(await response.text()).not.toContain(upstreamError);
    const id = response.headers.get("x-svc-request-id");
    const line = () => gateway.log.find(({ request_id }) => request_id === id);
    await expect.poll(line).toMatchObject({ upstream_error: upstreamError });
  });

  test.each([
    ["fault-mid-stream-reset", /^(ECONNRESET|ERR_UPSTREAM_CLOSED)$/],
    ["stall", /^ERR_UPSTREAM_BODY_TIMEOUT$/],
    // The provider ended it in good order, but without its last event.
    ["fault-cut", /^null$/],
  ])("a stream cut by %s is %s in the log, and for no client", async (model, upstreamError) => {
    faultOf.set("stall", "fault-stall");
    const response = await ask(model, undefined, true);
    expect(await response.text()).not.toMatch(/ECONN|ERR_UPSTREAM/);
    const id = response.headers.get("x-svc-request-id");
    const line = () => gateway.log.find(({ request_id }) => request_id === id);
    await expect.poll(line).toMatchObject({ end: "cut" });
    expect(String(line()?.["upstream_error"])).toMatch(upstreamError);
  });

  test("what a provider says of waiting stands beside the code, and what the balance is", async () => {
    const said = {
      "retry-after": "7",
      "x-should-retry": "false",
      "x-ratelimit-limit-tokens": "9",
      "x-request-id": "req_provider",
    };
    const upstream = await startRecorder((_, response) => response.writeHead(503, said).end("{}"));
    const own = await startGatewayBefore(upstream.origin);
    const response = await fetch(`${own.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.key}` },
      body: JSON.stringify({ model: "m", max_tokens: 5, messages: [] }),
    });
    await own.stop();
    await upstream.close();
    expect(response.status).toBe(502);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...said,
      "x-svc-upstream-status": "503",
      "x-svc-payg-debited-cents": "0",
    });
  });

  test("a stream that falls silent ends with an error event, on every wire", async () => {
    const chat = await (await ask("fault-stall", undefined, true)).text();
    expect(chat).toContain('data: {"error":{"code":"upstream_timeout"');
    expect(chat).not.toContain("[DONE]");
    const messages = await (await ask("fault-stall", "/v1/messages", true)).text();
    expect(messages).toContain("event: error\ndata: ");
    expect(messages).not.toContain("message_stop");
    const responses = await (await ask("fault-stall", "/v1/responses", true)).text();
    expect(responses).toContain('event: error\ndata: {"type":"error","code":"upstream_timeout"');
    expect(responses).not.toContain("response.completed");
  });
});

describe("several accounts of one model", () => {
  test("fail over on a failed connection", async () => {
    faultOf.set("pool-connect", "echo");
    for (let i = 0; i < 4; i++) expect((await ask("pool-connect")).status).toBe(200);
  });

  test.each([
    ["fault-429", 2],
    ["fault-500", 2],
    // After a reset the provider may have done the work: no second call.
    ["fault-reset", 1],
    ["fault-stall-headers", 1],
    ["fault-400", 1],
  ])("%s costs %i calls in a pool of two", async (fault, calls) => {
    const pool = await startGateway({
      config: {
        providers: ["a", "b"].map((name) =>
          provider.account(name, {
            models: [fault],
            timeoutsMs: { connect: 1000, headers: 300, idle: 300 },
          }),
        ),
      },
    });
    provider.received.length = 0;
    await fetch(`${pool.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${pool.key}` },
      body: JSON.stringify({ model: fault, messages: [{ role: "user", content: "hi" }] }),
    });
    await pool.stop();
    expect(provider.received).toHaveLength(calls);
  });

  test("sustained failures take an account out of rotation", async () => {
    faultOf.set("circuit", "fault-500");
    for (let i = 0; i < circuitCallsMin; i++) expect((await ask("circuit")).status).toBe(502);
    const response = await ask("circuit");
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await response.json()).toMatchObject({
      error: { code: "circuit_open", retryable: true },
    });
  });
});

describe("one caller's requests never take an account from the others", () => {
  /** Twice as many as would open the circuit. */
  const many = 2 * circuitCallsMin;

  test.each([
    ["a query beyond ASCII that is no UTF-8", "?q=\xd0", []],
    ["a header that is no UTF-8", "", ["User-Agent: caf\xe9 x"]],
    ["a header with a control character", "", ["OpenAI-Beta: a\x01b"]],
    ["a header's name that is none", "", ["OpenAI-\xc3\xa9: 1"]],
  ] as const)("%s", async (_name, query, headers) => {
    const before = provider.received.length;
    for (let i = 0; i < many; i++) {
      const { text } = await sendRaw(query, headers);
      // uWS refuses some of them itself.
      expect(statusesOf(text)).toEqual([400]);
    }
    expect(provider.received).toHaveLength(before);
    expect((await ask("pool-connect")).status).toBe(200);
  });

  test("UTF-8 in a header is sent as it came", async () => {
    provider.received.length = 0;
    const text = Buffer.from("a\u65e5b").toString("latin1");
    const answer = await sendRaw("", [`User-Agent: ${text}`]);
    expect(statusesOf(answer.text)).toEqual([200]);
    expect(provider.received[0]?.rawHeaders).toContain(text);
  });

  test("a provider's 4xx that is too long to be relayed", async () => {
    const upstream = await startRecorder(({ body }, response) => {
      const isLong = body.includes("long");
      response.writeHead(isLong ? 422 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ text: isLong ? "x".repeat(2 * 1024 * 1024) : "" }));
    });
    const settings = { models: ["m"], baseUrl: upstream.origin, responseBytesMax: 1024 * 1024 };
    const own = await startGateway({ config: { providers: [provider.account("p", settings)] } });
    const say = (content: string): Promise<Response> =>
      fetch(`${own.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${own.key}` },
        body: JSON.stringify({ model: "m", max_tokens: 5, messages: [{ role: "user", content }] }),
      });
    for (let i = 0; i < many; i++) expect((await say("long")).status).toBe(502);
    const line = own.log.find(({ msg }) => msg === "request");
    expect(line).toMatchObject({ upstream_status: 422, upstream_ms: expect.any(Number) as number });
    expect((await say("short")).status).toBe(200);
    await own.stop();
    await upstream.close();
  });

  function sendRaw(query: string, headers: readonly string[]) {
    faultOf.set("pool-connect", "echo");
    const body = JSON.stringify({
      model: "pool-connect",
      messages: [{ role: "user", content: "hi" }],
    });
    const head = [
      `POST /v1/chat/completions${query} HTTP/1.1`,
      "Host: gateway",
      `Authorization: Bearer ${gateway.key}`,
      `Content-Length: ${body.length}`,
      "Connection: close",
      ...headers,
    ];
    return exchangeRaw(gateway.url, Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`, "latin1"));
  }
});
