import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { settingsIn } from "../../bench/launch.ts";
import { printedKey, startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi, type Row } from "../support/keys-api.ts";

/* `npm start` in a process group of its own, signalled as a terminal and a service manager do. */

const operatorKey = `sk-gw-${"7".repeat(48)}`;
const started: { readonly child: ChildProcess; readonly folder: string }[] = [];

interface Listening {
  readonly gateway: string;
  readonly keys: string;
  readonly pid: number;
}

interface NpmStart {
  readonly group: number;
  readonly folder: string;
  readonly listening: Listening;
  readonly output: () => string;
  readonly isAlive: () => boolean;
  readonly exit: Promise<number | null>;
}

afterEach(async () => {
  for (const { child, folder } of started.splice(0)) {
    signalGroup(child, "SIGKILL");
    await expect.poll(() => isGone(child.pid)).toBe(true);
    rmSync(folder, { recursive: true, force: true });
  }
});

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || isGone(pid)) return;
  process.kill(-pid, signal);
}

/** Whether no process of the group is left. */
function isGone(group: number | undefined): boolean {
  if (group === undefined) return true;
  try {
    process.kill(-group, 0);
    return false;
  } catch {
    return true;
  }
}

async function npmStart(): Promise<NpmStart> {
  const folder = mkdtempSync(join(tmpdir(), "weir-"));
  const child = spawn("npm", ["start"], {
    cwd: join(import.meta.dirname, "../.."),
    // No file: the built-in provider serves.
    env: {
      ...process.env,
      ...settingsIn(folder),
      GATEWAY_CONFIG: undefined,
      GATEWAY_OPERATOR_KEY: operatorKey,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  started.push({ child, folder });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  const file = join(folder, "data", "listening.json");
  await expect.poll(() => output, { timeout: 60_000 }).toContain("Try a scan");
  expect(existsSync(file)).toBe(true);
  const listening = JSON.parse(readFileSync(file, "utf8")) as Listening;
  const isAlive = (): boolean => !isGone(child.pid);
  return { group: child.pid ?? 0, folder, listening, output: () => output, isAlive, exit };
}

async function openStream(gateway: NpmStart, tokens: number): Promise<Response> {
  const response = await fetch(`${gateway.listening.gateway}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${printedKey(gateway.output())}` },
    body: `{"model":"demo/echo?tokens=${tokens}&delay_ms=50","stream":true,"messages":[{"role":"user","content":"hi"}]}`,
  });
  expect(response.status).toBe(200);
  return response;
}

async function debitsIn(folder: string): Promise<number> {
  const gateway: GatewayProcess = await startProcess({}, folder);
  started.push({ child: gateway.child, folder });
  const api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey });
  const { body: orgs } = await api.call("GET", "orgs");
  const [org] = orgs?.["data"] as Row[];
  const { body } = await api.call("GET", `orgs/${org?.id}/ledger`);
  gateway.child.kill("SIGKILL");
  await gateway.exit;
  return (body?.["data"] as Row[]).filter((entry) => entry["type"] === "debit").length;
}

// npm passes SIGINT and SIGTERM on to the gateway, which has had them from the group already.
test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s to the process group of npm start drains: streams end whole and are debited",
  { timeout: 120_000 },
  async (signal) => {
    const gateway = await npmStart();
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(gateway, 40)));
    process.kill(-gateway.group, signal);
    const texts = await Promise.all(streams.map((stream) => stream.text().catch(() => "cut")));
    expect(texts.filter((text) => text.trimEnd().endsWith("data: [DONE]"))).toHaveLength(5);
    await expect.poll(gateway.isAlive, { timeout: 20_000 }).toBe(false);
    // npm dies of a SIGHUP itself, and so do shells: its code tells of the gateway's only else.
    if (signal !== "SIGHUP") expect(await gateway.exit).toBe(0);
    expect(await debitsIn(gateway.folder)).toBe(5);
  },
);

test(
  "who goes on signalling means it: the gateway ends with code 1",
  { timeout: 120_000 },
  async () => {
    const gateway = await npmStart();
    const stream = await openStream(gateway, 4_000);
    const text = stream.text().catch(() => "cut");
    const signals = setInterval(() => {
      if (gateway.isAlive()) process.kill(-gateway.group, "SIGINT");
    }, 100);
    expect(await gateway.exit).toBe(1);
    clearInterval(signals);
    expect(await text).toBe("cut");
  },
);
