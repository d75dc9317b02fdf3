import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi, type Row } from "../../support/keys-api.ts";

interface Tenant {
  readonly id: string;
  readonly admin: KeysApi;
  readonly viewer: KeysApi;
  readonly member: KeysApi;
}

let gateway: TestGateway;
let operator: KeysApi;
let acme: Tenant;
let other: Tenant;
beforeAll(async () => {
  gateway = await startGateway();
  operator = new KeysApi(gateway);
  acme = await tenant("acme");
  other = await tenant("other");
});
afterAll(() => gateway.stop());

async function tenant(name: string): Promise<Tenant> {
  const { id, asAdmin } = await operator.organization(name);
  const team = { name: "search", budget: null };
  const viewer = await asAdmin.key({ orgId: id, role: "viewer" });
  const member = await asAdmin.key({ orgId: id, name: `member of ${name}`, team });
  const cap = { name: "l", limitType: "requests", threshold: "9", timeWindow: "1 day" };
  await asAdmin.data(201, "POST", "usage-limits", { orgId: id, ...cap });
  return {
    id,
    admin: asAdmin,
    viewer: operator.as(viewer.secret),
    member: operator.as(member.secret),
  };
}

const noMember = [403, "forbidden", undefined];
const noOrganization = [404, "not_found", "orgId"];

async function organizationsIn(api: KeysApi, path: string): Promise<ReadonlySet<unknown>> {
  const { status, body } = await api.call("GET", path);
  expect(status).toBe(200);
  return new Set((body?.["data"] as Row[]).map(({ orgId }) => orgId));
}

describe("a list of an organization's", () => {
  const lists = [
    ...["usage-limits?include=usage", "usage-limits?limit=10"],
    ...["api-keys?limit=10", "api-keys?sort=name", "api-keys?sort=-createdAt&status=active"],
    ...["api-keys?q=member", "teams?limit=10"],
  ];
  test.each(lists)("%s", async (path) => {
    for (const { id, admin, viewer, member } of [acme, other]) {
      const own = new Set([id]);
      expect(await organizationsIn(admin, path)).toEqual(own);
      expect(await organizationsIn(viewer, path)).toEqual(own);
      expect(await organizationsIn(admin, `${path}&orgId=${id}`)).toEqual(own);
      expect(await organizationsIn(operator, `${path}&orgId=${id}`)).toEqual(own);
      expect(await member.refusal("GET", path)).toEqual(noMember);
    }
    const all = await organizationsIn(operator, path);
    expect([...all]).toEqual(expect.arrayContaining([acme.id, other.id]));
    for (const api of [acme.admin, acme.viewer]) {
      for (const theirs of [other.id, "org_none"]) {
        expect(await api.refusal("GET", `${path}&orgId=${theirs}`)).toEqual(noOrganization);
      }
    }
    expect(await operator.refusal("GET", `${path}&orgId=org_none`)).toEqual(noOrganization);
  });
});

test.each(["balance", "budget", "ledger", "ledger/months"])(
  "orgs/{id}/%s is for operators and for those who see the organization",
  async (part) => {
    const path = `orgs/${acme.id}/${part}`;
    for (const api of [operator, acme.admin, acme.viewer]) {
      expect((await api.call("GET", path)).status).toBe(200);
    }
    expect(await acme.member.refusal("GET", path)).toEqual(noMember);
    for (const api of [other.admin, other.viewer]) {
      expect(await api.refusal("GET", path)).toEqual(noOrganization);
    }
    expect(await operator.refusal("GET", `orgs/org_none/${part}`)).toEqual(noOrganization);
    expect(await operator.as("sk-gw-none").refusal("GET", path)).toEqual([
      401,
      "invalid_key",
      undefined,
    ]);
  },
);
