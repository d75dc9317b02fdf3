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

async function teamsOf(caller: KeysApi, query = ""): Promise<readonly Row[]> {
  const { status, body } = await caller.call("GET", `teams?${query}`);
  expect(status).toBe(200);
  return body?.["data"] as Row[];
}

test("a team has its keys, and the smallest budget of each window with its use", async () => {
  const { id: orgId, asAdmin } = await api.organization("acme");
  await api.data(201, "POST", `orgs/${orgId}/top-ups`, { amountUsd: "5", idempotencyKey: "first" });
  expect(await teamsOf(asAdmin)).toEqual([]);
  const inTeam = (name: string, budget: object | null) =>
    asAdmin.key({ orgId, team: { name, budget } });
  const day = await inTeam("search", { usd: "25", window: "day" });
  await inTeam("search", { usd: "9.5", window: "1 day" });
  await inTeam("search", { usd: "100", window: "month" });
  await inTeam("search", null);
  const gone = await inTeam("search", { usd: "0.1", window: "day" });
  await asAdmin.call("DELETE", `api-keys/${gone.key.id}`);
  const last = await inTeam("billing \u00fc", { usd: "1", window: "hour" });
  await asAdmin.call("DELETE", `api-keys/${last.key.id}`);
  const asked = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${day.secret}` },
    body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content: "hello" }] }),
  });
  await asked.text();
  const cost = asked.headers.get("x-svc-cost-usd");
  expect(Number(cost)).toBeGreaterThan(0);
  const used = { usedUsd: cost, exceeded: false };
  expect(await teamsOf(asAdmin)).toEqual([
    { orgId, name: "billing \u00fc", keys: 0, revokedKeys: 1, budgets: [] },
    {
      orgId,
      name: "search",
      keys: 4,
      revokedKeys: 1,
      budgets: [
        { usd: "9.5", window: "1 day", ...used },
        // The key that spent has no budget of a month.
        { usd: "100", window: "month", usedUsd: "0.000000", exceeded: false },
      ],
    },
  ]);
});

test("teams of the same name are told apart by organization, page by page", async () => {
  const made: string[] = [];
  for (const org of ["one", "two"]) {
    const { id: orgId, asAdmin } = await api.organization(org);
    for (const name of ["b", "a", "A", "c"])
      await asAdmin.key({ orgId, team: { name, budget: null } });
    made.push(...["A", "a", "b", "c"].map((name) => `${orgId} ${name}`));
    expect((await teamsOf(asAdmin)).map(({ name }) => name)).toEqual(["A", "a", "b", "c"]);
    expect(await teamsOf(api, `orgId=${orgId}`)).toEqual(await teamsOf(asAdmin));
  }
  const seen: string[] = [];
  let cursor = "";
  do {
    const { body } = await api.call("GET", `teams?limit=3${cursor}`);
    seen.push(
      ...(body?.["data"] as Row[]).map((row) => `${String(row["orgId"])} ${String(row["name"])}`),
    );
    const next = body?.["nextCursor"] as string | null;
    cursor = next === null ? "" : `&cursor=${next}`;
  } while (cursor !== "");
  expect(seen.filter((one) => made.includes(one))).toEqual(made);
  expect(new Set(seen).size).toBe(seen.length);
  const { body } = await api.call("GET", "teams?limit=1");
  const [orgId = ""] = made[0]?.split(" ") ?? [];
  for (const path of [
    `teams?orgId=${orgId}&cursor=${String(body?.["nextCursor"])}`,
    "teams?cursor=x",
  ]) {
    expect(await api.refusal("GET", path)).toEqual([400, "invalid_request", "cursor"]);
  }
  expect(await api.refusal("GET", "teams?limit=1001")).toEqual([400, "invalid_request", "limit"]);
});
