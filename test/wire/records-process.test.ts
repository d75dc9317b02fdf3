import { readdirSync, readFileSync, rmSync } from "node:fs";
import { getPriority } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { recordsNiceness } from "../../src/contract/limits.ts";
import { printedKey, startProcess, type GatewayProcess } from "../support/gateway-process.ts";

const operatorKey = `sk-gw-${"0a".repeat(24)}`;

async function started(): Promise<GatewayProcess> {
  const gateway = await startProcess({ env: { GATEWAY_OPERATOR_KEY: operatorKey } });
  onTestFinished(async () => {
    gateway.child.kill("SIGKILL");
    await gateway.exit;
    rmSync(gateway.folder, { recursive: true, force: true });
  });
  return gateway;
}

async function ask({ keysUrl }: GatewayProcess, path: string): Promise<Response> {
  return fetch(`${keysUrl}/api/v1/gateway/${path}`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  });
}

/** How many requests the records have; null: they can't be asked now. */
async function counted(gateway: GatewayProcess): Promise<number | null> {
  const response = await ask(gateway, "usage/breakdown?group_by=model");
  if (response.status !== 200) {
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    return null;
  }
  const { data } = (await response.json()) as { readonly data: readonly { requests: number }[] };
  return data.reduce((sum, { requests }) => sum + requests, 0);
}

async function chat(gateway: GatewayProcess): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${printedKey(gateway.output())}` },
    body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  expect(response.status).toBe(200);
}

/** The process of the read model: null if there is none. */
function recordsProcess({ pid, folder }: GatewayProcess): number | null {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === pid) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      if (command.includes("records-process") && command.includes(folder)) return Number(name);
    } catch {
      // It has ended meanwhile.
    }
  }
  return null;
}

describe.skipIf(process.platform !== "linux")("the process of the records", () => {
  test("is started again when it was killed; the gateway serves meanwhile", async () => {
    const gateway = await started();
    await chat(gateway);
    await expect.poll(() => counted(gateway)).toBe(1);
    const killed = recordsProcess(gateway);
    if (killed === null) throw new Error("there is no process of the records");
    process.kill(killed, "SIGKILL");
    await expect.poll(() => recordsProcess(gateway)).not.toBe(killed);
    await chat(gateway);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    const log = await fetch(`${gateway.url}/v1/audit/events`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    });
    expect(log.status).toBe(200);
    await expect.poll(() => counted(gateway)).toBe(2);
    expect(gateway.output()).toContain("the process of the records has ended (SIGKILL)");
  });

  test("ends with a gateway that is killed", async () => {
    const gateway = await started();
    await expect.poll(() => counted(gateway)).toBe(0);
    expect(recordsProcess(gateway)).not.toBeNull();
    gateway.child.kill("SIGKILL");
    await gateway.exit;
    await expect.poll(() => recordsProcess(gateway)).toBeNull();
  });

  test("ends with a gateway that stops, although both are told to", async () => {
    const gateway = await started();
    await expect.poll(() => counted(gateway)).toBe(0);
    const pid = recordsProcess(gateway);
    if (pid === null) throw new Error("there is no process of the records");
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.kill(pid, signal);
    expect(await counted(gateway)).toBe(0);
    gateway.child.kill("SIGTERM");
    expect(await gateway.exit).toBe(0);
    await expect.poll(() => recordsProcess(gateway)).toBeNull();
    expect(gateway.output()).not.toContain("the process of the records has ended");
  });

  test("stands back behind the gateway, with every thread", async () => {
    const gateway = await started();
    // A question has been answered, so the threads of the database are there.
    await expect.poll(() => counted(gateway)).toBe(0);
    const threads = readdirSync(`/proc/${recordsProcess(gateway)}/task`).map(Number);
    expect(threads.length).toBeGreaterThan(1);
    for (const id of threads) expect(getPriority(id)).toBeGreaterThanOrEqual(recordsNiceness);
  });
});
