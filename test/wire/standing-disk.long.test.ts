import { rmSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi } from "../support/keys-api.ts";

const operatorKey = `sk-gw-${"e".repeat(48)}`;
const env = { GATEWAY_OPERATOR_KEY: operatorKey, GATEWAY_PROXY_THREADS: "2" };
const program = join(import.meta.dirname, "../store/programs/hold-writes.ts");
const timeout = 20_000;
let gateway: GatewayProcess;

afterEach(async () => {
  gateway.child.kill("SIGKILL");
  await gateway.exit;
  rmSync(gateway.folder, { recursive: true, force: true });
});

/** From the moment at which it resolves nothing is written to LMDB; its result lets it be again. */
async function holdWrites(dataDir: string): Promise<() => void> {
  const child = spawn(process.execPath, [program, dataDir], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return () => child.stdin.end();
}

/** Both threads' answers; on connections of their own, which are handed to the threads in turn. */
async function inBothThreads(ask: () => Promise<Response>): Promise<readonly number[]> {
  const answers = [await ask(), await ask()];
  return answers.map(({ status }) => status);
}

const headers = { connection: "close" };
const ready = (): Promise<Response> => fetch(`${gateway.url}/readyz`, { headers });

test("while LMDB can't be written no thread is ready and nothing paid begins; then all goes on", async () => {
  gateway = await startProcess({ env });
  const api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey });
  const { secret } = await api.key({ orgId: await api.firstOrganization() });
  const pay = (): Promise<Response> =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: "demo/echo",
        max_tokens: 10,
        messages: [{ role: "user", content: "hello" }],
      }),
    });
  expect(await inBothThreads(pay)).toEqual([200, 200]);
  expect(await inBothThreads(ready)).toEqual([200, 200]);

  const goOn = await holdWrites(join(gateway.folder, "data"));
  // Served and promised: the debit is in the journal's file, and nobody knows yet that LMDB can't follow.
  const served = await pay();
  expect([served.status, served.headers.has("x-svc-payg-debited-cents")]).toEqual([200, true]);
  await expect.poll(() => inBothThreads(ready), { timeout }).toEqual([503, 503]);
  for (const refused of [await pay(), await pay()]) {
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({
      error: { code: "detector_unavailable", source: "gateway", retryable: true },
    });
  }
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);

  goOn();
  await expect.poll(() => inBothThreads(ready), { timeout }).toEqual([200, 200]);
  const again = await pay();
  expect([again.status, again.headers.has("x-svc-payg-debited-cents")]).toEqual([200, true]);
}, 60_000);
