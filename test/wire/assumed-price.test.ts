import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerFaults } from "../openapi/described-api.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { dataEvent, ScriptedProvider } from "../support/scripted-provider.ts";

let provider: ScriptedProvider;
let gateway: TestGateway;

beforeAll(async () => {
  provider = await ScriptedProvider.start();
  gateway = await startGateway({
    config: {
      providers: [
        {
          name: "claude",
          provider: "anthropic",
          type: "openai",
          baseUrl: provider.origin,
          wires: ["chat", "messages"],
          models: ["claude-sonnet-5-9", "claude-sonnet-5", "claude-sonnet-5-own"],
        },
      ],
      // Left out of the file, so that the list's prices hold.
      pricing: {
        models: {
          "anthropic/claude-sonnet-5-9": undefined,
          "anthropic/claude-sonnet-5": undefined,
        },
      },
      network: { allowedInternalHosts: ["127.0.0.1"] },
    },
  });
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const choices = [{ message: { content: "Paris" } }];
const chunk = { id: "c", object: "chat.completion.chunk", choices: [{ delta: { content: "P" } }] };
const wires = {
  chat: {
    path: "/v1/chat/completions",
    json: { id: "c", object: "chat.completion", choices, usage },
    sse: [dataEvent(chunk), dataEvent({ ...chunk, choices: [], usage }), dataEvent("[DONE]")],
  },
  messages: {
    path: "/v1/messages",
    json: {
      type: "message",
      content: [{ type: "text", text: "Paris" }],
      usage: { input_tokens: 10, output_tokens: 5 },
    },
    sse: [
      dataEvent({ type: "message_start", message: { usage: { input_tokens: 10 } } }),
      dataEvent({ type: "message_delta", usage: { output_tokens: 5 } }),
      dataEvent({ type: "message_stop" }),
    ],
  },
} as const;

const assumedPrice = "x-svc-cost-assumed-price";

function ask(path: string, model: string, more: object = {}): Promise<Response> {
  return fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model,
      max_tokens: 100,
      messages: [{ role: "user", content: "What is the capital of France?" }],
      ...more,
    }),
  });
}

async function recordsOf(response: Response) {
  const requestId = String(response.headers.get("x-svc-request-id"));
  const lineOf = () => gateway.log.find((line) => line["request_id"] === requestId);
  await expect.poll(lineOf).toBeDefined();
  const { data } = await new AuditApi(gateway).eventOf(requestId);
  return { line: lineOf(), data };
}

describe.each([
  ["chat", "json"],
  ["chat", "stream"],
  ["messages", "json"],
  ["messages", "stream"],
] as const)("an answer of the %s wire, as %s,", (wire, form) => {
  const { path, json, sse } = wires[wire];

  async function answered(model: string): Promise<Response> {
    provider.script = form === "json" ? { json } : { sse };
    const response = await ask(path, model, { stream: form === "stream" });
    expect(response.status).toBe(200);
    expect(await answerFaults("POST", path, response.clone())).toEqual([]);
    await response.text();
    return response;
  }

  test("of a model that the list takes for another one names that one", async () => {
    const response = await answered("claude/claude-sonnet-5-9");
    expect(response.headers.get(assumedPrice)).toBe("anthropic/claude-sonnet-5");
    const { line, data } = await recordsOf(response);
    const told = { cost_status: "calculated", assumed_price: "anthropic/claude-sonnet-5" };
    expect(line).toMatchObject({ ...told, model: "claude/claude-sonnet-5-9" });
    expect(data).toMatchObject(told);
  });

  test.each(["claude/claude-sonnet-5", "claude/claude-sonnet-5-own"])(
    "of %s, which has a price of its own, names none",
    async (model) => {
      const response = await answered(model);
      expect(response.headers.has(assumedPrice)).toBe(false);
      const { line, data } = await recordsOf(response);
      expect(line).toMatchObject({ cost_status: "calculated", assumed_price: null });
      expect(data).not.toHaveProperty("assumed_price");
    },
  );
});

test("with the caller's own key nothing is priced, so nothing is assumed", async () => {
  provider.script = { json: wires.messages.json };
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: "POST",
    headers: {
      "x-svc-api-key": gateway.key,
      "x-svc-upstream-url": provider.origin,
      "x-api-key": "own",
    },
    body: JSON.stringify({ model: "claude-sonnet-5-9", max_tokens: 9, messages: [] }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-svc-cost-calculation-status")).toBe("byok");
  expect(response.headers.has(assumedPrice)).toBe(false);
});

test("a start warns of each such model, and says how to set its price", () => {
  const warnings = gateway.log.filter(
    (line) => "assumed_price" in line && line["msg"] !== "request",
  );
  expect(warnings).toMatchObject([
    {
      level: 40,
      model: "anthropic/claude-sonnet-5-9",
      assumed_price: "anthropic/claude-sonnet-5",
      msg: expect.stringContaining(
        'pricing.models["anthropic/claude-sonnet-5-9"] sets its own',
      ) as unknown,
    },
  ]);
});
