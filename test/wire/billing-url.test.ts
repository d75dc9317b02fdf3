import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";

let gateway: TestGateway;

beforeAll(async () => {
  // At a port that the system chooses.
  gateway = await startGateway({ env: { GATEWAY_PROXY_THREADS: "2" } });
});

afterAll(() => gateway.stop());

test("a refused balance is sent to the port that was bound, whichever thread refuses it", async () => {
  const api = new KeysApi(gateway);
  const { id } = await api.data(201, "POST", "orgs", { name: "poor", plan: "paid" });
  const { body } = await api.call("POST", "api-keys", { name: "poor", orgId: id });
  // Connections go to the threads in turn.
  const urls = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${String(body?.["key"])}` },
        body: '{"model":"demo/echo","messages":[{"role":"user","content":"hi"}]}',
      });
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      expect([response.status, error["code"]]).toEqual([402, "insufficient_balance"]);
      return error["billingUrl"];
    }),
  );
  expect(new Set(urls)).toEqual(new Set([`${gateway.keysUrl}/billing`]));
});
