import { afterAll, beforeAll, expect, test } from "vitest";
import { wires } from "../../../src/contract/wire.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { KeysApi } from "../../support/keys-api.ts";
import { dataEvent, ScriptedProvider } from "../../support/scripted-provider.ts";

let provider: ScriptedProvider;
let gateway: TestGateway;
let api: KeysApi;
beforeAll(async () => {
  provider = await ScriptedProvider.start();
  const account = { name: "p", type: "openai", baseUrl: provider.origin, wires, models: ["m"] };
  const network = { allowedInternalHosts: ["127.0.0.1"] };
  gateway = await startGateway({ config: { providers: [account], network } });
  api = new KeysApi(gateway);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

/** 10 + 2 × 5 micro-dollars. */
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const chunk = { id: "c", object: "chat.completion.chunk", choices: [] };

function chat(secret: string, more: object = {}): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: "p/m", messages: [{ role: "user", content: "hello" }], ...more }),
  });
}

const noMoney = { balanceUsd: "0.000000", availableUsd: "0.000000", heldUsd: "0.000000", holds: 0 };

test("an organization's budget, balance, holds and month are told together", async () => {
  const budget = { usd: "0.5", window: "1 month" };
  const { id, asAdmin } = await api.organization("told", { budget });
  const path = `orgs/${id}/budget`;
  const month = new Date().toISOString().slice(0, 7);
  expect(await asAdmin.data(200, "GET", path)).toEqual({
    orgId: id,
    budget: { ...budget, usedUsd: "0.000000", exceeded: false },
    ...noMoney,
    isLow: true,
    month,
    spentUsd: "0.000000",
  });
  await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd: "20", idempotencyKey: "first" });
  const { secret } = await asAdmin.key({ orgId: id });
  provider.script = { json: { id: "c", object: "chat.completion", choices: [], usage } };
  await (await chat(secret)).text();
  let goOn = (): void => undefined;
  const rest = new Promise<void>((resolve) => (goOn = resolve));
  const events = [dataEvent(chunk), dataEvent({ ...chunk, usage }), dataEvent("[DONE]")];
  provider.script = { sse: events, rest };
  const streamed = await chat(secret, { stream: true });
  const during = await asAdmin.data(200, "GET", path);
  expect(during).toMatchObject({ balanceUsd: "19.999980", holds: 1, isLow: false, month });
  expect(during).toMatchObject({ spentUsd: "0.000020", budget: { usedUsd: "0.000020" } });
  const microUsd = (name: string) => Math.round(Number(during[name]) * 1e6);
  expect(microUsd("heldUsd")).toBeGreaterThan(0);
  expect(microUsd("balanceUsd") - microUsd("heldUsd")).toBe(microUsd("availableUsd"));
  goOn();
  await streamed.text();
  await expect
    .poll(() => asAdmin.data(200, "GET", path))
    .toMatchObject({
      balanceUsd: "19.999960",
      heldUsd: "0.000000",
      holds: 0,
      spentUsd: "0.000040",
    });
  const ledger = await asAdmin.call("GET", `orgs/${id}/ledger/months`);
  expect(ledger.body?.["data"]).toMatchObject([{ month, debitsUsd: "0.000040" }]);
});

test("a budget that is spent says so; an organization without one has null", async () => {
  const { id, asAdmin } = await api.organization("spent", {
    budget: { usd: "0.01", window: "hour" },
  });
  await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd: "1", idempotencyKey: "first" });
  const { secret } = await asAdmin.key({ orgId: id });
  const costly = { prompt_tokens: 8_000, completion_tokens: 1_000, total_tokens: 9_000 };
  provider.script = { json: { id: "c", object: "chat.completion", choices: [], usage: costly } };
  await (await chat(secret)).text();
  const path = `orgs/${id}/budget`;
  expect(await asAdmin.data(200, "GET", path)).toMatchObject({
    budget: { usd: "0.01", window: "hour", usedUsd: "0.010000", exceeded: true },
  });
  await api.data(200, "PATCH", `orgs/${id}`, { budget: null });
  expect(await asAdmin.data(200, "GET", path)).toMatchObject({
    budget: null,
    spentUsd: "0.010000",
  });
});
