import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
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

/** What the gateway answers to a key: 200, or 401 for one that does not work. */
async function statusFor(secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` };
  return (await fetch(`${gateway.url}/v1/models`, { headers })).status;
}

describe("a key", () => {
  test("works from its creation on, with every attribute it was given", async () => {
    const attributes = {
      name: "search backend",
      role: "member",
      rateLimit: 60,
      allowedModels: ["demo/echo", "small"],
      team: { name: "search", budget: { usd: "0.000001", window: "week" } },
      responseCache: { ttlSeconds: 86_400 },
      expiresAt: "2999-01-01T00:00:00+01:00",
    };
    const { key, secret } = await api.key({ orgId: acme.id, ...attributes });
    expect(secret).toMatch(/^sk-gw-[0-9a-f]{48}$/);
    expect(key).toMatchObject({ ...attributes, expiresAt: "2998-12-31T23:00:00.000Z" });
    expect(key).toMatchObject({ orgId: acme.id, status: "active", securityPolicyId: null });
    expect(await statusFor(secret)).toBe(200);
    const used = await api.data(200, "GET", `api-keys/${key.id}`);
    expect(Date.parse(String(used["lastUsedAt"]))).toBeGreaterThan(Date.now() - 60_000);
    expect(used).toEqual({ ...key, lastUsedAt: used["lastUsedAt"] });
  });

  test("has no cap and no restriction unless told", async () => {
    const { key } = await acme.asAdmin.key({ orgId: acme.id });
    const nothing = { rateLimit: null, allowedModels: null, team: null, expiresAt: null };
    expect(key).toMatchObject({ ...nothing, responseCache: null, role: "member" });
  });

  test("is an operator's without an organization", async () => {
    const { key, secret } = await api.key({ orgId: null });
    expect(key).toMatchObject({ role: "operator", orgId: null });
    expect(await api.as(secret).data(200, "GET", `api-keys/${key.id}`)).toMatchObject({
      id: key.id,
    });
    expect(await statusFor(secret)).toBe(403);
    expect((await api.call("DELETE", `api-keys/${key.id}`)).status).toBe(204);
  });

  test.each<[string | undefined, unknown]>([
    ["name", {}],
    ["name", { name: " " }],
    ["name", { name: "a\nb" }],
    ["name", { name: "a\ud800" }],
    ["name", { name: "x".repeat(129) }],
    ["name", { name: 1 }],
    ["orgId", { orgId: 5 }],
    ["role", { role: "root" }],
    ["role", { role: "operator" }],
    ["rateLimit", { rateLimit: 0 }],
    ["rateLimit", { rateLimit: 1.5 }],
    ["rateLimit", { rateLimit: "60" }],
    ["rateLimit", { rateLimit: 1e12 }],
    ["allowedModels", { allowedModels: "demo/echo" }],
    ["allowedModels", { allowedModels: ["demo/echo", "demo/echo"] }],
    ["allowedModels", { allowedModels: ["a b"] }],
    ["team", { team: { name: "t" } }],
    ["team", { team: { name: "t", budget: { usd: "0", window: "day" } } }],
    ["team", { team: { name: "t", budget: { usd: "-1", window: "day" } } }],
    ["team", { team: { name: "t", budget: { usd: "1.0000001", window: "day" } } }],
    ["team", { team: { name: "t", budget: { usd: 5, window: "day" } } }],
    ["team", { team: { name: "t", budget: { usd: "1", window: "year" } } }],
    ["responseCache", { responseCache: true }],
    ["responseCache", { responseCache: { ttlSeconds: 0 } }],
    ["responseCache", { responseCache: { ttlSeconds: 86_401 } }],
    ["expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
    ["expiresAt", { expiresAt: "tomorrow" }],
    ["expiresAt", { expiresAt: "2999-02-30T00:00:00Z" }],
    [undefined, { secret: "sk-gw-mine" }],
  ])("is not made with a wrong %s: %o", async (param, wrong) => {
    const body = {
      orgId: acme.id,
      ...(param === "name" ? {} : { name: "k" }),
      ...(wrong as object),
    };
    expect(await api.refusal("POST", "api-keys", body)).toEqual([400, "invalid_request", param]);
  });

  test("is not made for what is not there", async () => {
    const body = { name: "k", orgId: "org_none" };
    expect(await api.refusal("POST", "api-keys", body)).toEqual([404, "not_found", "orgId"]);
    const policy = { name: "k", orgId: acme.id, securityPolicyId: "policy_none" };
    const refused = [404, "not_found", "securityPolicyId"];
    expect(await api.refusal("POST", "api-keys", policy)).toEqual(refused);
    const operator = { name: "k", orgId: null, role: "member" };
    expect(await api.refusal("POST", "api-keys", operator)).toEqual([
      400,
      "invalid_request",
      "role",
    ]);
  });

  test("changes with the next request, and only where it is told to", async () => {
    const { key, secret } = await api.key({ orgId: acme.id, rateLimit: 5 });
    const path = `api-keys/${key.id}`;
    const changed = await api.data(200, "PATCH", path, { name: "new", allowedModels: [] });
    expect(changed).toMatchObject({ name: "new", allowedModels: [], rateLimit: 5, role: "member" });
    const models = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await fetch(`${gateway.url}/v1/models`, { headers });
      return ((await answer.json()) as { data: unknown[] }).data.length;
    };
    expect(await models()).toBe(0);
    expect(
      await api.data(200, "PATCH", path, { allowedModels: null, rateLimit: null }),
    ).toMatchObject({
      allowedModels: null,
      rateLimit: null,
    });
    expect(await models()).toBeGreaterThan(0);
    expect(await api.data(200, "PATCH", path, { role: "admin" })).toMatchObject({ role: "admin" });
    expect((await api.as(secret).call("GET", "api-keys")).status).toBe(200);
    expect(await api.refusal("PATCH", path, { orgId: other.id })).toEqual([
      400,
      "invalid_request",
      undefined,
    ]);
    expect(await api.refusal("PATCH", "api-keys/key_none", {})).toEqual([
      404,
      "not_found",
      undefined,
    ]);
  });

  test("no secret is ever listed", async () => {
    const { secret } = await api.key({ orgId: acme.id });
    const listed = JSON.stringify((await api.call("GET", "api-keys?limit=1000")).body);
    for (const known of [secret, gateway.key, gateway.operatorKey]) {
      expect(listed).not.toContain(known);
      expect(listed).not.toContain(known.slice(10, -5));
    }
    expect(JSON.stringify(gateway.log)).not.toContain(secret.slice(10, -5));
  });
});

describe("rotation", () => {
  test("keeps the secret before alive for its grace, and no other", async () => {
    const { key, secret: first } = await api.key({ orgId: acme.id, rateLimit: 7 });
    const rotate = (body?: unknown) => api.call("POST", `api-keys/${key.id}/rotate`, body);
    const once = await rotate({ gracePeriodSeconds: 600 });
    expect(once.status).toBe(200);
    const second = String(once.body?.["key"]);
    expect(once.body?.["data"]).toMatchObject({ id: key.id, rateLimit: 7 });
    expect((once.body?.["data"] as Row)["label"]).not.toBe(key["label"]);
    const untilMs = Date.parse(String(once.body?.["previousKeyExpiresAt"])) - Date.now();
    expect(untilMs).toBeGreaterThan(540_000);
    expect(untilMs).toBeLessThanOrEqual(600_000);
    expect([await statusFor(first), await statusFor(second)]).toEqual([200, 200]);

    const third = String((await rotate({ gracePeriodSeconds: 600 })).body?.["key"]);
    expect(await Promise.all([first, second, third].map(statusFor))).toEqual([401, 200, 200]);
    // Without a grace, with a body or without one.
    const fourth = String((await rotate({})).body?.["key"]);
    expect(await Promise.all([second, third, fourth].map(statusFor))).toEqual([401, 401, 200]);
    const fifth = String((await rotate()).body?.["key"]);
    expect(await Promise.all([fourth, fifth].map(statusFor))).toEqual([401, 200]);
  });

  test.each<[string, string]>([
    ["no length", "\r\n"],
    ["an empty chunked one", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a length of 00", "Content-Length: 00\r\n\r\n"],
  ])("is rotated without a body: %s", async (_name, rest) => {
    const { key } = await api.key({ orgId: acme.id, name: "to rotate" });
    const { text } = await exchangeRaw(
      gateway.keysUrl,
      `POST /api/v1/gateway/api-keys/${key.id}/rotate HTTP/1.1\r\nHost: x\r\n` +
        `Authorization: Bearer ${gateway.operatorKey}\r\n${rest}`,
      ({ text }) => text.endsWith("}"),
    );
    expect(statusesOf(text)).toEqual([200]);
  });

  test("never outlives the key's own expiry", async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { key } = await api.key({ orgId: acme.id, expiresAt });
    const grace = { gracePeriodSeconds: 604_800 };
    const rotated = await api.call("POST", `api-keys/${key.id}/rotate`, grace);
    expect(rotated.body).toMatchObject({ previousKeyExpiresAt: expiresAt });
  });

  test.each([-1, 604_801, 1.5, "60", null])("takes no grace period of %o", async (seconds) => {
    const { key } = await api.key({ orgId: acme.id });
    const body = { gracePeriodSeconds: seconds };
    expect(await api.refusal("POST", `api-keys/${key.id}/rotate`, body)).toEqual([
      400,
      "invalid_request",
      "gracePeriodSeconds",
    ]);
  });
});

describe("revocation", () => {
  test("is for good, kills both secrets and may be asked for twice", async () => {
    const { key, secret } = await api.key({ orgId: acme.id });
    const path = `api-keys/${key.id}`;
    const rotated = await api.call("POST", `${path}/rotate`, { gracePeriodSeconds: 600 });
    const second = String(rotated.body?.["key"]);
    for (let i = 0; i < 2; i++) expect((await api.call("DELETE", path)).status).toBe(204);
    expect([await statusFor(secret), await statusFor(second)]).toEqual([401, 401]);
    expect(await api.data(200, "GET", path)).toMatchObject({ status: "revoked" });
    expect(await api.refusal("POST", `${path}/rotate`)).toEqual([403, "forbidden", undefined]);
    expect(await api.refusal("PATCH", path, { name: "x" })).toEqual([403, "forbidden", undefined]);
    expect(await api.refusal("DELETE", "api-keys/key_none")).toEqual([404, "not_found", undefined]);
  });

  test("lets an open stream finish, and no other request begin", async () => {
    const { key, secret } = await api.key({ orgId: await api.firstOrganization() });
    const ask = () =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify({
          model: "demo/echo?tokens=20&delay_ms=50",
          stream: true,
          messages: [{ role: "user", content: "hi" }],
        }),
      });
    const stream = await ask();
    expect(stream.status).toBe(200);
    expect((await api.call("DELETE", `api-keys/${key.id}`)).status).toBe(204);
    expect((await ask()).status).toBe(401);
    expect(await stream.text()).toContain("data: [DONE]");
  });
});

describe("lists", () => {
  test("come page by page, oldest first", async () => {
    const { id, admin } = await api.organization("pages");
    const made = [admin.id];
    for (let i = 0; i < 4; i++) made.push((await api.key({ orgId: id })).key.id);
    const seen = await api.pages(`api-keys?orgId=${id}&limit=2`);
    expect(seen.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(seen.flat()).toEqual(made);
  });

  test.each([
    ["limit", "limit=0"],
    ["limit", "limit=1001"],
    ["limit", "limit=-1"],
    ["limit", "limit=x"],
    ["limit", "limit="],
    ["limit", "limit=1.5"],
    ["cursor", "cursor="],
    ["cursor", "cursor=x"],
    ["cursor", "cursor=org_00"],
    ["cursor", "cursor=key_%F0%9F%98%80"],
  ])("take no wrong %s: %s", async (param, query) => {
    expect(await api.refusal("GET", `api-keys?${query}`)).toEqual([400, "invalid_request", param]);
  });

  test("of an organization that is not there", async () => {
    expect(await api.refusal("GET", "api-keys?orgId=org_none")).toEqual([
      404,
      "not_found",
      "orgId",
    ]);
  });
});
