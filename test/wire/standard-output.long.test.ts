import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { existsSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { launchOf } from "../../bench/launch.ts";
import { builtProgram } from "../support/built-program.ts";

/* The built gateway, where nobody takes what it prints. */

interface Started {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  readonly folder: string;
}

const started: Started[] = [];

afterEach(async () => {
  for (const { child, exit, folder } of started.splice(0)) {
    child.kill("SIGKILL");
    await exit;
    rmSync(folder, { recursive: true, force: true });
  }
});

async function boot(stdio: StdioOptions): Promise<Started & { readonly url: string }> {
  const folder = mkdtempSync(join(tmpdir(), "weir-"));
  const { command, args, env } = launchOf(builtProgram, {
    GATEWAY_PORT: "0",
    GATEWAY_KEYS_PORT: "0",
    GATEWAY_DATA_DIR: folder,
    GATEWAY_SCAN_WORKERS: "1",
  });
  const child = spawn(command, args, { cwd: folder, env, stdio });
  const exit = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const one = { child, exit, folder };
  started.push(one);
  const listening = join(folder, "listening.json");
  await expect.poll(() => existsSync(listening), { timeout: 20_000 }).toBe(true);
  const { gateway } = JSON.parse(readFileSync(listening, "utf8")) as { gateway: string };
  return { ...one, url: gateway };
}

/** Answered with 401, and logged: more than a pipe takes. */
async function makeItLog(url: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  const path = `/v1/chat/completions?${"x".repeat(500)}`;
  for (let i = 0; i < 60; i += 1) {
    const asked = Array.from({ length: 20 }, () => fetch(url + path, { method: "POST" }));
    for (const { status } of await Promise.all(asked)) statuses.push(status);
  }
  return statuses;
}

async function servesAndStops({ child, exit, url }: Awaited<ReturnType<typeof boot>>) {
  expect(new Set(await makeItLog(url))).toEqual(new Set([401]));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await exit).toBe(0);
}

test("a full disk holds up nothing", { timeout: 60_000 }, async () => {
  const full = openSync("/dev/full", "w");
  const gateway = await boot(["ignore", full, "pipe"]);
  closeSync(full);
  let told = "";
  gateway.child.stderr?.on("data", (bytes: Buffer) => (told += bytes.toString()));
  await servesAndStops(gateway);
  expect(told.match(/does not take the log/g)).toHaveLength(1);
});

test("a reader that stands still holds up nothing", { timeout: 60_000 }, async () => {
  await servesAndStops(await boot(["ignore", "pipe", "ignore"]));
});

test("a reader that has left holds up nothing", { timeout: 60_000 }, async () => {
  const gateway = await boot(["ignore", "pipe", "ignore"]);
  gateway.child.stdout?.destroy();
  await servesAndStops(gateway);
});
