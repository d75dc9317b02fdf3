import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, statusOf, submit } from "../../endpoints/batch/batch-client.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi } from "../../support/keys-api.ts";

interface Listed {
  readonly job_id: string;
  readonly org_id: string;
}

let gateway: TestGateway;
let api: KeysApi;
beforeAll(async () => {
  gateway = await startGateway();
  api = new KeysApi(gateway);
});
afterAll(() => gateway.stop());

async function tenant(name: string) {
  const { id, asAdmin } = await api.organization(name);
  await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd: "5", idempotencyKey: "first" });
  const member = await asAdmin.key({ orgId: id });
  const viewer = await asAdmin.key({ orgId: id, role: "viewer" });
  const caller = { url: gateway.url, key: member.secret };
  return { id, asAdmin, asViewer: api.as(viewer.secret), memberId: member.key.id, caller };
}

async function listed(caller: KeysApi, query = ""): Promise<readonly Listed[]> {
  const rows: Listed[] = [];
  let cursor = "";
  do {
    const { status, body } = await caller.call("GET", `batches?limit=2${query}${cursor}`);
    expect(status).toBe(200);
    rows.push(...(body?.["data"] as Listed[]));
    const next = body?.["nextCursor"] as string | null;
    cursor = next === null ? "" : `&cursor=${next}`;
  } while (cursor !== "");
  return rows;
}

test("an organization's jobs are listed with their counts and times, never with their content", async () => {
  const acme = await tenant("acme");
  const other = await tenant("other");
  const text = "Mail ada.lovelace@example.org";
  const items = [
    { id: "private-id", input: text, categories: ["pii"] },
    { id: "b", input: "hello" },
  ];
  const jobs: string[] = [];
  for (let i = 0; i < 3; i++) jobs.unshift(await submit(acme.caller, items));
  const theirs = await submit(other.caller, items);
  for (const job of jobs) await ended(acme.caller, job);
  await ended(other.caller, theirs);

  const own = await listed(acme.asAdmin);
  expect(own.map(({ job_id }) => job_id)).toEqual(jobs);
  const { status, counts, created_at, completed_at } = await statusOf(acme.caller, jobs[0] ?? "");
  expect(own[0]).toEqual({
    ...{ job_id: jobs[0], org_id: acme.id, api_key_id: acme.memberId },
    ...{ status, item_count: 2, counts, created_at, completed_at },
  });
  const { body } = await acme.asAdmin.call("GET", "batches");
  expect(JSON.stringify(body)).not.toMatch(/ada|private-id|EMAIL|hello/);

  expect(await listed(acme.asViewer)).toEqual(own);
  expect(await listed(api, `&orgId=${acme.id}`)).toEqual(own);
  expect((await listed(other.asAdmin)).map(({ job_id }) => job_id)).toEqual([theirs]);
  const all = (await listed(api)).map(({ job_id }) => job_id);
  expect(all).toEqual([theirs, ...jobs]);
  for (const caller of [acme.asAdmin, acme.asViewer]) {
    const foreign = await caller.refusal("GET", `batches?orgId=${other.id}`);
    expect(foreign).toEqual([404, "not_found", "orgId"]);
  }
  const forbidden = [403, "forbidden", undefined];
  expect(await api.as(acme.caller.key).refusal("GET", "batches")).toEqual(forbidden);
});

test("a cursor is one of the same list", async () => {
  const { id, asAdmin, caller } = await tenant("pages");
  for (let i = 0; i < 2; i++) await submit(caller, [{ id: "a", input: "hello" }]);
  const { body } = await asAdmin.call("GET", "batches?limit=1");
  const cursor = body?.["nextCursor"] as string;
  const refused = [400, "invalid_request", "cursor"];
  expect(await api.refusal("GET", `batches?cursor=${cursor}`)).toEqual(refused);
  expect((await api.call("GET", `batches?orgId=${id}&cursor=${cursor}`)).status).toBe(200);
  const mark = cursor.split(".")[1] ?? "";
  for (const place of ['["0","../x"]', '["x","scanjob_a"]', `["1","scanjob_${"a".repeat(999)}"]`]) {
    const forged = `${Buffer.from(place).toString("base64url")}.${mark}`;
    expect(await asAdmin.refusal("GET", `batches?cursor=${forged}`)).toEqual(refused);
  }
  expect(await asAdmin.refusal("GET", "batches?limit=x")).toEqual([
    400,
    "invalid_request",
    "limit",
  ]);
});
