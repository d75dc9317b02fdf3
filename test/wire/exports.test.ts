import { afterAll, beforeAll, expect, test } from "vitest";
import type { Export } from "../../src/contract/records-api.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";

let gateway: TestGateway;
let keys: KeysApi;
let acme: Awaited<ReturnType<KeysApi["organization"]>>;
let other: Awaited<ReturnType<KeysApi["organization"]>>;
let viewer: KeysApi;
let member: KeysApi;
beforeAll(async () => {
  gateway = await startGateway();
  keys = new KeysApi(gateway);
  acme = await keys.organization("acme");
  other = await keys.organization("other");
  viewer = keys.as((await acme.asAdmin.key({ orgId: acme.id, role: "viewer" })).secret);
  const { secret } = await acme.asAdmin.key({ orgId: acme.id });
  member = keys.as(secret);
  const ids = await Promise.all([ask(secret, "m"), ask(secret, "＝1+1"), ask(gateway.key, "m")]);
  for (const id of ids) await new AuditApi(gateway).eventOf(id);
});
afterAll(() => gateway.stop());

/** A request that no account serves. */
async function ask(secret: string, model: string): Promise<string> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  return response.headers.get("x-svc-request-id") ?? "";
}

async function exported(api: KeysApi, filter: object = {}): Promise<Export> {
  const created = await api.data(202, "POST", "exports", { format: "csv", filter });
  for (;;) {
    const { body } = await api.call("GET", `exports/${created.id}`);
    const one = body?.["data"] as Export;
    if (one.status !== "queued" && one.status !== "running") return one;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function fileOf(id: string, secret = gateway.operatorKey): Promise<Response> {
  return fetch(`${gateway.keysUrl}/api/v1/gateway/exports/${id}/file`, {
    headers: { authorization: `Bearer ${secret}` },
  });
}

test("an export has the records that pass, in their order, and formulas are texts", async () => {
  const all = await exported(keys);
  expect(all).toMatchObject({ status: "completed", rowsDone: 3, rowsTotal: 3 });
  const text = await (await fileOf(all.id)).text();
  expect(text.split("\r\n")).toHaveLength(5);
  expect(text).toContain(",'＝1+1,");
  expect(text.split("\r\n")[0]).toMatch(/^timestamp,.*,audit_index,tags,team,.*,first_byte_ms$/);
  const some = await exported(keys, { orgId: acme.id, model: "m" });
  expect(some.rowsDone).toBe(1);
  expect(await (await fileOf(some.id)).text()).toContain(acme.id);
});

test("an admin and a viewer export what is theirs, and see each other's; a member nothing", async () => {
  for (const api of [acme.asAdmin, viewer]) {
    const one = await exported(api);
    expect(one.rowsTotal).toBe(2);
    for (const sees of [keys, acme.asAdmin, viewer]) {
      expect((await sees.call("GET", `exports/${one.id}`)).status).toBe(200);
    }
    for (const method of ["GET", "DELETE"]) {
      expect(await other.asAdmin.refusal(method, `exports/${one.id}`)).toEqual([
        404,
        "not_found",
        undefined,
      ]);
    }
    expect((await other.asAdmin.call("GET", `exports/${one.id}/file`)).status).toBe(404);
  }
  const ofOperator = await exported(keys);
  expect((await acme.asAdmin.call("GET", `exports/${ofOperator.id}`)).status).toBe(404);
  const body = { format: "csv", filter: { orgId: other.id } };
  expect(await acme.asAdmin.refusal("POST", "exports", body)).toEqual([404, "not_found", "orgId"]);
  for (const [method, path] of [
    ["POST", "exports"],
    ["GET", "exports"],
    ["GET", `exports/${ofOperator.id}`],
    ["DELETE", `exports/${ofOperator.id}`],
    ["GET", `exports/${ofOperator.id}/file`],
  ] as const) {
    const answer = await member.refusal(
      method,
      path,
      method === "POST" ? { format: "csv" } : undefined,
    );
    expect(answer).toEqual([403, "forbidden", undefined]);
  }
});

test.each([
  [{ format: "xlsx" }, "format"],
  [{ format: "csv", filter: { foo: "a" } }, "foo"],
  [{ format: "csv", filter: { type: "chat" } }, "type"],
  [{ format: "csv", filter: { type: ["scan"] } }, "filter"],
  [{ format: "csv", path: "/tmp/x" }, undefined],
])("%j is refused", async (body, param) => {
  const [status, code, named] = await keys.refusal("POST", "exports", body);
  expect([status, code]).toEqual([400, "invalid_request"]);
  if (param !== undefined) expect(named).toBe(param);
});

test.each(["..%2F..%2Fweir.mdb", "%2e%2e", "0123", "'; ATTACH", "g".repeat(32), "..", "x.csv"])(
  "no name but our own leads to a file: %s",
  async (id) => {
    const found = await fileOf(id.includes("%") ? id : encodeURIComponent(id));
    expect(found.status).toBe(404);
  },
);

test.each([
  "'",
  "../../x",
  "read_csv('/etc/passwd')",
  "'; ATTACH '/tmp/x'; --",
  "COPY records TO 'x'",
])(
  "%j in a filter is a value",
  async (text) => {
    for (const name of ["model", "key", "team", "provider", "account", "route", "error_code"]) {
      expect(await exported(keys, { [name]: text })).toMatchObject({
        status: "completed",
        rowsDone: 0,
      });
    }
  },
  30_000,
);

test("a ticket leads to one file, once, and no longer than its key works", async () => {
  const { key, secret } = await acme.asAdmin.key({ orgId: acme.id, role: "viewer" });
  const one = await exported(acme.asAdmin);
  const another = await exported(acme.asAdmin);
  const ticketOf = async (api: KeysApi): Promise<string> =>
    String((await api.data(201, "POST", `exports/${one.id}/tickets`))["ticket"]);
  const download = async (id: string, ticket: string): Promise<number> =>
    (await fetch(`${gateway.keysUrl}/api/v1/gateway/exports/${id}/file?ticket=${ticket}`)).status;

  const ticket = await ticketOf(acme.asAdmin);
  expect(await download(one.id, ticket)).toBe(200);
  expect(await download(one.id, ticket)).toBe(401);
  const elsewhere = await ticketOf(acme.asAdmin);
  expect(await download(another.id, elsewhere)).toBe(401);
  expect(await download(one.id, elsewhere)).toBe(401);
  expect(await download(one.id, "0".repeat(64))).toBe(401);

  const late = await ticketOf(keys.as(secret));
  await acme.asAdmin.call("DELETE", `api-keys/${key.id}`);
  expect(await download(one.id, late)).toBe(401);
  for (const stranger of [other.asAdmin, member]) {
    const { status } = await stranger.call("POST", `exports/${one.id}/tickets`);
    expect([403, 404]).toContain(status);
  }
});

test("an export is deleted with its file, and kept over a restart until then", async () => {
  const one = await exported(keys);
  gateway = await gateway.restart();
  keys = new KeysApi(gateway);
  expect(await keys.data(200, "GET", `exports/${one.id}`)).toEqual(one);
  expect((await fileOf(one.id)).status).toBe(200);
  expect((await keys.call("DELETE", `exports/${one.id}`)).status).toBe(204);
  expect((await fileOf(one.id)).status).toBe(404);
  expect(await keys.refusal("GET", `exports/${one.id}`)).toEqual([404, "not_found", undefined]);
});
