// The cost of keys and organizations: `npm run bench:keys [-- KEYS ...]`. It measures a start with this
// many keys, the memory at rest, and pay-through requests with any of them, which the built-in demo
// answers. Each organization has ten keys. It runs the built gateway, on Linux only.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { viewProcess } from "../test/soak/process-view.ts";
import { Children, pidOf, until } from "./macro/children.ts";
import { cpuMs, ProcessTree } from "./macro/process-tree.ts";
import { fillStore } from "./filled-store.ts";
import { launchOf } from "./launch.ts";

const warmUpMs = 8_000;
const measuredMs = 8_000;
const connections = 16;
const startMsMax = 120_000;

const agent = new Agent({ keepAlive: true, maxSockets: connections });

/** Sends requests over all connections for `ms`, each with another key; returns their number. */
async function load(origin: string, secrets: readonly string[], ms: number): Promise<number> {
  const endMs = performance.now() + ms;
  let count = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const secret = secrets[Math.floor(Math.random() * secrets.length)] ?? "";
      const status = await post(`${origin}/v1/chat/completions`, secret);
      if (status !== 200) throw new Error(`answered ${status}`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  return count;
}

const question = JSON.stringify({
  model: "demo/echo",
  max_tokens: 10,
  messages: [{ role: "user", content: "What is the capital of France?" }],
});

function post(url: string, secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent, method: "POST", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject).end(question);
  });
}

async function measure(children: Children, keys: number): Promise<Record<string, unknown>> {
  const folder = join(children.folder, `keys-${keys}`);
  const dataDir = join(folder, "data");
  mkdirSync(folder);
  const secrets = await fillStore(dataDir, { keys });
  const begunMs = performance.now();
  const program = join(import.meta.dirname, "../dist/main.js");
  const { command, args, env } = launchOf(program, {
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_PORT: "0",
    GATEWAY_KEYS_PORT: "0",
    GATEWAY_LOG_LEVEL: "error",
  });
  const child = children.spawn(command, args, { cwd: folder, env });
  const listening = join(dataDir, "listening.json");
  await until(child, program, () => existsSync(listening), startMsMax);
  const startMs = performance.now() - begunMs;
  const pid = pidOf(child);
  const { anonymousBytes } = viewProcess(pid);
  const { gateway } = JSON.parse(readFileSync(listening, "utf8")) as { readonly gateway: string };
  await load(gateway, secrets, warmUpMs);
  const tree = new ProcessTree(pid);
  const before = tree.threads();
  const requests = await load(gateway, secrets, measuredMs);
  const cpu = cpuMs(before, tree.threads());
  await children.stop(child);
  return {
    keys,
    "start, ms": Math.round(startMs),
    "memory, MB": Math.round(anonymousBytes / 1e6),
    "µs of CPU a request": Math.round((cpu * 1_000) / requests),
    "requests/s": Math.round((requests * 1_000) / measuredMs),
  };
}

const counts = process.argv.slice(2).map(Number);
const children = new Children();
try {
  const rows = [];
  for (const keys of counts.length > 0 ? counts : [100, 10_000, 100_000]) {
    rows.push(await measure(children, keys));
  }
  console.table(rows);
} finally {
  agent.destroy();
  await children.close();
}
