import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi, type Row } from "../../support/keys-api.ts";

let gateway: TestGateway;
let api: KeysApi;
let orgId: string;
let asAdmin: KeysApi;
const ids: Record<string, string> = {};

beforeAll(async () => {
  gateway = await startGateway();
  api = new KeysApi(gateway);
  ({ id: orgId, asAdmin } = await api.organization("searched"));
  for (const name of ["web", "Batch jobs", "web shop", "api"]) {
    const { key, secret } = await asAdmin.key({ orgId, name });
    ids[name] = key.id;
    if (name === "api") continue;
    const models = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    await models.text();
  }
  expect((await asAdmin.call("DELETE", `api-keys/${ids["web"]}`)).status).toBe(204);
});
afterAll(() => gateway.stop());

async function names(query: string, caller = asAdmin): Promise<readonly unknown[]> {
  const { status, body } = await caller.call("GET", `api-keys?${query}`);
  expect(status).toBe(200);
  return (body?.["data"] as Row[]).map(({ name }) => name);
}

test("keys are found by name, id and label", async () => {
  expect(await names("q=WEB")).toEqual(["web", "web shop"]);
  expect(await names("q=jobs")).toEqual(["Batch jobs"]);
  expect(await names(`q=${ids["api"]}`)).toEqual(["api"]);
  const row = await asAdmin.data(200, "GET", `api-keys/${ids["web shop"]}`);
  const label = encodeURIComponent(String(row["label"]));
  expect(await names(`q=${label}`)).toEqual(["web shop"]);
  expect(await names("q=sk-gw-none")).toEqual([]);
  expect(await names("q=web&status=active")).toEqual(["web shop"]);
  expect(await names("status=revoked")).toEqual(["web"]);
});

test("keys come in the order that is asked for", async () => {
  // The admin's own key is the first, and is called k.
  expect(await names("sort=createdAt")).toEqual(["k", "web", "Batch jobs", "web shop", "api"]);
  expect(await names("sort=-createdAt")).toEqual(["api", "web shop", "Batch jobs", "web", "k"]);
  expect(await names("sort=name")).toEqual(["api", "Batch jobs", "k", "web", "web shop"]);
  expect(await names("sort=-name")).toEqual(["web shop", "web", "k", "Batch jobs", "api"]);
  const [unused] = await names("sort=lastUsedAt");
  expect(unused).toBe("api");
  expect((await names("sort=-lastUsedAt")).at(-1)).toBe("api");
});

test("pages of a search hold each key once, also while keys are added", async () => {
  for (const sort of ["name", "-name", "-createdAt", "lastUsedAt"]) {
    const seen: unknown[] = [];
    let cursor = "";
    do {
      const path = `api-keys?limit=2&sort=${sort}&status=active${cursor}`;
      const { body } = await asAdmin.call("GET", path);
      seen.push(...(body?.["data"] as Row[]).map(({ id }) => id));
      const next = body?.["nextCursor"] as string | null;
      cursor = next === null ? "" : `&cursor=${next}`;
      if (seen.length === 2) await asAdmin.key({ orgId, name: "m" });
    } while (cursor !== "");
    expect(new Set(seen).size).toBe(seen.length);
    for (const name of ["Batch jobs", "web shop", "api"]) expect(seen).toContain(ids[name]);
  }
});

test("a search finds keys of the caller's organization only", async () => {
  const { id: otherId, asAdmin: asOther } = await api.organization("another");
  expect(await names("q=web", asOther)).toEqual([]);
  expect(await names("sort=-name", asOther)).toEqual(["k"]);
  expect(await names(`q=web&sort=name&orgId=${orgId}`, api)).toEqual(["web", "web shop"]);
  for (const query of ["q=web", "sort=name", "status=active"]) {
    expect(await asAdmin.refusal("GET", `api-keys?${query}&orgId=${otherId}`)).toEqual([
      404,
      "not_found",
      "orgId",
    ]);
  }
});

test.each([
  ["q=", "q"],
  [`q=${"x".repeat(129)}`, "q"],
  ["status=expired", "status"],
  ["status=", "status"],
  ["sort=age", "sort"],
  ["sort=", "sort"],
  ["sort=name;DROP", "sort"],
  ["sort=name&cursor=key_0", "cursor"],
  ["sort=name&cursor=WyJhIiwiYiJd.0123456789abcdef", "cursor"],
  ["sort=name&limit=0", "limit"],
])("%s is refused for %s", async (query, param) => {
  expect(await asAdmin.refusal("GET", `api-keys?${query}`)).toEqual([
    400,
    "invalid_request",
    param,
  ]);
});

test("a cursor of another search is refused", async () => {
  const { body } = await asAdmin.call("GET", "api-keys?limit=1&sort=name");
  const cursor = String(body?.["nextCursor"]);
  for (const query of ["sort=-name", "sort=name&q=a", "status=active", "sort=createdAt"]) {
    expect(await asAdmin.refusal("GET", `api-keys?${query}&cursor=${cursor}`)).toEqual([
      400,
      "invalid_request",
      "cursor",
    ]);
  }
  // A place that no list gives, with the mark of the query.
  const [, mark] = cursor.split(".");
  for (const place of [
    "[]",
    '["a"]',
    '["a",5]',
    '["a","../x"]',
    "{",
    `["a","key_${"0".repeat(99)}"]`,
  ]) {
    const forged = `${Buffer.from(place).toString("base64url")}.${mark}`;
    const path = `api-keys?limit=1&sort=name&cursor=${forged}`;
    expect(await asAdmin.refusal("GET", path)).toEqual([400, "invalid_request", "cursor"]);
  }
});
