import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";

const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
const answer = { id: "c", object: "chat.completion", choices: [], usage };
const wellDone = { json: answer } as const;

let organizations = 0;

async function paidKey(gateway: TestGateway, amountUsd = "10"): Promise<string> {
  const api = new KeysApi(gateway);
  const { id } = await api.organization(`pools ${++organizations}`);
  await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd, idempotencyKey: "1" });
  return (await api.key({ orgId: id })).secret;
}

function post(gateway: TestGateway, path: string, secret: string, body: object): Promise<Response> {
  return fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const messages = [{ role: "user", content: "Hello" }];
const chat = { model: "smart", max_tokens: 1_000, messages };

describe("a pool of models", () => {
  let cheap: ScriptedProvider;
  let dear: ScriptedProvider;
  let gateway: TestGateway;
  let secret: string;

  beforeAll(async () => {
    [cheap, dear] = [await ScriptedProvider.start(), await ScriptedProvider.start()];
    const gone = await ScriptedProvider.start();
    await gone.close();
    const account = (name: string, baseUrl: string, model: object) => ({
      ...{ name, baseUrl, type: "openai", wires: ["chat"] },
      models: [{ id: `${name}-1`, ...model }],
    });
    const price = (usd: string) => ({
      inputUsdPerMillion: usd,
      outputUsdPerMillion: usd,
      outputTokensMax: 1_000,
      contextTokensMax: 10_000,
    });
    gateway = await startGateway({
      config: {
        providers: [
          account("dear", dear.origin, { alias: "smart", priority: 1 }),
          account("cheap", cheap.origin, { alias: "smart" }),
          account("gone", gone.origin, { alias: "away" }),
          account("back", dear.origin, { alias: "away", priority: 1 }),
        ],
        pricing: {
          models: {
            "cheap/cheap-1": price("1"),
            "dear/dear-1": price("100"),
            "gone/gone-1": price("1"),
            "back/back-1": price("100"),
          },
        },
      },
    });
    secret = await paidKey(gateway);
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([cheap.close(), dear.close()]);
  });
  beforeEach(() => {
    cheap.script = dear.script = wellDone;
    cheap.received.length = dear.received.length = 0;
  });

  const modelIn = (body: string | undefined): unknown =>
    (JSON.parse(body ?? "{}") as { readonly model?: unknown }).model;

  test("asks the first by priority, and says who answered", async () => {
    for (let i = 0; i < 3; i++) {
      const response = await post(gateway, "/v1/chat/completions", secret, chat);
      expect(response.headers.get("x-svc-model")).toBe("cheap/cheap-1");
      expect(response.headers.get("x-svc-cost-usd")).toBe("0.001100");
    }
    expect(cheap.received.map(modelIn)).toEqual(["cheap-1", "cheap-1", "cheap-1"]);
    expect(dear.received).toEqual([]);
  });

  test.each([429, 500, 503])("moves on from %i, and bills what served", async (status) => {
    cheap.script = { json: { error: { message: "no" } }, status };
    const response = await post(gateway, "/v1/chat/completions", secret, chat);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-svc-model")).toBe("dear/dear-1");
    expect(response.headers.get("x-svc-cost-usd")).toBe("0.110000");
    expect(dear.received.map(modelIn)).toEqual(["dear-1"]);
  });

  test("moves on from a failed connection", async () => {
    const away = { ...chat, model: "away" };
    const response = await post(gateway, "/v1/chat/completions", secret, away);
    expect(response.headers.get("x-svc-model")).toBe("back/back-1");
  });

  test("names the model of a stream, and does not move on behind its first byte", async () => {
    const event = (json: object) => `data: ${JSON.stringify(json)}\n\n`;
    cheap.script = { sse: [event({ id: "c", choices: [{ delta: { content: "a" } }] })], cut: true };
    const response = await post(gateway, "/v1/chat/completions", secret, { ...chat, stream: true });
    expect(response.headers.get("x-svc-model")).toBe("cheap/cheap-1");
    await response.text();
    expect(dear.received).toEqual([]);
  });

  test("does not move on from another error, and names who gave it", async () => {
    cheap.script = { json: { error: { message: "what?" } }, status: 400 };
    const response = await post(gateway, "/v1/chat/completions", secret, chat);
    expect(response.status).toBe(400);
    expect(response.headers.get("x-svc-model")).toBe("cheap/cheap-1");
    expect(dear.received).toEqual([]);
  });

  test("holds for the dearest model, although another one is asked first", async () => {
    const poor = await paidKey(gateway, "0.02");
    const response = await post(gateway, "/v1/chat/completions", poor, chat);
    expect(response.status).toBe(402);
    const alone = { ...chat, model: "cheap/cheap-1" };
    const served = await post(gateway, "/v1/chat/completions", poor, alone);
    expect(served.status).toBe(200);
    // Only one could have served it.
    expect(served.headers.get("x-svc-model")).toBeNull();
  });
});

/** The JSON of docs/providers.md below each heading, as an operator would copy it. */
function documented(): readonly { readonly provider: object; readonly config: object }[] {
  const text = readFileSync(new URL("../../docs/providers.md", import.meta.url), "utf8");
  return [...text.matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, json = ""]) => {
    const config = JSON.parse(json) as { readonly providers: readonly object[] };
    const [provider] = config.providers;
    return provider === undefined || config.providers.length > 1 ? [] : [{ provider, config }];
  });
}

const azureAnswer = {
  ...answer,
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
  system_fingerprint: "fp",
};
const vertexAnswer = {
  ...answer,
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  model: "google/gemini-2.5-flash",
  usage: {
    ...usage,
    total_tokens: 1_100,
    extra_properties: { google: { traffic_type: "ON_DEMAND" } },
  },
};
const anthropicAnswer = {
  ...{ id: "msg", type: "message", role: "assistant", stop_reason: "end_turn" },
  content: [{ type: "text", text: "Hi" }],
  usage: { input_tokens: 1_000, cache_read_input_tokens: 0, output_tokens: 100 },
};

/** In the order of the page: what the provider must get, as its own documents say, and what it answers. */
const wires = [
  {
    ...{ name: "Azure's v1", asked: "gpt-4o", sent: "gpt-4o", path: "/v1/chat/completions" },
    target: "/openai/v1/chat/completions",
    credential: ["api-key", "secret"],
    answer: azureAnswer,
  },
  {
    ...{ name: "Azure's deployments", asked: "gpt-4o", sent: "our-chat" },
    path: "/v1/chat/completions",
    target: "/openai/deployments/our-chat/chat/completions?api-version=2024-10-21",
    credential: ["api-key", "secret"],
    answer: azureAnswer,
  },
  {
    ...{ name: "Vertex", asked: "gemini-2.5-flash", sent: "google/gemini-2.5-flash" },
    path: "/v1/chat/completions",
    target: "/v1/projects/example/locations/europe-west1/endpoints/openapi/chat/completions",
    credential: ["authorization", "Bearer secret"],
    answer: vertexAnswer,
  },
  {
    ...{ name: "DeepSeek", asked: "deepseek-chat", sent: "deepseek-chat", path: "/v1/messages" },
    target: "/anthropic/v1/messages",
    credential: ["x-api-key", "secret"],
    answer: anthropicAnswer,
  },
  {
    ...{ name: "Kimi", asked: "kimi-k2-0905-preview", sent: "kimi-k2-0905-preview" },
    path: "/v1/messages",
    target: "/anthropic/v1/messages",
    credential: ["authorization", "Bearer secret"],
    answer: anthropicAnswer,
  },
] as const;

describe("the examples of docs/providers.md", () => {
  const examples = documented();

  test("are all tried here", () => {
    expect(examples).toHaveLength(wires.length);
  });

  test.each(wires.map((wire, i) => ({ ...wire, i })))("$name", async (wire) => {
    const { provider: entry, config } = examples[wire.i] ?? { provider: {}, config: {} };
    const { baseUrl, apiKey } = entry as { baseUrl: string; apiKey: { env: string } };
    const provider = await ScriptedProvider.start();
    provider.script = { json: wire.answer };
    const gateway = await startGateway({
      config: {
        ...config,
        providers: [{ ...entry, baseUrl: provider.origin + new URL(baseUrl).pathname }],
        network: { allowedInternalHosts: ["127.0.0.1"] },
      },
      env: { [apiKey.env]: "secret" },
    });
    try {
      const secret = await paidKey(gateway);
      const body = { model: wire.asked, max_tokens: 100, messages };
      // A client's own version and credential do not get through.
      const path = `${wire.path}?api-version=1&key=mine`;
      const response = await post(gateway, path, secret, body);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(wire.answer);
      expect(response.headers.get("x-svc-cost-calculation-status")).toBe("calculated");
      const isOwn = wire.target.includes("api-version");
      const query = isOwn ? "" : "?api-version=1";
      expect(provider.targets).toEqual([`POST ${wire.target}${query}`]);
      const [name, value] = wire.credential;
      const [headers = {}] = provider.headers;
      expect(headers[name]).toBe(value);
      const others = ["authorization", "api-key", "x-api-key"].filter((one) => one !== name);
      expect(others.filter((one) => one in headers)).toEqual([]);
      expect(provider.received).toEqual([JSON.stringify({ ...body, model: wire.sent })]);
    } finally {
      await gateway.stop();
      await provider.close();
    }
  });
});
