import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";

interface Counted {
  readonly requests: number;
  readonly cost_usd: string;
}

/** A gateway whose data directory the test may look into, with a few requests that were paid. */
async function started() {
  const folder = mkdtempSync(join(tmpdir(), "weir-records-"));
  const dataDir = join(folder, "data");
  let gateway = await startGateway({ env: { GATEWAY_DATA_DIR: dataDir } });
  onTestFinished(async () => {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const orgId = await new KeysApi(gateway).firstOrganization();
  for (let i = 0; i < 5; i++) await chat(gateway);
  return {
    orgId,
    records: join(dataDir, "records"),
    /** Stops it, does something to its files, and starts it again. */
    restart: async (meanwhile: () => void): Promise<TestGateway> =>
      (gateway = await gateway.restart(meanwhile)),
    gateway: () => gateway,
  };
}

async function chat(gateway: TestGateway): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  expect(response.status).toBe(200);
}

function ask(gateway: TestGateway, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${gateway.operatorKey}` };
  return fetch(gateway.keysUrl + path, { headers });
}

/** What the records say was done and paid; null: they can't be asked now. */
async function counted(gateway: TestGateway): Promise<Counted | null> {
  const path = "/api/v1/gateway/usage/breakdown?group_by=org";
  const response = await ask(gateway, path);
  const { data } = (await response.json()) as { readonly data?: readonly Counted[] };
  const [{ requests, cost_usd } = { requests: 0, cost_usd: "" }] = data ?? [];
  return response.status === 200 ? { requests, cost_usd } : null;
}

/** The same of the log and of the books. */
async function logged(gateway: TestGateway, orgId: string): Promise<Counted> {
  const api = new KeysApi(gateway);
  const { spentUsd } = await api.data(200, "GET", `orgs/${orgId}/budget`);
  const response = await ask(gateway, "/v1/audit/export.jsonl");
  const lines = (await response.text()).split("\n");
  const requests = lines.filter((line) => line.includes('"request.completed"')).length;
  return { requests, cost_usd: String(spentUsd) };
}

test("while the records can't be read, questions are told how far they are, and nothing else waits", async () => {
  const { orgId, records, restart } = await started();
  const gateway = await restart(() => {
    // It is not there yet if the process of the records was slow to start.
    rmSync(records, { recursive: true, force: true });
    // No folder can be made in its place.
    writeFileSync(records, "");
  });
  await chat(gateway);
  const questions = [
    ...["records", "records/facets", "records/lookup?request_id=r", "usage/series"],
    "usage/breakdown?group_by=model",
  ].map((path) => `/api/v1/gateway/${path}`);
  const paths = [...questions, "/v1/audit/events?type=request"];
  const refused = await Promise.all(paths.map((path) => ask(gateway, path)));
  for (const [i, response] of refused.entries()) {
    const path = paths[i];
    expect([path, response.status]).toEqual([path, 503]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    const { error } = (await response.json()) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    expect(error.code).toBe("records_unavailable");
    expect(error.message).toMatch(/0 of [1-9]\d* so far/);
  }
  // Each try is told, and there are few: with each question, and with growing pauses.
  const tries = gateway.log.filter(({ msg }) => String(msg).includes("could not be followed"));
  expect(tries.length).toBeGreaterThan(0);
  expect(tries.length).toBeLessThan(3 * paths.length);
  const restarts = gateway.log.filter(({ msg }) => String(msg).includes("started again"));
  expect(restarts).toEqual([]);
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  expect((await ask(gateway, "/readyz")).status).toBe(200);
  const list = await ask(gateway, "/v1/audit/events");
  expect(list.status).toBe(200);
  const { data } = (await list.json()) as { readonly data: readonly { readonly index: number }[] };
  expect(data.length).toBeGreaterThan(0);
  for (const path of [`/v1/audit/events/${data[0]?.index}`, "/v1/audit/checkpoint"]) {
    expect((await ask(gateway, path)).status).toBe(200);
  }
  await chat(gateway);
  // It comes back by itself once there is room for it.
  rmSync(records);
  const wanted = await logged(gateway, orgId);
  expect(wanted.requests).toBe(7);
  await expect.poll(() => counted(gateway), { timeout: 20_000 }).toEqual(wanted);
});

test.each<[string, (records: string) => void]>([
  ["deleted", (records) => rmSync(records, { recursive: true })],
  [
    "cut",
    (records) => {
      const path = join(records, "records.duckdb");
      writeFileSync(path, readFileSync(path).subarray(0, 6_000));
    },
  ],
])("a file that was %s is made anew, and equals the log by count and by sum", async (_, damage) => {
  const { orgId, records, restart, gateway: first } = await started();
  await expect.poll(async () => (await counted(first()))?.requests).toBe(5);
  const gateway = await restart(() => damage(records));
  await chat(gateway);
  const wanted = await logged(gateway, orgId);
  expect(wanted.requests).toBe(6);
  await expect.poll(() => counted(gateway), { timeout: 20_000 }).toEqual(wanted);
});
