import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi, type Row } from "../../support/keys-api.ts";

let gateway: TestGateway;
let api: KeysApi;
beforeAll(async () => {
  gateway = await startGateway();
  api = new KeysApi(gateway);
});
afterAll(() => gateway.stop());

test("an organization has every attribute it was given, and defaults", async () => {
  const given = {
    name: "every",
    plan: "free",
    rateLimit: 6000,
    budget: { usd: "100", window: "month" },
    retentionDays: 30,
    payg: "disabled",
  };
  const made = await api.data(201, "POST", "orgs", given);
  expect(made).toMatchObject({ ...given, securityPolicyId: null });
  expect(await api.data(200, "GET", `orgs/${made.id}`)).toEqual(made);
  const plain = await api.data(201, "POST", "orgs", { name: "plain", plan: "paid" });
  const nothing = { rateLimit: null, budget: null, retentionDays: null };
  expect(plain).toMatchObject({ ...nothing, payg: "enabled" });
});

test.each<[string | undefined, object]>([
  ["name", { name: "" }],
  ["plan", { plan: "gold" }],
  ["rateLimit", { rateLimit: -1 }],
  ["budget", { budget: { usd: "0.0", window: "day" } }],
  ["budget", { budget: { usd: "1" } }],
  ["retentionDays", { retentionDays: 0 }],
  ["payg", { payg: true }],
  [undefined, { id: "org_mine" }],
])("none is made or changed with a wrong %s: %o", async (param, wrong) => {
  const { id } = await api.data(201, "POST", "orgs", { name: `w${Math.random()}`, plan: "paid" });
  const refused = [400, "invalid_request", param];
  const body = { name: "wrong", plan: "paid", ...wrong };
  expect(await api.refusal("POST", "orgs", body)).toEqual(refused);
  expect(await api.refusal("PATCH", `orgs/${id}`, wrong)).toEqual(refused);
});

test("names are unique, and free again once given up", async () => {
  const taken = [409, "duplicate_entry", "name"];
  const first = await api.data(201, "POST", "orgs", { name: "one", plan: "paid" });
  const second = await api.data(201, "POST", "orgs", { name: "two", plan: "paid" });
  expect(await api.refusal("POST", "orgs", { name: "one", plan: "paid" })).toEqual(taken);
  expect(await api.refusal("PATCH", `orgs/${second.id}`, { name: "one" })).toEqual(taken);
  // Its own name is not taken.
  await api.data(200, "PATCH", `orgs/${first.id}`, { name: "one", rateLimit: 5 });
  await api.data(200, "PATCH", `orgs/${first.id}`, { name: "three" });
  expect(await api.data(200, "PATCH", `orgs/${second.id}`, { name: "one" })).toMatchObject({
    name: "one",
  });
});

test("takes a policy of its own only", async () => {
  const mine = await api.organization("mine");
  const theirs = await api.organization("theirs");
  const policy = await api.data(201, "POST", "policies", { orgId: theirs.id, name: "p" });
  const refused = [404, "not_found", "securityPolicyId"];
  const body = { securityPolicyId: policy.id };
  expect(await api.refusal("PATCH", `orgs/${mine.id}`, body)).toEqual(refused);
  expect(await api.data(200, "PATCH", `orgs/${theirs.id}`, body)).toMatchObject(body);
});

test("an admin sees its own and changes none", async () => {
  const { id, asAdmin } = await api.organization("seen");
  const { id: otherId } = await api.organization("unseen");
  expect(await asAdmin.data(200, "GET", `orgs/${id}`)).toMatchObject({ name: "seen" });
  expect(await asAdmin.refusal("GET", `orgs/${otherId}`)).toEqual([404, "not_found", "orgId"]);
  const forbidden = [403, "forbidden", undefined];
  expect(await asAdmin.refusal("POST", "orgs", { name: "x", plan: "paid" })).toEqual(forbidden);
  expect(await asAdmin.refusal("PATCH", `orgs/${id}`, { plan: "paid" })).toEqual(forbidden);
  const listed = (await asAdmin.call("GET", "orgs")).body?.["data"] as Row[];
  expect(listed.map((org) => org.id)).toEqual([id]);
});

test("all are listed page by page", async () => {
  const all = (await api.call("GET", "orgs")).body?.["data"] as Row[];
  const seen = (await api.pages("orgs?limit=3")).flat();
  expect(seen).toEqual(all.map((org) => org.id));
  expect(seen.length).toBeGreaterThan(6);
  expect(await api.refusal("GET", "orgs?limit=no")).toEqual([400, "invalid_request", "limit"]);
  expect(await api.refusal("GET", "orgs/org_none")).toEqual([404, "not_found", "orgId"]);
  expect(await api.refusal("PATCH", "orgs/org_none", {})).toEqual([404, "not_found", "orgId"]);
});
