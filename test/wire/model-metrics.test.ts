import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";

let provider: ScriptedProvider;
let gateway: TestGateway;
let secret: string;

beforeAll(async () => {
  provider = await ScriptedProvider.start();
  const price = { inputUsdPerMillion: "1", outputUsdPerMillion: "2", outputTokensMax: 100 };
  gateway = await startGateway({
    config: {
      providers: [
        {
          name: "good",
          provider: "p",
          type: "openai",
          baseUrl: provider.origin,
          wires: ["chat"],
          models: [{ id: "m", alias: "small" }],
        },
        { name: "demo", type: "demo" },
      ],
      pricing: { models: { "p/m": price } },
      network: { allowedInternalHosts: ["127.0.0.1"] },
    },
  });
  const api = new KeysApi(gateway);
  const { id: orgId } = await api.organization("metrics");
  await api.data(201, "POST", `orgs/${orgId}/top-ups`, { amountUsd: "10", idempotencyKey: "1" });
  ({ secret } = await api.key({ orgId }));
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

async function ask(model: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const messages = [{ role: "user", content: "Hello" }];
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model, max_tokens: 10, messages }),
  });
  await response.text();
  return response.status;
}

/** The values of all metrics of models but those of the buckets, by name and labels. */
async function metrics(): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
  const lines = text.split("\n").filter((line) => /^weir_model_(?!.*(_bucket|_sum)\{)/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", value] = line.slice("weir_model_".length).split(/ (?=\S+$)/);
      return [name, Number(value)];
    }),
  );
}

test("models are counted by account and configured name, never by what a caller wrote", async () => {
  const paid = { authorization: `Bearer ${secret}` };
  const own = {
    authorization: "Bearer sk-own",
    "x-svc-api-key": secret,
    "x-svc-upstream-url": provider.origin,
  };
  const details = {
    prompt_tokens_details: { cached_tokens: 30 },
    completion_tokens_details: { reasoning_tokens: 4 },
  };
  const usage = { prompt_tokens: 100, completion_tokens: 10, ...details };
  provider.script = { json: { id: "c", choices: [], usage } };
  for (const model of ["small", "p/m", "good/small"]) expect(await ask(model, paid)).toBe(200);
  expect(await ask("demo/echo?tokens=2", paid)).toBe(200);
  expect(await ask("made-up-1", paid)).toBe(400);
  expect(await ask("made-up-2", own)).toBe(200);
  const good = 'account="good",model="m"';
  const found = await metrics();
  expect(found).toMatchObject({
    [`requests_total{${good},status="200"}`]: 3,
    [`tokens_total{${good},kind="input"}`]: 210,
    [`tokens_total{${good},kind="cache_read"}`]: 90,
    [`tokens_total{${good},kind="output"}`]: 18,
    [`tokens_total{${good},kind="reasoning"}`]: 12,
    [`first_byte_seconds_count{${good}}`]: 3,
    'requests_total{account="demo",model="echo",status="200"}': 1,
    'tokens_total{account="demo",model="echo",kind="output"}': 2,
    'requests_total{account="(none)",model="other",status="400"}': 1,
    'requests_total{account="(own_keys)",model="other",status="200"}': 1,
  });
  expect(found[`cost_usd_total{${good}}`]).toBeCloseTo(3 * 0.00012, 9);
  expect(JSON.stringify(found)).not.toContain("made-up");
});
