import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProviderHealth } from "../../src/contract/keys-api/provider-health.ts";
import { circuitCallsMin, circuitOpenMs } from "../../src/contract/limits.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";

const threads = 2;

let provider: ScriptedProvider;
let gateway: TestGateway;
let secret: string;
let api: KeysApi;

beforeAll(async () => {
  provider = await ScriptedProvider.start();
  provider.script = {
    json: { id: "c", choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
  };
  const gone = await ScriptedProvider.start();
  await gone.close();
  const pool = { provider: "p", type: "openai", wires: ["chat"], models: ["m"] };
  gateway = await startGateway({
    config: {
      providers: [
        { name: "good", baseUrl: provider.origin, ...pool },
        { name: "down", baseUrl: gone.origin, ...pool },
      ],
      network: { allowedInternalHosts: ["127.0.0.1"] },
    },
    env: { GATEWAY_PROXY_THREADS: String(threads) },
  });
  api = new KeysApi(gateway);
  const orgId = await api.firstOrganization();
  ({ secret } = await api.key({ orgId }));
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

/** On a connection of its own: connections are handed to the threads in turn. */
function ask(headers: Readonly<Record<string, string>>): Promise<number> {
  const body = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      agent: false,
      headers: { "content-type": "application/json", ...headers },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.end(JSON.stringify(body));
  });
}

async function metric(line: string): Promise<number> {
  const text = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
  const found = text.split("\n").find((one) => one.startsWith(`${line} `));
  return Number(found?.split(" ").at(-1) ?? NaN);
}

async function healthOf(account: string): Promise<ProviderHealth> {
  const { status, body } = await api.call("GET", `providers/${account}/health`);
  expect(status).toBe(200);
  // The call has checked it against the document.
  return body?.["data"] as ProviderHealth;
}

test("calls of all threads are counted by account, and an account out of rotation is told", async () => {
  expect(await metric('weir_account_circuit_open{account="down"}')).toBe(0);
  // Every other request of a thread asks the account that is down first.
  const asked = threads * circuitCallsMin * 3;
  for (let i = 0; i < asked; i++) {
    expect(await ask({ authorization: `Bearer ${secret}` })).toBe(200);
  }
  const attempts = (account: string, outcome: string) =>
    metric(`weir_upstream_attempts_total{account="${account}",outcome="${outcome}"}`);
  expect(await attempts("good", "answered")).toBe(asked);
  expect(await attempts("down", "unsent")).toBeGreaterThanOrEqual(threads * circuitCallsMin);
  expect(await metric('weir_upstream_seconds_count{account="good"}')).toBe(asked);
  expect(await metric('weir_upstream_seconds_count{account="down"}')).toBeNaN();
  expect(await metric('weir_account_circuit_open{account="down"}')).toBe(1);
  expect(await metric('weir_account_circuit_open{account="good"}')).toBe(0);
  // The same, asked of each account.
  const healthy = await healthOf("good");
  expect(healthy).toMatchObject({
    name: "good",
    circuit: "closed",
    threads,
    threadsOpen: 0,
    retryAfterSeconds: null,
    recent: { seconds: 30, failures: 0 },
    calls: { answered: asked, failed: 0, unsent: 0 },
    lastError: null,
  });
  const down = await healthOf("down");
  expect(down).toMatchObject({
    circuit: "open",
    threads,
    threadsOpen: threads,
    calls: { answered: 0, unsent: await attempts("down", "unsent") },
    lastError: { outcome: "unsent", status: null, code: "upstream_error" },
  });
  const { retryAfterSeconds, lastError } = down;
  expect(retryAfterSeconds).toBeLessThanOrEqual(circuitOpenMs / 1000);
  expect(Math.abs(Date.now() - Date.parse(lastError?.at ?? ""))).toBeLessThan(600_000);
});

test("an account's last error is the provider's own answer, if there was one", async () => {
  const { calls } = await healthOf("good");
  provider.script = { json: { error: { message: "slow down" } }, status: 429 };
  expect(await ask({ authorization: `Bearer ${secret}` })).toBe(429);
  expect(await healthOf("good")).toMatchObject({
    circuit: "closed",
    calls: { ...calls, rate_limited: calls.rate_limited + 1 },
    lastError: { outcome: "rate_limited", status: 429 },
  });
});

test("health is of accounts that exist, for operators", async () => {
  const path = "providers/good/health";
  for (const none of [
    "providers/p/health",
    "providers/none/health",
    "providers/(own_keys)/health",
  ]) {
    expect(await api.refusal("GET", none)).toEqual([404, "not_found", undefined]);
  }
  const { id: orgId, asAdmin } = await api.organization("acme");
  const viewer = await asAdmin.key({ orgId, role: "viewer" });
  const member = await asAdmin.key({ orgId });
  for (const caller of [asAdmin, api.as(viewer.secret), api.as(member.secret)]) {
    expect(await caller.refusal("GET", path)).toEqual([403, "forbidden", undefined]);
    // Whether there is such an account is none of their business.
    expect(await caller.refusal("GET", "providers/none/health")).toEqual([
      403,
      "forbidden",
      undefined,
    ]);
  }
});

test("upstreams that callers name are one", async () => {
  provider.script = { json: { error: { message: "slow down" } }, status: 429 };
  const status = await ask({
    authorization: "Bearer sk-own",
    "x-svc-api-key": secret,
    "x-svc-upstream-url": provider.origin,
  });
  expect(status).toBe(429);
  const line = 'weir_upstream_attempts_total{account="(own_keys)",outcome="rate_limited"}';
  expect(await metric(line)).toBe(1);
  const text = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
  expect(text).not.toContain(provider.origin.slice("http://".length));
});
