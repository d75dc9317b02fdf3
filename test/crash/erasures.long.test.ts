import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi } from "../support/keys-api.ts";

const operatorKey = `sk-gw-${"0".repeat(48)}`;
const requests = 20;

let folder: string;
let gateway: GatewayProcess | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-"));
});

afterEach(async () => {
  gateway?.child.kill("SIGKILL");
  await gateway?.exit;
  rmSync(folder, { recursive: true, force: true });
});

async function boot(): Promise<GatewayProcess> {
  const env = { GATEWAY_OPERATOR_KEY: operatorKey, GATEWAY_LOG_LEVEL: "error" };
  return (gateway = await startProcess({ env }, folder));
}

async function kill(): Promise<void> {
  gateway?.child.kill("SIGKILL");
  await gateway?.exit;
}

interface Event {
  readonly index: number;
  readonly request_id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function audit(path: string, method = "GET"): Promise<Response> {
  if (gateway === null) throw new Error("no gateway runs");
  const headers = { authorization: `Bearer ${operatorKey}` };
  return fetch(`${gateway.url}/v1/audit/${path}`, { method, headers });
}

async function events(query: string): Promise<readonly Event[]> {
  const response = await audit(`events?limit=1000&${query}`);
  return ((await response.json()) as { readonly data: readonly Event[] }).data;
}

async function hasContent({ index }: Event): Promise<boolean> {
  const shown = (await (await audit(`events/${index}`)).json()) as {
    readonly data: { readonly content: unknown };
  };
  return shown.data.content !== null;
}

/** An organization with content that is stored. */
async function organizationWithContent(name: string): Promise<string> {
  if (gateway === null) throw new Error("no gateway runs");
  const api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey });
  const { id } = await api.data(201, "POST", "orgs", { name, plan: "paid" });
  await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd: "9", idempotencyKey: "first" });
  const { secret } = await api.key({ orgId: id });
  const { url } = gateway;
  const ask = async (): Promise<void> => {
    const body = { model: "demo/echo", messages: [{ role: "user", content: "hello" }] };
    const headers = { authorization: `Bearer ${secret}` };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    await (await fetch(`${url}/v1/chat/completions`, init)).text();
  };
  await Promise.all(Array.from({ length: requests }, ask));
  const query = `orgId=${id}&type=request`;
  await expect.poll(async () => (await events(query)).length, { timeout: 20_000 }).toBe(requests);
  const [last] = await events(query);
  if (last === undefined) throw new Error("there is no event");
  await expect.poll(() => hasContent(last), { timeout: 20_000 }).toBe(true);
  return id;
}

async function contentsLeft(orgId: string): Promise<number> {
  const all = await events(`orgId=${orgId}&type=request`);
  const kept = await Promise.all(all.map(hasContent));
  return kept.filter(Boolean).length;
}

test("an erasure that was answered has its event, although a kill comes with its answer", async () => {
  await boot();
  const orgId = await organizationWithContent("answered");
  const erased = await audit(`content?orgId=${orgId}`, "DELETE");
  await kill();
  expect(erased.status).toBe(204);
  await boot();
  expect(await contentsLeft(orgId)).toBe(0);
  expect(await events(`orgId=${orgId}&event_type=content.erased`)).toMatchObject([
    { request_id: erased.headers.get("x-svc-request-id"), data: { index: null } },
  ]);
}, 60_000);
