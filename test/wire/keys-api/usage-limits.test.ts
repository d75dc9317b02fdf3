import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi, type Row } from "../../support/keys-api.ts";

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

const cost = { name: "cost", limitType: "cost", threshold: "50.00", timeWindow: "1 day" };
const requests = { name: "r", limitType: "requests", threshold: "1000", timeWindow: "1 hour" };
const nothing = [404, "not_found", undefined];

describe("a usage limit", () => {
  test("has the contract's members and defaults", async () => {
    const made = await api.data(201, "POST", "usage-limits", { orgId: acme.id, ...cost });
    expect(made).toMatchObject({ orgId: acme.id, ...cost, apiKeyId: null, enabled: true });
    expect(await api.data(200, "GET", `usage-limits/${made.id}`)).toEqual(made);
    const keyed = await acme.asAdmin.data(201, "POST", "usage-limits", {
      orgId: acme.id,
      ...requests,
      apiKeyId: acme.admin.id,
      enabled: false,
    });
    expect(keyed).toMatchObject({ apiKeyId: acme.admin.id, enabled: false });
  });

  test.each<[string, object]>([
    ["name", { name: "" }],
    ["limitType", { limitType: "money" }],
    ["timeWindow", { timeWindow: "1 year" }],
    ["timeWindow", { timeWindow: "day" }],
    ["threshold", { threshold: 50 }],
    ["threshold", { threshold: "0" }],
    ["threshold", { threshold: "0.00" }],
    ["threshold", { threshold: "-5" }],
    ["threshold", { threshold: "1.0000001" }],
    ["threshold", { threshold: "1e3" }],
    ["threshold", { threshold: "" }],
    ["threshold", { limitType: "tokens", threshold: "1.5" }],
    ["threshold", { limitType: "requests", threshold: "0" }],
    ["threshold", { limitType: "requests", threshold: "007" }],
    ["threshold", { limitType: "requests", threshold: "9".repeat(31) }],
    ["enabled", { enabled: "yes" }],
    ["apiKeyId", { apiKeyId: 5 }],
  ])("is not made with a wrong %s: %o", async (param, wrong) => {
    const body = { orgId: acme.id, ...cost, ...wrong };
    expect(await api.refusal("POST", "usage-limits", body)).toEqual([
      400,
      "invalid_request",
      param,
    ]);
  });

  test("needs its members, and takes no others", async () => {
    const refused = [400, "invalid_request"];
    for (const member of ["orgId", ...Object.keys(cost)]) {
      const body = Object.fromEntries(
        Object.entries({ orgId: acme.id, ...cost }).filter(([name]) => name !== member),
      );
      expect(await api.refusal("POST", "usage-limits", body)).toEqual([...refused, member]);
    }
    const body = { orgId: acme.id, ...cost, currentUsage: "0" };
    expect(await api.refusal("POST", "usage-limits", body)).toEqual([...refused, undefined]);
  });

  test("is for a key of its organization only", async () => {
    for (const apiKeyId of [other.admin.id, "key_none"]) {
      const body = { orgId: acme.id, ...cost, apiKeyId };
      expect(await api.refusal("POST", "usage-limits", body)).toEqual([
        404,
        "not_found",
        "apiKeyId",
      ]);
    }
    const body = { orgId: "org_none", ...cost };
    expect(await api.refusal("POST", "usage-limits", body)).toEqual([404, "not_found", "orgId"]);
  });

  test("changes member by member, checked as a whole", async () => {
    const { id } = await api.data(201, "POST", "usage-limits", { orgId: acme.id, ...cost });
    const path = `usage-limits/${id}`;
    const changed = await api.data(200, "PATCH", path, { threshold: "1.5", enabled: false });
    expect(changed).toMatchObject({ ...cost, threshold: "1.5", enabled: false });
    const wrong = [400, "invalid_request", "threshold"];
    expect(await api.refusal("PATCH", path, { limitType: "tokens" })).toEqual(wrong);
    const tokens = { limitType: "tokens", threshold: "2000000", timeWindow: "1 month" };
    expect(await api.data(200, "PATCH", path, tokens)).toMatchObject(tokens);
    const moved = { orgId: other.id, apiKeyId: other.admin.id };
    expect(await api.data(200, "PATCH", path, moved)).toMatchObject(moved);
    const theirs = (await other.asAdmin.call("GET", "usage-limits")).body?.["data"] as Row[];
    expect(theirs.map((limit) => limit.id)).toEqual([id]);
    const back = { orgId: acme.id };
    expect(await api.refusal("PATCH", path, back)).toEqual([404, "not_found", "apiKeyId"]);
    expect(await api.refusal("PATCH", "usage-limits/limit_none", {})).toEqual(nothing);
  });

  test("is deleted once", async () => {
    const { id } = await api.data(201, "POST", "usage-limits", { orgId: acme.id, ...cost });
    expect((await api.call("DELETE", `usage-limits/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ["DELETE", `usage-limits/${id}`],
      ["GET", `usage-limits/${id}`],
      ["GET", `usage-limits/${id}/usage`],
    ] as const) {
      expect(await api.refusal(method, path)).toEqual(nothing);
    }
  });

  test("tells its use", async () => {
    const { id } = await api.data(201, "POST", "usage-limits", { orgId: acme.id, ...cost });
    const usage = await api.data(200, "GET", `usage-limits/${id}/usage`);
    const { limitType, threshold, timeWindow } = cost;
    const expected = { limitId: id, limitType, threshold, timeWindow, exceeded: false };
    expect(usage).toEqual({ ...expected, currentUsage: "0.000000" });
  });
});

test("a free plan can't create or change limits, but delete those that it has left", async () => {
  const { id: orgId, asAdmin } = await api.organization("downgraded");
  const { id } = await asAdmin.data(201, "POST", "usage-limits", { orgId, ...cost });
  await api.data(200, "PATCH", `orgs/${orgId}`, { plan: "free" });
  const forbidden = [403, "forbidden", undefined];
  const path = `usage-limits/${id}`;
  expect(await asAdmin.refusal("POST", "usage-limits", { orgId, ...cost })).toEqual(forbidden);
  expect(await asAdmin.refusal("PATCH", path, { enabled: false })).toEqual(forbidden);
  expect(await api.refusal("PATCH", path, { orgId: acme.id })).toEqual(forbidden);
  expect(await asAdmin.data(200, "GET", path)).toMatchObject({ enabled: true });
  expect((await asAdmin.call("DELETE", path)).status).toBe(204);
});

test("an admin sees and changes its organization's limits only", async () => {
  const { id } = await api.data(201, "POST", "usage-limits", { orgId: other.id, ...cost });
  const { asAdmin } = acme;
  expect(await asAdmin.refusal("GET", `usage-limits/${id}`)).toEqual(nothing);
  expect(await asAdmin.refusal("GET", `usage-limits/${id}/usage`)).toEqual(nothing);
  expect(await asAdmin.refusal("PATCH", `usage-limits/${id}`, {})).toEqual(nothing);
  expect(await asAdmin.refusal("DELETE", `usage-limits/${id}`)).toEqual(nothing);
  const theirs = [404, "not_found", "orgId"];
  const body = { orgId: other.id, ...cost };
  expect(await asAdmin.refusal("POST", "usage-limits", body)).toEqual(theirs);
  expect(await asAdmin.refusal("GET", `usage-limits?orgId=${other.id}`)).toEqual(theirs);
  const own = await asAdmin.data(201, "POST", "usage-limits", { orgId: acme.id, ...cost });
  const away = { orgId: other.id };
  expect(await asAdmin.refusal("PATCH", `usage-limits/${own.id}`, away)).toEqual(theirs);
});

test("limits are listed with their use, as each of them tells it", async () => {
  const { id: orgId, asAdmin } = await api.organization("listed");
  const { secret } = await asAdmin.key({ orgId });
  const caps = [requests, cost, { ...requests, limitType: "tokens" }];
  for (const cap of caps) await asAdmin.data(201, "POST", "usage-limits", { orgId, ...cap });
  const money = { amountUsd: "1", idempotencyKey: "first" };
  await api.data(201, "POST", `orgs/${orgId}/top-ups`, money);
  const answered = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content: "hello" }] }),
  });
  await answered.text();
  const { body } = await asAdmin.call("GET", `usage-limits?include=usage&orgId=${orgId}`);
  const rows = body?.["data"] as (Row & { readonly usage: Row })[];
  expect(rows).toHaveLength(caps.length);
  for (const { usage, ...limit } of rows) {
    expect(limit).toEqual(await asAdmin.data(200, "GET", `usage-limits/${limit.id}`));
    expect(usage).toEqual(await asAdmin.data(200, "GET", `usage-limits/${limit.id}/usage`));
  }
  expect(rows[0]?.usage).toMatchObject({ limitType: "requests", currentUsage: "1" });
  const plain = (await asAdmin.call("GET", `usage-limits?orgId=${orgId}`)).body?.["data"] as Row[];
  expect(plain.map((row) => row["usage"])).toEqual([undefined, undefined, undefined]);
  for (const include of ["", "name", "usage,name"]) {
    expect(await asAdmin.refusal("GET", `usage-limits?include=${include}`)).toEqual([
      400,
      "invalid_request",
      "include",
    ]);
  }
});

test("limits are listed page by page", async () => {
  const { id: orgId, asAdmin } = await api.organization("pages");
  const made: string[] = [];
  for (let i = 0; i < 3; i++) {
    made.push((await asAdmin.data(201, "POST", "usage-limits", { orgId, ...cost })).id);
  }
  const pages = await asAdmin.pages(`usage-limits?orgId=${orgId}&limit=2`);
  expect(pages).toEqual([made.slice(0, 2), made.slice(2)]);
  const all = (await api.call("GET", "usage-limits?limit=1000")).body?.["data"] as Row[];
  expect(all.length).toBeGreaterThan(3);
  expect(await api.refusal("GET", "usage-limits?cursor=key_0")).toEqual([
    400,
    "invalid_request",
    "cursor",
  ]);
});
