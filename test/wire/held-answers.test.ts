import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cacheAnswerBytesMax } from "../../src/contract/limits.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

/** Longer than the cache keeps; half of a response that stays open. */
const half = " ".repeat(cacheAnswerBytesMax);

let upstream: Recorder;
let gateway: TestGateway;
let open: ServerResponse[] = [];

beforeAll(async () => {
  upstream = await startRecorder((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(`{"a":${half}`);
    open.push(response);
  });
  gateway = await startGateway({ config: { network: { allowedInternalHosts: ["127.0.0.1"] } } });
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

function ask(key: string, more: Record<string, string>): Promise<Response> {
  open = [];
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: "Bearer provider-key",
      "x-svc-api-key": key,
      "x-svc-upstream-url": upstream.origin,
      ...more,
    },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
  });
}

async function heldBytes(): Promise<number> {
  const text = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
  return Number(/^weir_body_budget_used_bytes (\d+)$/m.exec(text)?.[1]);
}

const end = (): void => open.forEach((response) => response.end(`${half}1}`));

test("an answer that the cache would not keep is not held for it", async () => {
  // Resolves with the first byte, long before the provider has sent the last.
  const response = await ask(gateway.key, { "x-svc-cache": "on" });
  expect(response.headers.get("x-svc-cache")).toBe("miss");
  expect(open).toHaveLength(1);
  end();
  expect(await response.text()).toBe(`{"a":${half}${half}1}`);
  await expect.poll(heldBytes).toBe(0);
});

test("an answer that is held for rules counts as a body in flight", async () => {
  const api = new KeysApi(gateway);
  const orgId = await api.firstOrganization();
  const { secret } = await api.ruledKey(orgId, {
    customPatterns: [{ name: "one", regex: "PRJ-[0-9]{2}", direction: "output", action: "redact" }],
  });
  const answer = ask(secret, { "x-svc-cache": "on" });
  await expect.poll(heldBytes).toBeGreaterThan(cacheAnswerBytesMax);
  end();
  expect(await (await answer).text()).toBe(`{"a":${half}${half}1}`);
  await expect.poll(heldBytes).toBe(0);
});
