import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { circuitCallsMin } from "../../src/contract/limits.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startObservedProvider, type ObservedProvider } from "../support/provider.ts";

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
          models,
          timeoutsMs: { connect: 1000, headers: 300, idle: 300 },
          responseBytesMax: 1_000_000,
        }),
        provider.account("unset", { models: ["no-key"], apiKey: { env: "UNSET_KEY" } }),
        { name: "aws", type: "bedrock", models: ["nova"] },
        provider.account("dead", { models: ["dead"], baseUrl: `http://127.0.0.1:${closedPort}` }),
        // Pools: the first account fails in its own way, the second is well.
        provider.account("refusing", {
          models: ["pool-connect"],
          baseUrl: `http://127.0.0.1:${closedPort}`,
        }),
        provider.account("fine-1", { models: ["pool-connect"] }),
        provider.account("sick", { models: ["circuit"] }),
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
      messages: [{ role: "user", content: "hi" }],
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

  test("a stream that falls silent ends with an error event, on either wire", async () => {
    const chat = await (await ask("fault-stall", undefined, true)).text();
    expect(chat).toContain('data: {"error":{"code":"upstream_timeout"');
    expect(chat).not.toContain("[DONE]");
    const messages = await (await ask("fault-stall", "/v1/messages", true)).text();
    expect(messages).toContain("event: error\ndata: ");
    expect(messages).not.toContain("message_stop");
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
