// What a shared store costs: `npm run bench:cluster [-- --rounds N]`. Pay-through requests that the built-in demo answers, on
// one gateway with its own store, on one with a store in PostgreSQL, and on two that share it, in turns. It needs a
// PostgreSQL on this machine (WEIR_TEST_POSTGRES_URL, else 127.0.0.1:5432) and makes a database of its own there.
// On Linux only.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { migrate } from "../src/store/shared/migrations.ts";
import { Children, pidOf, until } from "./macro/children.ts";
import { cpuMs, ProcessTree } from "./macro/process-tree.ts";
import { launchOf } from "./launch.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const rounds = Number(values.rounds);
const warmUpMs = 4_000;
const measuredMs = 3_000;
const startMsMax = 120_000;
const server =
  process.env["WEIR_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const database = `weir_bench_${process.pid}`;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

const question = JSON.stringify({
  model: "demo/echo",
  max_tokens: 10,
  messages: [{ role: "user", content: "What is the capital of France?" }],
});

/** Gateways that are asked in turn. */
interface Subject {
  readonly name: string;
  readonly origins: readonly string[];
  readonly secret: string;
  readonly pids: readonly number[];
}

interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  /** Of the gateways. */
  readonly cpuMs: number;
  /** Of PostgreSQL. */
  readonly serverCpuMs: number;
}

function post(origin: string, secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const url = `${origin}/v1/chat/completions`;
    const request = httpRequest(url, { agent, method: "POST", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject).end(question);
  });
}

async function load(subject: Subject, connections: number, ms: number): Promise<number[]> {
  const endMs = performance.now() + ms;
  const took: number[] = [];
  let next = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const begunMs = performance.now();
      const origin = subject.origins[(next += 1) % subject.origins.length] ?? "";
      const status = await post(origin, subject.secret);
      if (status !== 200) throw new Error(`${subject.name} answered ${status}`);
      took.push(performance.now() - begunMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  return took.sort((one, other) => one - other);
}

async function measure(subject: Subject, connections: number): Promise<Measured> {
  const trees = subject.pids.map((pid) => new ProcessTree(pid));
  const before = trees.map((tree) => tree.threads());
  const serverBefore = serverCpuMs();
  const took = await load(subject, connections, measuredMs);
  const cpu = trees.reduce(
    (sum, tree, i) => sum + cpuMs(before[i] ?? new Map(), tree.threads()),
    0,
  );
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? 0;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    requests: took.length,
    cpuMs: cpu,
    serverCpuMs: serverCpuMs() - serverBefore,
  };
}

/** CPU time of the server's processes for the bench's database, and of those that write for all. */
function serverCpuMs(): number {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (!/^postgres: .*(weir_bench|walwriter|checkpointer|background writer)/.test(command))
        continue;
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * (1_000 / ticksPerSecond);
}

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

async function start(children: Children, name: string, databaseUrl: string | null) {
  const folder = join(children.folder, name);
  const dataDir = join(folder, "data");
  mkdirSync(folder);
  const store = { type: "postgres", url: { env: "WEIR_BENCH_DATABASE" } };
  const file = databaseUrl === null ? {} : { store };
  writeFileSync(join(folder, "weir.config.json"), JSON.stringify(file));
  const program = join(import.meta.dirname, "../dist/main.js");
  const { command, args, env } = launchOf(program, {
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_PORT: "0",
    GATEWAY_KEYS_PORT: "0",
    GATEWAY_LOG_LEVEL: "error",
    GATEWAY_SCAN_WORKERS: "1",
    WEIR_BENCH_DATABASE: databaseUrl ?? "",
  });
  const child = children.spawn(command, args, {
    ...{ cwd: folder, env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (text: Buffer) => (output += text.toString()));
  const listening = join(dataDir, "listening.json");
  await until(
    child,
    program,
    () => existsSync(listening) && output.includes("listens"),
    startMsMax,
  );
  const { gateway } = JSON.parse(readFileSync(listening, "utf8")) as { readonly gateway: string };
  const secret = /key of the org "demo" +(\S+)/.exec(output)?.[1] ?? "";
  return { origin: gateway, secret, pid: pidOf(child) };
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return `× ${median(values).toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}

const children = new Children();
await onServer(`CREATE DATABASE ${database}`);
try {
  const url = new URL(server);
  url.pathname = `/${database}`;
  await migrate(url.href);
  const own = await start(children, "own", null);
  const first = await start(children, "first", url.href);
  const second = await start(children, "second", url.href);
  const subjects: readonly Subject[] = [
    { name: "own store", origins: [own.origin], secret: own.secret, pids: [own.pid] },
    {
      name: "shared, one gateway",
      origins: [first.origin],
      secret: first.secret,
      pids: [first.pid],
    },
    {
      name: "shared, two gateways",
      origins: [first.origin, second.origin],
      secret: first.secret,
      pids: [first.pid, second.pid],
    },
  ];
  for (const subject of subjects) await load(subject, 16, warmUpMs);
  const rows: object[] = [];
  for (const connections of [1, 16]) {
    const measured = new Map<Subject, Measured[]>(subjects.map((subject) => [subject, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const subject of subjects) {
        measured.get(subject)?.push(await measure(subject, connections));
      }
    }
    const [base] = measured.values();
    for (const [{ name }, each] of measured) {
      const ratio = (of: (one: Measured) => number): string =>
        spread(each.map((one, i) => of(one) / of(base?.[i] ?? one)));
      rows.push({
        connections,
        store: name,
        "p50, ms": median(each.map(({ p50Ms }) => p50Ms)).toFixed(2),
        "p50 to own": ratio(({ p50Ms }) => p50Ms),
        "p99, ms": median(each.map(({ p99Ms }) => p99Ms)).toFixed(1),
        "requests/s": Math.round(
          median(each.map(({ requests }) => requests)) / (measuredMs / 1_000),
        ),
        "µs of CPU a request": Math.round(
          median(each.map(({ cpuMs, requests }) => (cpuMs * 1_000) / requests)),
        ),
        "µs of PostgreSQL": Math.round(
          median(each.map(({ serverCpuMs, requests }) => (serverCpuMs * 1_000) / requests)),
        ),
      });
    }
  }
  console.table(rows);
} finally {
  agent.destroy();
  await children.close();
  await onServer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
}
