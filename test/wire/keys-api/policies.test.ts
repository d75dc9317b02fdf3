import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi } from "../../support/keys-api.ts";

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

const pattern = { name: "invoice", regex: "INV-[0-9]+", direction: "input", action: "flag" };
const entity = { category: "pii", action: "redact", direction: "both" };

test("a policy has every rule it was given, and defaults", async () => {
  const given = {
    name: "every",
    injection: { action: "flag", sensitivity: "strict" },
    entities: [entity],
    dryRun: true,
  };
  const body = { orgId: acme.id, ...given, customPatterns: [pattern] };
  const made = await acme.asAdmin.data(201, "POST", "policies", body);
  const customPatterns = [{ ...pattern, redactionToken: "[REDACTED]" }];
  expect(made).toMatchObject({ ...given, customPatterns, version: 1, source: "api" });
  expect(await api.data(200, "GET", `policies/${made.id}`)).toEqual(made);
  const plain = await api.data(201, "POST", "policies", { orgId: acme.id, name: "plain" });
  const injection = { action: "block", sensitivity: "balanced" };
  expect(plain).toMatchObject({ injection, entities: [], customPatterns: [], dryRun: false });
});

test.each([
  ["a zero", "\u0000"],
  ["half of a surrogate pair", "\ud83d"],
])("a pattern may have any text: %s", async (_, odd) => {
  const name = `odd ${odd.charCodeAt(0)}`;
  const customPatterns = [{ ...pattern, name: `a${odd}b`, regex: odd, redactionToken: odd }];
  const made = await api.data(201, "POST", "policies", { orgId: acme.id, name, customPatterns });
  expect(made).toMatchObject({ customPatterns });
  const changed = [...customPatterns, { ...pattern, name: "plain" }];
  const body = { customPatterns: changed };
  await api.data(200, "PATCH", `policies/${made.id}`, body);
  expect(await api.data(200, "GET", `policies/${made.id}`)).toMatchObject(body);
});

test("each change makes the next version and keeps what it does not name", async () => {
  const body = { orgId: acme.id, name: "v", entities: [entity], customPatterns: [pattern] };
  const { id } = await api.data(201, "POST", "policies", body);
  const strict = { injection: { sensitivity: "strict" } };
  const second = await api.data(200, "PATCH", `policies/${id}`, strict);
  expect(second).toMatchObject({
    version: 2,
    injection: { action: "block", sensitivity: "strict" },
    entities: [entity],
    customPatterns: [pattern],
  });
  const third = await api.data(200, "PATCH", `policies/${id}`, {
    customPatterns: [],
    entities: [],
  });
  expect(third).toMatchObject({ version: 3, customPatterns: [], entities: [] });
});

test.each<[string | undefined, object]>([
  ["name", { name: " " }],
  ["injection", { injection: { action: "off" } }],
  ["injection", { injection: { sensitivity: "wild" } }],
  ["entities", { entities: [{ ...entity, category: "prompt_injection" }] }],
  ["entities", { entities: [entity, { ...entity, direction: "input" }] }],
  ["dryRun", { dryRun: 1 }],
  ["customPatterns", { customPatterns: "x" }],
  ["customPatterns", { customPatterns: [{ ...pattern, regex: "(" }] }],
  ["customPatterns", { customPatterns: [{ ...pattern, regex: "(?=x)" }] }],
  ["customPatterns", { customPatterns: [pattern, { ...pattern, name: "INVOICE" }] }],
  ["customPatterns", { customPatterns: [{ ...pattern, flags: "i" }] }],
  [
    "customPatterns",
    { customPatterns: Array.from({ length: 51 }, (_, i) => ({ ...pattern, name: `p${i}` })) },
  ],
  [undefined, { version: 7 }],
])("none is made or changed with a wrong %s: %o", async (param, wrong) => {
  const name = `w${Math.random()}`;
  const { id } = await api.data(201, "POST", "policies", { orgId: acme.id, name });
  const refused = [400, "invalid_request", param];
  const body = { orgId: acme.id, name: "wrong", ...wrong };
  expect(await api.refusal("POST", "policies", body)).toEqual(refused);
  expect(await api.refusal("PATCH", `policies/${id}`, wrong)).toEqual(refused);
  expect(await api.data(200, "GET", `policies/${id}`)).toMatchObject({ version: 1 });
  expect((await api.call("DELETE", `policies/${id}`)).status).toBe(204);
});

test("a wrong pattern is refused with the details of a scan", async () => {
  const customPatterns = [pattern, { ...pattern, name: "back", regex: String.raw`(a)\1` }];
  const body = { orgId: acme.id, name: "wrong", customPatterns };
  const { body: refused } = await api.call("POST", "policies", body);
  expect(refused).toMatchObject({
    error: {
      custom_pattern_errors: [
        { field: "regex", code: "regex_unsupported_feature", index: 1, patternName: "back" },
      ],
      custom_pattern_errors_truncated: 0,
    },
  });
});

test("names are unique in an organization", async () => {
  const first = await api.data(201, "POST", "policies", { orgId: acme.id, name: "same" });
  await api.data(201, "POST", "policies", { orgId: other.id, name: "same" });
  const second = await api.data(201, "POST", "policies", { orgId: acme.id, name: "another" });
  const taken = [409, "duplicate_entry", "name"];
  expect(await api.refusal("POST", "policies", { orgId: acme.id, name: "same" })).toEqual(taken);
  expect(await api.refusal("PATCH", `policies/${second.id}`, { name: "same" })).toEqual(taken);
  expect((await api.call("DELETE", `policies/${first.id}`)).status).toBe(204);
  await api.data(200, "PATCH", `policies/${second.id}`, { name: "same" });
});

test("one that is in use stays", async () => {
  const { id } = await api.data(201, "POST", "policies", { orgId: acme.id, name: "used" });
  const path = `policies/${id}`;
  const forbidden = [403, "forbidden", undefined];
  const { key } = await acme.asAdmin.key({ orgId: acme.id, securityPolicyId: id });
  expect(key).toMatchObject({ securityPolicyId: id });
  expect(await api.refusal("DELETE", path)).toEqual(forbidden);
  await api.data(200, "PATCH", `orgs/${acme.id}`, { securityPolicyId: id });
  await api.data(200, "PATCH", `api-keys/${key.id}`, { securityPolicyId: null });
  expect(await api.refusal("DELETE", path)).toEqual(forbidden);
  await api.data(200, "PATCH", `orgs/${acme.id}`, { securityPolicyId: null });
  expect((await api.call("DELETE", path)).status).toBe(204);
  const theirs = { name: "k", orgId: other.id, securityPolicyId: id };
  expect(await api.refusal("POST", "api-keys", theirs)).toEqual([
    404,
    "not_found",
    "securityPolicyId",
  ]);
});

test("the file's default policy is shown and read-only", async () => {
  const shown = await acme.asAdmin.data(200, "GET", "policies/default");
  const injection = { action: "block", sensitivity: "balanced" };
  expect(shown).toMatchObject({ id: "default", orgId: null, source: "file", injection });
  const forbidden = [403, "forbidden", undefined];
  expect(await api.refusal("PATCH", "policies/default", { dryRun: true })).toEqual(forbidden);
  expect(await api.refusal("DELETE", "policies/default")).toEqual(forbidden);
});

test("an admin sees its organization's only", async () => {
  const { id } = await api.data(201, "POST", "policies", { orgId: other.id, name: "theirs" });
  const { asAdmin } = acme;
  const nothing = [404, "not_found", undefined];
  expect(await asAdmin.refusal("GET", `policies/${id}`)).toEqual(nothing);
  expect(await asAdmin.refusal("PATCH", `policies/${id}`, {})).toEqual(nothing);
  expect(await asAdmin.refusal("DELETE", `policies/${id}`)).toEqual(nothing);
  const body = { orgId: other.id, name: "x" };
  expect(await asAdmin.refusal("POST", "policies", body)).toEqual([404, "not_found", "orgId"]);
});

test.each([1, 2, 3, 1000])(
  "they are listed in pages of %i, the default one first",
  async (limit) => {
    const { id: orgId } = await api.organization(`pages of ${limit}`);
    const made: string[] = [];
    for (const name of ["a", "b", "c"]) {
      made.push((await api.data(201, "POST", "policies", { orgId, name })).id);
    }
    const pages = await api.pages(`policies?orgId=${orgId}&limit=${limit}`);
    expect(pages.flat()).toEqual(["default", ...made]);
    expect(pages.every((page) => page.length > 0 && page.length <= limit)).toBe(true);
  },
);
