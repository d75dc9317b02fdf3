import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { AuditApi } from "../../support/audit-api.ts";
import { KeysApi, type Row } from "../../support/keys-api.ts";
import { exchangeRaw, statusesOf } from "../../support/raw-socket.ts";

let gateway: TestGateway;
let api: KeysApi;
let acme: Awaited<ReturnType<KeysApi["organization"]>>;
let other: Awaited<ReturnType<KeysApi["organization"]>>;
beforeAll(async () => {
  gateway = await startGateway();
  api = new KeysApi(gateway);
  acme = await api.organization("acme");
  other = await api.organization("other");
});
afterAll(() => gateway.stop());

describe("who may call", () => {
  test("nobody without a bearer token that is a key", async () => {
    const path = `${gateway.keysUrl}/api/v1/gateway/api-keys`;
    const withHeaders = (headers: Record<string, string>) => fetch(path, { headers });
    expect((await withHeaders({})).status).toBe(401);
    // spec: Authentication 7. No other slot.
    expect((await withHeaders({ "x-svc-api-key": gateway.operatorKey })).status).toBe(401);
    expect((await withHeaders({ authorization: "Bearer sk-gw-none" })).status).toBe(401);
    expect((await withHeaders({ authorization: `Basic ${gateway.operatorKey}` })).status).toBe(401);
  });

  test.each(["api-keys", "orgs", "orgs/org_1/ledger.csv"])(
    "nobody with two tokens, of which another server might read the other: %s",
    async (path) => {
      const { text } = await exchangeRaw(
        gateway.keysUrl,
        `GET /api/v1/gateway/${path} HTTP/1.1\r\nHost: localhost\r\n` +
          `Authorization: Bearer ${gateway.operatorKey}\r\nauthorization: Bearer sk-gw-none\r\n\r\n`,
        ({ text }) => text.endsWith("}"),
      );
      expect(statusesOf(text)).toEqual([400]);
      expect(text).toContain('"code":"invalid_request"');
    },
  );

  test.each([
    ["GET", "api-keys"],
    ["POST", "api-keys"],
    ["GET", "usage-limits"],
    ["GET", "orgs"],
    ["GET", "providers"],
    ["GET", "policies"],
  ])("no member: %s %s", async (method, path) => {
    const body = method === "POST" ? {} : undefined;
    expect(await api.as(gateway.key).refusal(method, path, body)).toEqual([
      403,
      "forbidden",
      undefined,
    ]);
  });

  test("an admin manages its own organization; another's is not there for it", async () => {
    const { asAdmin } = acme;
    const { key: theirs } = await api.key({ orgId: other.id });
    const nothing = [404, "not_found", undefined];
    const path = `api-keys/${theirs.id}`;
    expect(await asAdmin.refusal("GET", path)).toEqual(nothing);
    expect(await asAdmin.refusal("PATCH", path, { name: "x" })).toEqual(nothing);
    expect(await asAdmin.refusal("POST", `${path}/rotate`)).toEqual(nothing);
    expect(await asAdmin.refusal("DELETE", path)).toEqual(nothing);
    const body = { name: "k", orgId: other.id };
    expect(await asAdmin.refusal("POST", "api-keys", body)).toEqual([404, "not_found", "orgId"]);
    expect(await asAdmin.refusal("GET", `api-keys?orgId=${other.id}`)).toEqual([
      404,
      "not_found",
      "orgId",
    ]);
    const operator = { name: "k", orgId: null };
    expect(await asAdmin.refusal("POST", "api-keys", operator)).toEqual([
      403,
      "forbidden",
      "orgId",
    ]);
    const listed = (await asAdmin.call("GET", "api-keys?limit=1000")).body?.["data"] as Row[];
    expect(new Set(listed.map((key) => key["orgId"]))).toEqual(new Set([acme.id]));
    expect(await api.data(200, "GET", path)).toMatchObject({ status: "active" });
  });

  test("an admin's and an operator's key can't end itself", async () => {
    const { key: admin, secret } = await api.key({ orgId: acme.id, role: "admin" });
    const own = api.as(secret);
    const path = `api-keys/${admin.id}`;
    const soon = new Date(Date.now() + 60_000).toISOString();
    for (const [method, body] of [
      ["DELETE", undefined],
      ["PATCH", { role: "member" }],
      ["PATCH", { expiresAt: soon }],
    ] as const) {
      expect(await own.refusal(method, path, body)).toEqual([403, "forbidden", undefined]);
    }
    expect(await own.data(200, "PATCH", path, { name: "mine" })).toMatchObject({ name: "mine" });
    expect((await api.call("DELETE", path)).status).toBe(204);
  });

  test("the last operator key that never expires stays", async () => {
    const listed = (await api.call("GET", "api-keys?limit=1000")).body?.["data"] as Row[];
    const first = listed.find((key) => key["role"] === "operator" && key["status"] === "active");
    const path = `api-keys/${first?.id ?? ""}`;
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const second = await api.key({ orgId: null, expiresAt });
    const asSecond = api.as(second.secret);
    expect(await asSecond.refusal("DELETE", path)).toEqual([403, "forbidden", undefined]);
    expect(await asSecond.refusal("PATCH", path, { expiresAt })).toEqual([
      403,
      "forbidden",
      undefined,
    ]);
    expect(await asSecond.refusal("PATCH", path, { role: "member" })).toEqual([
      400,
      "invalid_request",
      "role",
    ]);
    const third = await api.key({ orgId: null });
    expect((await api.as(third.secret).call("DELETE", `api-keys/${second.key.id}`)).status).toBe(
      204,
    );
    expect((await api.call("DELETE", `api-keys/${third.key.id}`)).status).toBe(204);
  });
});

describe("the listener", () => {
  const call = (method: string, path: string, body?: string) =>
    fetch(gateway.keysUrl + path, {
      method,
      headers: { authorization: `Bearer ${gateway.operatorKey}` },
      ...(body === undefined ? {} : { body }),
    });
  const codeOf = async (response: Response) =>
    ((await response.json()) as { error: { code: string; limit?: number } }).error;

  test.each([
    ["PUT", "api-keys", "POST, GET, HEAD"],
    ["POST", "api-keys/key_1", "GET, PATCH, DELETE, HEAD"],
    ["GET", "api-keys/key_1/rotate", "POST"],
    ["DELETE", "orgs/org_1", "GET, PATCH, HEAD"],
    ["POST", "usage-limits/limit_1/usage", "GET, HEAD"],
  ])("answers 405 with Allow: %s %s", async (method, path, allow) => {
    const response = await call(
      method,
      `/api/v1/gateway/${path}`,
      method === "GET" ? undefined : "{}",
    );
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expect((await codeOf(response)).code).toBe("method_not_allowed");
  });

  test.each([
    "/api/v1/gateway",
    "/api/v1/gateway/api-keys/",
    "/api/v1/gateway/none",
    "/v1/messages",
  ])("answers 404 to %s, whatever the token", async (path) => {
    for (const token of [gateway.operatorKey, "not-a-service-key"]) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(gateway.keysUrl + path, { headers });
      expect(response.status).toBe(404);
      expect((await codeOf(response)).code).toBe("unknown_route");
    }
  });

  test.each(["api-keys", "orgs", "usage-limits", "policies", "providers"])(
    "answers 404 to an id of any length: %s",
    async (collection) => {
      for (const id of ["x", "%00", "x".repeat(129), "x".repeat(12_000)]) {
        const response = await call("PATCH", `/api/v1/gateway/${collection}/${id}`, "{}");
        expect(response.status).toBe(404);
      }
    },
  );

  test("the gateway's own listener knows none of it", async () => {
    const headers = { authorization: `Bearer ${gateway.operatorKey}` };
    const response = await fetch(`${gateway.url}/api/v1/gateway/api-keys`, { headers });
    expect(response.status).toBe(404);
  });

  test.each([
    ["not JSON", "{"],
    ["no object", "[]"],
    ["empty", ""],
    ["a member twice", '{"name":"a","name":"b","orgId":null}'],
    ["no UTF-8", '{"name":"\u{d800}'.slice(0, -1)],
  ])("refuses a body that is %s", async (_, body) => {
    const response = await call("POST", "/api/v1/gateway/api-keys", body);
    expect(response.status).toBe(400);
    expect((await codeOf(response)).code).toBe("invalid_request");
  });

  test("takes bodies up to 10 MB", async () => {
    const bytesMax = 10 * 1024 * 1024;
    const fits = await call("POST", "/api/v1/gateway/api-keys", " ".repeat(bytesMax));
    expect(fits.status).toBe(400);
    const tooLarge = await call("POST", "/api/v1/gateway/api-keys", " ".repeat(bytesMax + 1));
    expect(tooLarge.status).toBe(413);
    expect(await codeOf(tooLarge)).toMatchObject({ code: "request_too_large", limit: bytesMax });
  });

  test("answers HEAD as GET without a body", async () => {
    const response = await call("HEAD", "/api/v1/gateway/api-keys");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  test("leaves a line and an audit event of every change", async () => {
    const { id: orgId } = await api.data(201, "POST", "orgs", { name: "seen", plan: "paid" });
    await api.data(200, "PATCH", `orgs/${orgId}`, { name: "seen again" });
    const { key, secret } = await api.key({ orgId, role: "admin" });
    const seen = new AuditApi(gateway, secret);
    await api.data(200, "PATCH", `api-keys/${key.id}`, { name: "other" });
    await api.call("POST", `api-keys/${key.id}/rotate`, { gracePeriodSeconds: 600 });
    const { key: other } = await api.key({ orgId });
    await api.call("DELETE", `api-keys/${other.id}`);
    const cap = { limitType: "tokens", threshold: "1", timeWindow: "1 day" };
    const limit = await api.data(201, "POST", "usage-limits", { orgId, name: "l", ...cap });
    await api.data(200, "PATCH", `usage-limits/${limit.id}`, { enabled: false });
    await api.call("DELETE", `usage-limits/${limit.id}`);
    const policy = await api.data(201, "POST", "policies", { orgId, name: "p" });
    await api.data(200, "PATCH", `policies/${policy.id}`, { dryRun: true });
    await api.call("DELETE", `policies/${policy.id}`);
    const changes = [
      "organization.created",
      "organization.updated",
      "key.created",
      "key.updated",
      "key.rotated",
      "key.created",
      "key.revoked",
      ...["usage_limit", "policy"].flatMap((what) =>
        ["created", "updated", "deleted"].map((how) => `${what}.${how}`),
      ),
    ];
    const lines = gateway.log.filter((line) => line["org_id"] === orgId);
    expect(lines.map(({ event }) => event)).toEqual(changes);
    const recorded = async () => (await seen.events()).map(({ event_type }) => event_type).sort();
    await expect.poll(recorded, { timeout: 5_000 }).toEqual(changes.toSorted());
  });

  test("logs who changed what, without secrets", async () => {
    const { key } = await api.key({ orgId: acme.id });
    const line = gateway.log.find(({ event, id }) => event === "key.created" && id === key.id);
    expect(line).toMatchObject({ org_id: acme.id, msg: "managed" });
  });
});
