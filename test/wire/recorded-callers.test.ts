import { afterAll, beforeAll, expect, test } from "vitest";
import { describedOperations } from "../openapi/described-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";

let gateway: TestGateway;
let orgId: string;
/** Ids of the keys that call. */
let ids: { readonly operator: string; readonly member: string };

beforeAll(async () => {
  gateway = await startGateway();
  const api = new KeysApi(gateway);
  orgId = await api.firstOrganization();
  const { body } = await api.call("GET", "api-keys?limit=100");
  const keys = body?.["data"] as readonly { readonly id: string; readonly role: string }[];
  const idOf = (role: string) => keys.find((key) => key.role === role)?.id ?? "";
  ids = { operator: idOf("operator"), member: idOf("member") };
});
afterAll(() => gateway.stop());

const publicPaths = [
  ...["/healthz", "/readyz", "/version", "/openapi.json", "/metrics", "/api/hello"],
];
/** Where a provider of the caller's own is asked: control-plane.test.ts. */
const providersPath = "/api/oauth/{path}";

const isManaged = (path: string): boolean => path.startsWith("/api/v1/gateway/");
/** A session calls these, not a key: sessions.test.ts. */
const isOfSessions = (path: string): boolean => path.startsWith("/api/v1/gateway/sessions");
/** Every key may ask for records, and sees its own: records.test.ts. */
const isForAll = (path: string): boolean => /^\/api\/v1\/gateway\/(?:records|usage\/)/.test(path);

const calls = describedOperations
  .filter(({ path }) => !publicPaths.includes(path) && path !== providersPath)
  .filter(({ path }) => !isOfSessions(path))
  .map(({ path, method }) => [method.toUpperCase(), path] as const);

async function call(method: string, path: string, secret: string): Promise<string> {
  const base = isManaged(path) ? gateway.keysUrl : gateway.url;
  const filled = path.replace("/orgs/{id}", `/orgs/${orgId}`).replaceAll(/\{[^}]+\}/g, "0");
  const response = await fetch(base + filled, {
    method,
    headers: { authorization: `Bearer ${secret}` },
    ...(method === "POST" || method === "PATCH" ? { body: "{}" } : {}),
  });
  // A live tail ends only when its reader leaves.
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) await response.body?.cancel();
  else await response.text();
  return response.headers.get("x-svc-request-id") ?? "";
}

/** The request's line of the log, which is written when the answer has gone. */
async function lineOf(requestId: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  await expect
    .poll(() => gateway.log.some((line) => line["request_id"] === requestId), { interval: 2 })
    .toBe(true);
  return gateway.log.find((line) => line["request_id"] === requestId && line["msg"] === "request");
}

test("the document has endpoints", () => {
  expect(calls.length).toBeGreaterThan(40);
});

test.each(calls)("the record of %s %s names the key that called", async (method, path) => {
  const isForOperators = isManaged(path) || path.startsWith("/v1/audit/");
  const secret = isForOperators ? gateway.operatorKey : gateway.key;
  const line = await lineOf(await call(method, path, secret));
  expect(line).toMatchObject({ api_key_id: isForOperators ? ids.operator : ids.member });
});

const isForManagers = (path: string): boolean =>
  (isManaged(path) && !isForAll(path)) || path.startsWith("/v1/audit/");

test.each(calls.filter(([, path]) => isForManagers(path)))(
  "and of %s %s names a key that may not call",
  async (method, path) => {
    const line = await lineOf(await call(method, path, gateway.key));
    expect(line).toMatchObject({ status: 403, api_key_id: ids.member });
  },
);

test("the record of a ledger's export names the organization too", async () => {
  const requestId = await call("GET", "/api/v1/gateway/orgs/{id}/ledger.csv", gateway.operatorKey);
  expect(await lineOf(requestId)).toMatchObject({ status: 200, org_id: orgId });
});
