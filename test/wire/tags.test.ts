import { afterAll, beforeAll, expect, test } from "vitest";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { rawHeader, startObservedProvider, type ObservedProvider } from "../support/provider.ts";

let provider: ObservedProvider;
let gateway: TestGateway;
let audit: AuditApi;

beforeAll(async () => {
  provider = await startObservedProvider();
  gateway = await startGateway({
    config: {
      providers: [provider.account("p")],
      network: { allowedInternalHosts: ["127.0.0.1"] },
    },
  });
  audit = new AuditApi(gateway);
});
afterAll(async () => {
  await gateway.stop();
  await provider.demo.close();
});

type Headers = Readonly<Record<string, string>>;

const paid = (): Headers => ({ authorization: `Bearer ${gateway.key}` });
const own = (): Headers => ({
  authorization: "Bearer provider-key",
  "x-svc-api-key": gateway.key,
  "x-svc-upstream-url": provider.demo.origin,
});

function send(headers: Headers, path = "/v1/chat/completions"): Promise<Response> {
  const body = { model: "echo", max_tokens: 5, messages: [{ role: "user", content: "hi" }] };
  return fetch(gateway.url + path, {
    method: "POST",
    headers,
    body: JSON.stringify(path === "/v1/security/scan" ? { input: "hi" } : body),
  });
}

test.each([
  ["pay-through", paid, "/v1/chat/completions"],
  ["pay-through", paid, "/v1/messages"],
  ["pay-through", paid, "/v1/messages/count_tokens"],
  ["own keys", own, "/v1/chat/completions"],
  ["own keys", own, "/v1/anything"],
  ["a scan", paid, "/v1/security/scan"],
])("tags are recorded and stay here: %s %s %s", async (_, credentials, path) => {
  provider.received.length = 0;
  const tag = `t${Math.random().toString(36).slice(2)}`;
  const response = await send(
    { ...credentials(), "x-svc-tags": `feature=${tag}, customer=acme` },
    path,
  );
  const id = response.headers.get("x-svc-request-id") ?? "";
  for (const { rawHeaders } of provider.received) {
    expect(rawHeader(rawHeaders, "x-svc-tags")).toBeUndefined();
    expect(rawHeaders.join()).not.toContain(tag);
  }
  await expect
    .poll(async () => JSON.stringify(await audit.json(`events?request_id=${id}`)))
    .toContain(`"tags":{"feature":"${tag}","customer":"acme"}`);
  const [header = "", line] = (await audit.text(`export.csv?request_id=${id}`)).split("\r\n");
  expect(header.split(",").at(-1)).toBe("tags");
  expect(line?.endsWith(`,"feature=${tag},customer=acme"`)).toBe(true);
  const metrics = await fetch(`${gateway.keysUrl}/metrics`, {
    headers: { authorization: `Bearer ${gateway.operatorKey}` },
  });
  expect(metrics.status).toBe(200);
  expect(await metrics.text()).not.toContain(tag);
});

test.each([
  ["pay-through", paid, "/v1/chat/completions"],
  ["pay-through", paid, "/v1/messages"],
  ["own keys", own, "/v1/anything"],
  ["a scan", paid, "/v1/security/scan"],
])("malformed tags are refused: %s %s %s", async (_, credentials, path) => {
  provider.received.length = 0;
  const response = await send({ ...credentials(), "x-svc-tags": "feature" }, path);
  expect(response.status).toBe(400);
  const error: unknown = await response.json();
  expect(error).toMatchObject({ error: { code: "invalid_request", param: "X-Svc-Tags" } });
  expect(JSON.stringify(error)).toContain("The header X-Svc-Tags must be");
  expect(provider.received).toEqual([]);
});

test("a wrong key is told of before wrong tags", async () => {
  const response = await send({ authorization: "Bearer sk-gw-wrong", "x-svc-tags": "feature" });
  expect(response.status).toBe(401);
});
