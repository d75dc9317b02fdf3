import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerFaults } from "../../openapi/described-api.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi, type Row } from "../../support/keys-api.ts";
import { startObservedProvider, type ObservedProvider } from "../../support/provider.ts";

const free = { inputUsdPerMillion: "0", outputUsdPerMillion: "0" };
const ids = ["one/echo", "one/fault-500", "two/echo"];

let provider: ObservedProvider;
let gateway: TestGateway;
let api: KeysApi;
let orgId: string;
beforeAll(async () => {
  provider = await startObservedProvider();
  const { port } = new URL(provider.demo.origin);
  gateway = await startGateway({
    config: {
      providers: [
        provider.account("one", { models: [{ id: "echo", alias: "small" }, "fault-500"] }),
        provider.account("two", { models: [{ id: "echo", alias: "small" }] }),
      ],
      pricing: { models: Object.fromEntries(ids.map((id) => [id, free])) },
      network: { allowedInternalHosts: [`127.0.0.1:${port}`, `localhost:${port}`] },
    },
  });
  api = new KeysApi(gateway);
  orgId = await api.firstOrganization();
});
afterAll(async () => {
  await gateway.stop();
  await provider.demo.close();
});

async function chat(secret: string, model: string, more: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "x-svc-api-key": secret, ...more },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hi" }] }),
  });
  expect(await answerFaults("POST", "/v1/chat/completions", response.clone())).toEqual([]);
  const body = (await response.json()) as {
    readonly model?: string;
    readonly error?: Readonly<Record<string, unknown>>;
  };
  return { status: response.status, ...body };
}

describe("a key that is restricted to models", () => {
  test.each<[allowed: string[] | null, model: string, status: number]>([
    [null, "one/echo", 200],
    [["one/echo"], "one/echo", 200],
    [["one/echo"], "two/echo", 403],
    [["one/echo"], "small", 200],
    [["one/echo"], "echo", 200],
    [["small"], "small", 200],
    [["small"], "two/echo", 200],
    [["small"], "one/fault-500", 403],
    [["echo"], "one/echo", 403],
    [["ONE/ECHO"], "one/echo", 403],
    [[], "one/echo", 403],
    [["one/echo"], "one/nothing", 400],
  ])("%o: %s is answered %i", async (allowedModels, model, status) => {
    // The answer of a key with a cap carries the headers of its window, also where it is refused.
    const { secret } = await api.key({ orgId, allowedModels, rateLimit: 60 });
    const before = provider.received.length;
    const answer = await chat(secret, model);
    expect(answer.status).toBe(status);
    expect(provider.received.length - before).toBe(status === 200 ? 1 : 0);
    if (status !== 403) return;
    expect(answer.error).toMatchObject({
      code: "forbidden",
      param: "model",
      requested_model: model,
    });
  });

  test("is served by those accounts of a pool only whose model it may use", async () => {
    const { secret } = await api.key({ orgId, allowedModels: ["two/echo"] });
    for (let i = 0; i < 4; i++) expect((await chat(secret, "small")).status).toBe(200);
    const lines = gateway.log.filter(({ model, status }) => model === "small" && status === 200);
    expect(new Set(lines.slice(-4).map((line) => line["account"]))).toEqual(new Set(["two"]));
  });

  test.each<[allowed: string[], model: string, status: number]>([
    [["echo"], "echo", 200],
    [["one/echo"], "echo", 403],
    [["echo"], "other", 403],
  ])(
    "with own keys the body's model is compared as it stands: %o, %s",
    async (allowed, model, status) => {
      const { secret } = await api.key({ orgId, allowedModels: allowed });
      const upstream = {
        "x-svc-upstream-url": provider.demo.origin,
        authorization: "Bearer theirs",
      };
      expect((await chat(secret, model, upstream)).status).toBe(status);
    },
  );

  test("is shown those models only", async () => {
    const { secret } = await api.key({ orgId, allowedModels: ["one/fault-500"] });
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetch(`${gateway.url}/v1/models`, { headers });
    const listed = (await response.json()) as { data: Row[]; last_id: string };
    expect(listed.data.map((model) => model.id)).toEqual(["one/fault-500"]);
    expect(listed.last_id).toBe("one/fault-500");
    // A name that was mistyped does not tell of others.
    const { error } = await chat(secret, "one/fault-501");
    expect(error).toMatchObject({ code: "no_route", suggested_models: ["one/fault-500"] });
  });
});

describe("GET /v1/me", () => {
  async function me(headers: Record<string, string>) {
    const response = await fetch(`${gateway.url}/v1/me`, { headers });
    expect(await answerFaults("GET", "/v1/me", response.clone())).toEqual([]);
    return { status: response.status, body: (await response.json()) as { data?: Row } };
  }

  test("tells the organization, the key, its limits and the balance", async () => {
    const { key, secret } = await api.key({ orgId, rateLimit: 60 });
    const limit = { limitType: "requests", threshold: "10", timeWindow: "1 week" };
    const wide = { orgId, name: "wide", ...limit };
    const own = { ...wide, name: "own", apiKeyId: key.id };
    const elsewhere = { ...wide, name: "elsewhere", apiKeyId: (await api.key({ orgId })).key.id };
    for (const body of [own, wide, elsewhere, { ...wide, name: "off", enabled: false }]) {
      await api.data(201, "POST", "usage-limits", body);
    }
    const { body } = await me({ authorization: `Bearer ${secret}` });
    expect(body.data).toMatchObject({
      organization: { id: orgId, name: "demo", plan: "paid", payg: "enabled" },
      key: { id: key.id, rateLimit: 60, lastUsedAt: expect.any(String) as string },
      limits: [
        { ...limit, name: "wide", apiKeyId: null, exceeded: false },
        { ...limit, name: "own", apiKeyId: key.id, exceeded: false },
      ],
    });
    expect(body.data).toHaveProperty("balance");
    expect(JSON.stringify(body)).not.toContain(secret.slice(10, -5));
  });

  test("is for keys of an organization", async () => {
    expect((await me({})).status).toBe(401);
    expect((await me({ authorization: "Bearer sk-gw-none" })).status).toBe(401);
    expect((await me({ authorization: `Bearer ${gateway.operatorKey}` })).status).toBe(403);
    expect((await me({ authorization: "Bearer theirs" })).status).toBe(404);
  });
});

test("a restart keeps everything", async () => {
  const org = await api.organization("kept", { retentionDays: 99 });
  const policy = await api.data(201, "POST", "policies", { orgId: org.id, name: "p" });
  const limit = await org.asAdmin.data(201, "POST", "usage-limits", {
    orgId: org.id,
    name: "l",
    limitType: "tokens",
    threshold: "5",
    timeWindow: "1 hour",
  });
  const { key, secret } = await api.key({ orgId: org.id, securityPolicyId: policy.id });
  const path = `api-keys/${key.id}`;
  const rotated = await api.call("POST", `${path}/rotate`, { gracePeriodSeconds: 600 });
  await api.data(201, "POST", "providers", provider.account("three"));
  const second = String(rotated.body?.["key"]);
  const models = async (one: string) => {
    const headers = { authorization: `Bearer ${one}` };
    const listed = await fetch(`${gateway.url}/v1/models`, { headers });
    return ((await listed.json()) as { data: Row[] }).data.map((model) => model.id);
  };
  expect(await models(second)).toContain("three/echo");
  const paths = [`orgs/${org.id}`, `policies/${policy.id}`, `usage-limits/${limit.id}`, path];
  const state = () =>
    Promise.all([...paths, "providers"].map(async (one) => (await api.call("GET", one)).body));
  const before = await state();
  gateway = await gateway.restart();
  api = new KeysApi(gateway);
  expect(await state()).toEqual(before);
  for (const one of [secret, second]) expect(await models(one)).toContain("three/echo");
});
