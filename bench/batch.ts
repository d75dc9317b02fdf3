// The same scans through batch jobs and through the synchronous endpoint of a gateway in a process of
// its own: `npm run bench:batch -- --items 100000`. Prints items per second of the gateway's CPU, how
// its memory grows, and what a full batch does to the latency of a chat request.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchOf, settingsIn } from "./launch.ts";
import { until } from "./macro/children.ts";

const { values } = parseArgs({ options: { items: { type: "string", default: "100000" } } });
const itemCount = Number(values.items);
const itemBytes = 1_024;
const itemsPerJob = 1_000;
const jobsOpenMax = 8;
const connections = 32;
const chatsMeasured = 300;
const yieldRounds = 5;

const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
const operatorKey = `sk-gw-${"bench0".repeat(8).replaceAll(/[^0-9a-f]/g, "0")}`;
const agent = new Agent({ keepAlive: true, maxSockets: connections * 2 });

interface Gateway {
  readonly pid: number;
  readonly url: string;
  readonly key: string;
  readonly stop: () => void;
}

async function start(): Promise<Gateway> {
  writeFileSync(
    join(folder, "weir.config.json"),
    JSON.stringify({ scan: { requestsPerMinute: 1_000_000 } }),
  );
  const main = join(import.meta.dirname, "../src/main.ts");
  const { command, args, env } = launchOf(main, {
    ...settingsIn(folder),
    GATEWAY_OPERATOR_KEY: operatorKey,
    GATEWAY_LOG_LEVEL: "error",
  });
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  const listening = join(folder, "data", "listening.json");
  await until(child, "the gateway", () => existsSync(listening));
  const { gateway, keys, pid } = JSON.parse(readFileSync(listening, "utf8")) as {
    readonly gateway: string;
    readonly keys: string;
    readonly pid: number;
  };
  const orgs = (await send(`${keys}/api/v1/gateway/orgs?limit=1`, operatorKey)) as {
    readonly data: readonly { readonly id: string }[];
  };
  const orgId = orgs.data[0]?.id ?? "";
  const created = (await send(`${keys}/api/v1/gateway/api-keys`, operatorKey, {
    name: "bench",
    orgId,
  })) as { readonly key: string };
  await send(`${keys}/api/v1/gateway/orgs/${orgId}/top-ups`, operatorKey, {
    amountUsd: "1000",
    idempotencyKey: "bench",
  });
  return { pid, url: gateway, key: created.key, stop: () => child.kill("SIGKILL") };
}

/** Sends a POST if there is a body, otherwise a GET; returns the answer's JSON. */
function send(url: string, key: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request(url, { method, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(text));
        else reject(new Error(`${url} answered ${answer.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** English words, another text each time, so that no verdict is remembered. */
function text(seed: number): string {
  const words = ["river", "letter", "garden", "window", "market", "station", "orange", "winter"];
  let state = seed * 2_654_435_761 + 1;
  let made = `Note ${seed}:`;
  while (made.length < itemBytes) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    made += ` ${words[state % words.length] ?? ""}${state % 97}`;
  }
  return made.slice(0, itemBytes);
}

/** CPU time of all threads of the process, in seconds. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The process's own memory. Cached pages of the store's file do not count, because the kernel may free them. */
function residentMegabytes(pid: number): number {
  const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

interface Measured {
  readonly itemsPerCpuSecond: number;
  readonly itemsPerSecond: number;
  /** One value after each tenth of the items. */
  readonly residentMegabytes: readonly number[];
}

async function measured(
  { pid }: Gateway,
  run: (progress: (items: number) => void) => Promise<void>,
): Promise<Measured> {
  const resident: number[] = [residentMegabytes(pid)];
  const [cpu, began] = [cpuSeconds(pid), performance.now()];
  let done = 0;
  await run((items) => {
    done += items;
    if (done >= (resident.length * itemCount) / 10) resident.push(residentMegabytes(pid));
  });
  return {
    itemsPerCpuSecond: Math.round(itemCount / (cpuSeconds(pid) - cpu)),
    itemsPerSecond: Math.round((itemCount * 1_000) / (performance.now() - began)),
    residentMegabytes: resident,
  };
}

async function synchronously(gateway: Gateway): Promise<Measured> {
  return measured(gateway, async (progress) => {
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < itemCount) {
        await send(`${gateway.url}/v1/security/scan`, gateway.key, { input: text(next++) });
        progress(1);
      }
    };
    await Promise.all(Array.from({ length: connections }, client));
  });
}

async function submitJob({ url, key }: Gateway, first: number, items: number): Promise<string> {
  const body = {
    items: Array.from({ length: items }, (_, i) => ({ id: `${i}`, input: text(first + i) })),
  };
  const accepted = await send(`${url}/v1/security/scan/batch`, key, body);
  return (accepted as { readonly job_id: string }).job_id;
}

async function jobEnded({ url, key }: Gateway, jobId: string): Promise<void> {
  for (;;) {
    const job = await send(`${url}/v1/security/scan/batch/${jobId}`, key);
    const { completed_at, counts } = job as {
      readonly completed_at: string | null;
      readonly counts: { readonly failed: number };
    };
    if (counts.failed > 0) throw new Error("an item failed");
    if (completed_at !== null) return;
    await passed(500);
  }
}

async function inBatches(gateway: Gateway): Promise<Measured> {
  return measured(gateway, async (progress) => {
    const open: string[] = [];
    const oldestEnded = async (): Promise<void> => {
      await jobEnded(gateway, open.shift() ?? "");
      progress(Math.min(itemsPerJob, itemCount));
    };
    for (let first = 0; first < itemCount; first += itemsPerJob) {
      const items = Math.min(itemsPerJob, itemCount - first);
      open.push(await submitJob(gateway, 1_000_000 + first, items));
      if (open.length === jobsOpenMax) await oldestEnded();
    }
    while (open.length > 0) await oldestEnded();
  });
}

/** The median latency of chat requests, one after the other, in milliseconds. */
async function chatMedian({ url, key }: Gateway): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < chatsMeasured; i++) {
    const began = performance.now();
    await send(`${url}/v1/chat/completions`, key, {
      model: "demo/echo",
      messages: [{ role: "user", content: `Hello number ${i}, how are you?` }],
    });
    times.push(performance.now() - began);
  }
  return median(times);
}

/** Medians of alternating rounds, because other work on the machine changes within minutes. */
async function yielding(gateway: Gateway): Promise<readonly [idle: number, busy: number]> {
  const idle: number[] = [];
  const busy: number[] = [];
  await chatMedian(gateway);
  for (let round = 0; round < yieldRounds; round++) {
    idle.push(await chatMedian(gateway));
    const jobs = [];
    for (let job = 0; job < 3; job++) {
      const first = 5_000_000 + (round * 3 + job) * itemsPerJob;
      jobs.push(await submitJob(gateway, first, itemsPerJob));
    }
    busy.push(await chatMedian(gateway));
    for (const job of jobs) await jobEnded(gateway, job);
  }
  return [median(idle), median(busy)];
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const gateway = await start();
try {
  await send(`${gateway.url}/v1/security/scan`, gateway.key, { input: "warm up" });
  const report = (
    name: string,
    { itemsPerCpuSecond, itemsPerSecond, residentMegabytes }: Measured,
  ) =>
    console.log(
      `${name}: ${itemsPerCpuSecond} items per CPU second, ${itemsPerSecond} per second; resident MB ${residentMegabytes.join(" ")}`,
    );
  console.log(`${itemCount} items of ${itemBytes} bytes`);
  report("synchronous", await synchronously(gateway));
  report("batch", await inBatches(gateway));
  const [idle, busy] = await yielding(gateway);
  console.log(
    `chat p50: idle ${idle.toFixed(2)} ms, during a full batch ${busy.toFixed(2)} ms (${(busy / idle).toFixed(2)} times)`,
  );
} finally {
  gateway.stop();
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
