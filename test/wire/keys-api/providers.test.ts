import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi, type Row } from "../../support/keys-api.ts";
import { rawHeader, startObservedProvider, type ObservedProvider } from "../../support/provider.ts";

let provider: ObservedProvider;
let gateway: TestGateway;
let api: KeysApi;
beforeAll(async () => {
  provider = await startObservedProvider();
  gateway = await startGateway({
    config: {
      providers: [provider.account("filed", { apiKey: { env: "FILED_KEY" } })],
      pricing: {
        models: { "made/echo": { inputUsdPerMillion: "0", outputUsdPerMillion: "0" } },
      },
    },
    env: { FILED_KEY: "filed-secret", MADE_KEY: "made-secret", BAD_KEY: "bad secret\n" },
  });
  api = new KeysApi(gateway);
});
afterAll(async () => {
  await gateway.stop();
  await provider.demo.close();
});

async function chat(model: string): Promise<readonly [number, string | undefined]> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hi" }] }),
  });
  const body = (await response.json()) as { error?: { code: string } };
  return [response.status, body.error?.code];
}

async function modelIds(): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${gateway.key}` };
  const response = await fetch(`${gateway.url}/v1/models`, { headers });
  return ((await response.json()) as { data: Row[] }).data.map((model) => model.id);
}

const made = (more: object = {}) =>
  provider.account("made", { apiKey: { env: "MADE_KEY" }, ...more });

test("an account serves from the next request on, until it is removed", async () => {
  expect(await chat("made/echo")).toEqual([400, "no_route"]);
  const account = await api.data(201, "POST", "providers", made());
  expect(account).toMatchObject({
    name: "made",
    apiKey: { env: "MADE_KEY" },
    credential: "set",
    source: "api",
    models: [{ id: "echo", alias: null, priority: 0, weight: 1 }],
  });
  expect(await chat("made/echo")).toEqual([200, undefined]);
  const sent = provider.received.at(-1);
  expect(rawHeader(sent?.rawHeaders ?? [], "authorization")).toBe("Bearer made-secret");
  expect(await modelIds()).toEqual(["filed/echo", "made/echo"]);

  const models = [{ id: "echo", alias: "parrot", priority: 0, weight: 1 }];
  const changed = await api.data(200, "PATCH", "providers/made", { models, apiKey: null });
  expect(changed).toMatchObject({ models, apiKey: null, credential: "none" });
  expect(await chat("parrot")).toEqual([200, undefined]);
  await api.data(200, "PATCH", "providers/made", { apiKey: { env: "UNSET_KEY" } });
  expect(await chat("made/echo")).toEqual([503, "missing_credentials"]);

  expect((await api.call("DELETE", "providers/made")).status).toBe(204);
  expect(await chat("made/echo")).toEqual([400, "no_route"]);
  const gone = [404, "not_found", undefined];
  expect(await api.refusal("DELETE", "providers/made")).toEqual(gone);
  expect(await api.refusal("GET", "providers/made")).toEqual(gone);
  expect(await api.refusal("PATCH", "providers/made", {})).toEqual(gone);
});

test("a change of one timeout leaves the others", async () => {
  await api.data(201, "POST", "providers", made({ timeoutsMs: { connect: 1234 } }));
  const patch = async (timeoutsMs: unknown) =>
    (await api.data(200, "PATCH", "providers/made", { timeoutsMs }))["timeoutsMs"];
  expect(await patch({ idle: 100 })).toEqual({ connect: 1234, headers: 120_000, idle: 100 });
  expect(await patch({})).toEqual({ connect: 1234, headers: 120_000, idle: 100 });
  expect(await patch(null)).toEqual({ connect: 5_000, headers: 120_000, idle: 300_000 });
  expect((await api.call("DELETE", "providers/made")).status).toBe(204);
});

test("no credential is ever shown, and none is stored", async () => {
  await api.data(201, "POST", "providers", made());
  const { body } = await api.call("GET", "providers");
  expect(JSON.stringify(body)).not.toMatch(/made-secret|filed-secret/);
  expect((body?.["data"] as Row[]).map((row) => [row["name"], row["source"]])).toEqual([
    ["filed", "file"],
    ["made", "api"],
  ]);
  expect((await api.call("DELETE", "providers/made")).status).toBe(204);
});

test.each<[string | undefined, object]>([
  ["name", { name: "Upper" }],
  ["type", { type: "unknown" }],
  ["type", { type: "demo", baseUrl: undefined }],
  ["baseUrl", { baseUrl: undefined }],
  ["baseUrl", { baseUrl: "ftp://x" }],
  ["baseUrl", { baseUrl: "https://api.example.com/v1" }],
  ["baseUrl", { baseUrl: "https://user:secret@api.example.com" }],
  ["models", { models: undefined }],
  ["models", { models: [] }],
  ["models", { models: ["a", "a"] }],
  ["apiKey", { apiKey: "sk-written-out" }],
  ["apiKey", { apiKey: { env: "GATEWAY_OPERATOR_KEY" } }],
  [undefined, { secret: "x" }],
])("none is made with a wrong %s: %o", async (param, wrong) => {
  expect(await api.refusal("POST", "providers", made(wrong))).toEqual([
    400,
    "invalid_request",
    param,
  ]);
});

test("a credential that can't go into a header is refused, and not repeated", async () => {
  const answer = await api.call("POST", "providers", made({ apiKey: { env: "BAD_KEY" } }));
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).not.toContain("bad secret");
});

test("accounts of the file are read-only, and their names are taken", async () => {
  expect(await api.data(200, "GET", "providers/filed")).toMatchObject({
    source: "file",
    credential: "set",
    apiKey: null,
  });
  const forbidden = [403, "forbidden", undefined];
  expect(await api.refusal("PATCH", "providers/filed", { models: ["x"] })).toEqual(forbidden);
  expect(await api.refusal("DELETE", "providers/filed")).toEqual(forbidden);
  const taken = [409, "duplicate_entry", "name"];
  expect(await api.refusal("POST", "providers", provider.account("filed"))).toEqual(taken);
  await api.data(201, "POST", "providers", made());
  expect(await api.refusal("POST", "providers", made())).toEqual(taken);
  const first = await api.call("GET", "providers?limit=1");
  expect(first.body).toMatchObject({ nextCursor: "filed" });
  const second = await api.call("GET", "providers?limit=1&cursor=filed");
  expect(second.body).toMatchObject({ data: [{ name: "made" }], nextCursor: null });
  expect((await api.call("DELETE", "providers/made")).status).toBe(204);
});

test("they are the operators' affair", async () => {
  const { asAdmin } = await api.organization("acme");
  const forbidden = [403, "forbidden", undefined];
  expect(await asAdmin.refusal("GET", "providers")).toEqual(forbidden);
  expect(await asAdmin.refusal("POST", "providers", made())).toEqual(forbidden);
  expect(await asAdmin.refusal("GET", "providers/filed")).toEqual(forbidden);
  expect(await asAdmin.refusal("PATCH", "providers/filed", {})).toEqual(forbidden);
  expect(await asAdmin.refusal("DELETE", "providers/filed")).toEqual(forbidden);
});

test("the built-in demo makes room for the first real account", async () => {
  const bare = await startGateway({ env: { MADE_KEY: "made-secret" } });
  const operator = new KeysApi(bare);
  const names = async () =>
    ((await operator.call("GET", "providers")).body?.["data"] as Row[]).map((row) => row["name"]);
  expect(await names()).toEqual(["demo"]);
  await operator.data(201, "POST", "providers", made());
  expect(await names()).toEqual(["made"]);
  expect((await operator.call("DELETE", "providers/made")).status).toBe(204);
  expect(await names()).toEqual(["demo"]);
  await bare.stop();
});
