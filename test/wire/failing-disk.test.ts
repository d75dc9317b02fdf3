import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi } from "../support/keys-api.ts";

const operatorKey = `sk-gw-${"d".repeat(48)}`;
const env = { GATEWAY_OPERATOR_KEY: operatorKey, GATEWAY_PROXY_THREADS: "2" };
const exitMsMax = 5_000;
let gateway: GatewayProcess;

afterEach(async () => {
  gateway.child.kill("SIGKILL");
  await gateway.exit;
  rmSync(gateway.folder, { recursive: true, force: true });
});

const metrics = async (): Promise<string> => (await fetch(`${gateway.keysUrl}/metrics`)).text();

/** On a connection of its own: they are handed to the threads in turn. */
async function ready(): Promise<number> {
  const headers = { connection: "close" };
  return (await fetch(`${gateway.url}/readyz`, { headers })).status;
}

/** After the write has failed. */
async function expectTold(): Promise<void> {
  expect([await ready(), await ready()]).toEqual([503, 503]);
  expect(await metrics()).toMatch(/^weir_journal_failing 1$/m);
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
}

/**
 * lmdb 3.5.6 describes a failed write in 100 bytes, for which up to 118 are needed, so the allocator may
 * abort the process. Then it has to be in order once it is started again.
 */
async function expectAborted(otherwise: unknown): Promise<void> {
  await Promise.race([gateway.exit, sleep(exitMsMax)]);
  if (gateway.child.signalCode !== "SIGABRT") throw otherwise;
  gateway = await startProcess({ env }, gateway.folder);
  expect([await ready(), await ready()]).toEqual([200, 200]);
}

test("a write that fails for good is told by /readyz of every thread and by a metric", async () => {
  gateway = await startProcess({ env });
  expect([await ready(), await ready()]).toEqual([200, 200]);
  expect(await metrics()).toMatch(/^weir_journal_failing 0$/m);

  // No file may grow beyond one page, as with a quota that is used up: LMDB's write fails in the middle.
  execFileSync("prlimit", ["--pid", String(gateway.pid), "--fsize=4096:4096"]);
  const api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey });
  try {
    expect((await api.call("POST", "orgs", { name: "a", plan: "paid" })).status).toBe(500);
    await expectTold();
  } catch (error) {
    await expectAborted(error);
  }
});
