import { expect, test } from "vitest";
import { startGateway } from "../support/gateway.ts";

test("what a large body reserved is given back, answered or refused", async () => {
  const gateway = await startGateway();
  const ask = async (key: string, text: string): Promise<number> => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content: text }] }),
    });
    await response.text();
    return response.status;
  };
  const text = "lorem ipsum ".repeat(20_000);
  expect(await ask(gateway.key, text)).toBe(200);
  expect(await ask("sk-gw-wrong", text)).toBe(401);
  await expect
    .poll(async () => (await fetch(`${gateway.keysUrl}/metrics`)).text())
    .toContain("weir_body_budget_used_bytes 0");
  await gateway.stop();
});
