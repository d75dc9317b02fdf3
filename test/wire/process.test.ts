import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { startGateway } from "../support/gateway.ts";
import { printedKey, startProcess, type GatewayProcess } from "../support/gateway-process.ts";

const run = promisify(execFile);
const started: GatewayProcess[] = [];

async function boot(...args: Parameters<typeof startProcess>): Promise<GatewayProcess> {
  const gateway = await startProcess(...args);
  started.push(gateway);
  return gateway;
}

afterEach(async () => {
  for (const { child, exit, folder } of started.splice(0)) {
    child.kill("SIGKILL");
    await exit;
    rmSync(folder, { recursive: true, force: true });
  }
});

const unset = {
  name: "unset",
  type: "openai",
  baseUrl: "http://127.0.0.1:9",
  apiKey: { env: "WEIR_TEST_NOT_SET" },
} as const;

describe("the first start", () => {
  test("prints the keys once and two commands that work as they are", async () => {
    const gateway = await boot();
    await expect.poll(gateway.output).toContain("Try a scan");
    const commands = gateway
      .output()
      .split("\n")
      .filter((line) => line.startsWith("curl "));
    expect(commands).toHaveLength(2);
    const answers = await Promise.all(
      commands.map(async (command) => {
        const { stdout } = await run("sh", ["-c", command]);
        return JSON.parse(stdout) as unknown;
      }),
    );
    expect(answers[0]).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { content: "Hello, Weir!" } }],
    });
    expect(answers[1]).toMatchObject({
      scan_id: expect.stringMatching(/^scan_[a-f0-9]+$/) as unknown,
      injection: { verdict: "block" },
    });
  });

  test("shows a command for what is served, and not the operator key that it was given", async () => {
    const operatorKey = `sk-gw-${"a".repeat(48)}`;
    const gateway = await boot({
      env: { GATEWAY_OPERATOR_KEY: operatorKey },
      config: {
        providers: [
          { ...unset, models: ["m"] },
          { name: "demo", type: "demo", wires: ["messages"] },
        ],
      },
    });
    await expect.poll(gateway.output).toContain("Try a scan");
    expect(gateway.output()).toContain("operator key           that of GATEWAY_OPERATOR_KEY");
    expect(gateway.output()).not.toContain(operatorKey);
    const command = /Try a message:\n(curl .*)/.exec(gateway.output())?.[1] ?? "";
    const { stdout } = await run("sh", ["-c", command]);
    expect(JSON.parse(stdout)).toMatchObject({ type: "message" });
  });

  test("that fails is repeated: the keys that the next one prints work", async () => {
    const other = await boot();
    const folder = mkdtempSync(join(tmpdir(), "weir-"));
    const taken = new URL(other.keysUrl).port;
    const failing = boot({ env: { GATEWAY_KEYS_PORT: taken } }, folder);
    await expect(failing).rejects.toThrow(/the port may be in use/);
    const gateway = await boot({}, folder);
    await expect.poll(gateway.output).toContain("Try a scan");
    const operatorKey = /operator key +(sk-gw-[0-9a-f]+)/.exec(gateway.output())?.[1];
    const orgs = await fetch(`${gateway.keysUrl}/api/v1/gateway/orgs`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    });
    expect(orgs.status).toBe(200);
    const models = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${printedKey(gateway.output())}` },
    });
    expect(models.status).toBe(200);
  });

  test("a second start on the same data knows the key and prints none", async () => {
    const first = await boot();
    await expect.poll(first.output).toContain("Try a scan");
    const key = printedKey(first.output());
    first.child.kill("SIGTERM");
    expect(await first.exit).toBe(0);
    const second = await boot({}, first.folder);
    const models = await fetch(`${second.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(models.status).toBe(200);
    expect(second.output()).not.toContain("sk-gw-");
  });

  test("listening.json says where it listens", async () => {
    const gateway = await boot();
    const file = join(gateway.folder, "data", "listening.json");
    expect(existsSync(file)).toBe(true);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      gateway: gateway.url,
      keys: gateway.keysUrl,
      pid: gateway.child.pid,
    });
    gateway.child.kill("SIGTERM");
    expect(await gateway.exit).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  test("listening.json of a process that was killed does not outlive the next start", async () => {
    const other = await boot();
    const gateway = await boot();
    const file = join(gateway.folder, "data", "listening.json");
    gateway.child.kill("SIGKILL");
    await gateway.exit;
    expect(existsSync(file)).toBe(true);
    const failing = run(process.execPath, [builtProgram], {
      cwd: gateway.folder,
      env: { GATEWAY_PORT: new URL(other.url).port, GATEWAY_KEYS_PORT: "0" },
    });
    await expect(failing).rejects.toThrow(/the port may be in use/);
    expect(existsSync(file)).toBe(false);
  });
});

test("a wrong configuration stops the start with the field and what was expected", async () => {
  const start = boot({
    config: { providers: [{ name: "x", type: "openai", baseUrl: "ftp://x", models: ["m"] }] },
  });
  await expect(start).rejects.toThrow(
    /^weir: providers\[0\]\.baseUrl: expected an http or https address/m,
  );
});

test("a start warns of an account whose requests will be refused", async () => {
  const gateway = await startGateway({
    config: {
      providers: [
        { ...unset, models: ["m"] },
        { name: "demo", type: "demo" },
      ],
    },
  });
  const warnings = gateway.log.filter(({ level }) => level === 40);
  await gateway.stop();
  expect(warnings).toMatchObject([{ account: "unset", error_code: "missing_credentials" }]);
});

test("a start warns of an unknown variable, once and without its value", async () => {
  const gateway = await boot({
    env: { GATEWAY_LOGLEVEL: "debug-wanted", GATEWAY_PORT_80_TCP: "x" },
  });
  const warnings = gateway.output().match(/^.*unknown environment variable.*$/gm) ?? [];
  expect(warnings).toHaveLength(1);
  expect(JSON.parse(warnings[0] ?? "")).toMatchObject({
    level: 40,
    variable: "GATEWAY_LOGLEVEL",
    meant: "GATEWAY_LOG_LEVEL",
  });
  expect(gateway.output()).not.toContain("debug-wanted");
});

test("SIGUSR1 opens no debugger, and ends nothing", async () => {
  const gateway = await boot();
  const before = gateway.output().length;
  gateway.child.kill("SIGUSR1");
  for (let asked = 0; asked < 10; asked += 1) {
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(gateway.output().slice(before)).not.toMatch(/debugger|inspector/i);
});

test("no secret and no prompt reaches the log", async () => {
  const gateway = await boot();
  await expect.poll(gateway.output).toContain("Try a scan");
  const key = printedKey(gateway.output());
  const greetingLength = gateway.output().length;
  await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: '{"model":"demo/echo","messages":[{"role":"user","content":"a very private prompt"}]}',
  });
  await expect.poll(gateway.output).toContain('"route":"chat"');
  const logged = gateway.output().slice(greetingLength);
  expect(logged).not.toContain("private");
  expect(logged).not.toContain("sk-gw-");
});

test("bodies of 64 MB leave no memory behind", { timeout: 120_000 }, async () => {
  const gateway = await boot({ env: { GATEWAY_MAX_BODY_SIZE: "100mb" } });
  await expect.poll(gateway.output).toContain("Try a scan");
  const headers = { authorization: `Bearer ${printedKey(gateway.output())}` };
  const image = "iVBORw0KGgoA".repeat((64 * 1024 * 1024) / 12);
  const body = `{"model":"demo/echo","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,${image}"}}]}]}`;
  const residentMegabytes = (): number => {
    const status = readFileSync(`/proc/${gateway.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  };
  const afterEach: number[] = [];
  for (let i = 0; i < 16; i++) {
    const url = `${gateway.url}/v1/chat/completions`;
    const answer = await fetch(url, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
    await answer.text();
    afterEach.push(residentMegabytes());
  }
  // Kept, they would be a gigabyte; a few may wait for their collection.
  expect(Math.max(...afterEach) - (afterEach[0] ?? 0)).toBeLessThan(400);
});

test.each([
  ["SIGTERM", ["SIGTERM"]],
  // As a terminal that is closed, whose shell passes on what it got.
  ["SIGHUP, twice,", ["SIGHUP", "SIGHUP"]],
  // As Ctrl-C, which npm passes on.
  ["SIGINT, twice,", ["SIGINT", "SIGINT"]],
] as const)("%s during 50 open streams finishes them and exits 0", async (_, signals) => {
  const gateway = await boot();
  await expect.poll(gateway.output).toContain("Try a scan");
  const key = printedKey(gateway.output());
  const streams = Array.from({ length: 50 }, async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: '{"model":"demo/echo?tokens=40&delay_ms=50","stream":true,"messages":[{"role":"user","content":"hi"}]}',
    });
    return { opened: response.status, text: response.text() };
  });
  const opened = await Promise.all(streams);
  expect(opened.every((stream) => stream.opened === 200)).toBe(true);
  for (const signal of signals) {
    gateway.child.kill(signal);
    await expect.poll(gateway.output).toContain('"draining"');
  }
  await expect
    .poll(() =>
      fetch(`${gateway.url}/healthz`).then(
        () => "listening",
        () => "closed",
      ),
    )
    .toBe("closed");
  const texts = await Promise.all(opened.map((stream) => stream.text));
  expect(texts.filter((text) => text.trimEnd().endsWith("data: [DONE]"))).toHaveLength(50);
  expect(await gateway.exit).toBe(0);
});
