import { afterAll, beforeAll, expect, test } from "vitest";
import { trialsAtOnceMax } from "../../src/contract/limits.ts";
import { startGateway, startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { dataEvent, ScriptedProvider } from "../support/scripted-provider.ts";

// What the dashboard tries out is served on its own origin, too.
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

function post(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
  { keysUrl }: TestGateway = gateway,
): Promise<Response> {
  return fetch(keysUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
}

const chat = { model: "demo/echo", messages: [{ role: "user", content: "Hello" }] };
const scan = { input: "Mail ada@example.org", categories: ["pii"] };

/** The two headers of a session of the key. */
async function session(key: string): Promise<Record<string, string>> {
  const origin = gateway.keysUrl;
  const opened = await post("/api/v1/gateway/sessions", { key }, { origin });
  const { data } = (await opened.json()) as { data: { token: string } };
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { origin, cookie, "x-svc-session": data.token };
}

test("a key can chat and scan, and a session can scan, at the dashboard's address", async () => {
  const bearer = { authorization: `Bearer ${gateway.key}` };
  const answered = await post("/v1/chat/completions", chat, bearer);
  expect(answered.status).toBe(200);
  expect(answered.headers.get("x-svc-cost-usd")).toMatch(/^0\.0000\d\d$/);
  expect((await post("/v1/security/scan", scan, bearer)).status).toBe(200);
  const signedIn = await session(gateway.key);
  expect((await post("/v1/security/scan", scan, signedIn)).status).toBe(200);
  // A session is nothing to a model request: only what shows the key may spend.
  expect((await post("/v1/chat/completions", chat, signedIn)).status).toBe(401);
  const models = await fetch(`${gateway.keysUrl}/v1/models`, { headers: signedIn });
  expect(await models.text()).toContain("demo/echo");
  expect((await fetch(`${gateway.keysUrl}/readyz`)).status).toBe(200);
});

test("nothing is passed through to an address that the caller names", async () => {
  for (const authorization of [`Bearer ${gateway.key}`, "Bearer sk-other"]) {
    const headers = { authorization, "x-svc-upstream-url": "https://api.openai.com" };
    const refused = await post("/v1/chat/completions", chat, headers);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('"forbidden"');
  }
});

test("a few run at a time, and one that ends makes room", async () => {
  const provider = await ScriptedProvider.start();
  const slow = await startGatewayBefore(provider.origin, {
    models: [{ id: "gpt-4o", alias: "m" }],
    provider: "openai",
  });
  const bearer = { authorization: `Bearer ${slow.key}` };
  const { promise: rest, resolve: goOn } = Promise.withResolvers<null>();
  provider.script = { sse: [dataEvent({ choices: [{ delta: { content: "a" } }] })], rest };
  const stream = { ...chat, model: "m", stream: true, max_tokens: 5 };
  const ask = () => post("/v1/chat/completions", stream, bearer, slow);
  const open = await Promise.all(Array.from({ length: trialsAtOnceMax }, ask));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  const refused = await post("/v1/security/scan", scan, bearer, slow);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  goOn(null);
  await Promise.all(open.map((response) => response.text().catch(() => "cut")));
  await expect
    .poll(async () => (await post("/v1/security/scan", scan, bearer, slow)).status)
    .toBe(200);
  await slow.stop();
  await provider.close();
});
