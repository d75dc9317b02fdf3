import { afterAll, beforeAll, expect, test } from "vitest";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";

let provider: ScriptedProvider;
let gateway: TestGateway;
let api: KeysApi;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
  const models = [{ id: "gpt-5-mini", alias: "small" }];
  const [inputUsdPerMillion, outputUsdPerMillion] = ["0.25", "2"];
  const flex = { inputUsdPerMillion: "0.125", outputUsdPerMillion: "1" };
  const price = { inputUsdPerMillion, outputUsdPerMillion, serviceTiers: { flex } };
  gateway = await startGateway({
    config: {
      providers: [
        { name: "p", type: "openai", baseUrl: provider.origin, provider: "openai", models },
      ],
      network: { allowedInternalHosts: ["127.0.0.1"] },
      pricing: { models: { "openai/gpt-5-mini": price } },
    },
  });
  api = new KeysApi(gateway);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

async function send(path: string, body: object): Promise<string> {
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify(body),
  });
  await response.text();
  const id = response.headers.get("x-svc-request-id") ?? "";
  await new AuditApi(gateway).eventOf(id);
  return id;
}

const ask = (model: string) =>
  send("/v1/chat/completions", {
    model,
    max_tokens: 9,
    messages: [{ role: "user", content: "Hi" }],
  });

const receipt = (id: string) => api.data(200, "GET", `records/receipt?request_id=${id}`);

const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

test.each([
  ["openai/gpt-5-mini", "default", null],
  ["small", "flex", "flex"],
  ["p/gpt-5-mini", "FLEX", "flex"],
])("the prices of %s at the tier %s lead to the cost", async (model, tier, named) => {
  provider.script = { json: { choices: [], usage, service_tier: tier } };
  const shown = await receipt(await ask(model));
  expect(shown).toMatchObject({ service_tier: named, matches: true, cost_status: "calculated" });
  expect(shown["lines"]).toMatchObject([
    { unit: "outputText", units: 100 },
    { unit: "uncachedInput", units: 1000 },
  ]);
  expect(shown["total_usd"]).toBe(shown["cost_usd"]);
});

test("a tier without a price has no lines", async () => {
  provider.script = { json: { choices: [], usage, service_tier: "priority" } };
  expect(await receipt(await ask("small"))).toMatchObject({
    ...{ service_tier: "priority", lines: [], matches: null, cost_status: "pricing_gap" },
  });
});

test("a cost that the provider has named need not match", async () => {
  provider.script = { json: { choices: [], usage: { ...usage, cost: 0.5 } } };
  const shown = await receipt(await ask("small"));
  expect(shown).toMatchObject({ matches: false, cost_usd: "0.500000" });
  expect(shown["cost_status"]).toBe("upstream_reported_cost");
});

test("a scan's receipt, and one that has nothing to show", async () => {
  const scan = { input: "Mail ada@example.org", categories: ["pii", "prompt_injection"] };
  const shown = await receipt(await send("/v1/security/scan", scan));
  expect(shown).toMatchObject({ matches: true });
  expect((shown["lines"] as { unit: string }[]).map(({ unit }) => unit)).toEqual([
    "injectionScan",
    "entityScan",
  ]);
  const failed = await receipt(await ask("nobody's"));
  expect(failed).toMatchObject({ lines: [], total_usd: null, matches: null });
});

test("another organization's request has no receipt", async () => {
  const { asAdmin } = await api.organization("other");
  const id = await ask("small");
  const path = `records/receipt?request_id=${id}`;
  expect((await asAdmin.call("GET", path)).status).toBe(404);
});
