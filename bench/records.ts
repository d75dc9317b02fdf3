// Questions on records at size: `npm run bench:records -- --records 10000000`. Events are made by a seeded
// generator and go the way of a request's event: packed, unpacked, appended to the log of a store; the read model
// follows that log. With --keep FOLDER a store is made once and asked again.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { microUsd } from "../src/contract/money.ts";
import type { RequestEvent } from "../src/contract/request-event.ts";
import { noUsage } from "../src/contract/usage.ts";
import { openStore } from "../src/store/embedded/store.ts";
import { abortableAndFlushed, openRoot } from "../src/store/embedded/files/open-root.ts";
import { openJournalTables } from "../src/store/embedded/journal/journal-tables.ts";
import { LmdbLog } from "../src/store/embedded/records/lmdb-log.ts";
import { appendEvents } from "../src/store/journal/batch.ts";
import { EventPacker } from "../src/store/journal/event-packer.ts";
import { unpackLines } from "../src/store/journal/packed-events.ts";
import type { FromReadModel } from "../src/store/read-model/messages.ts";
import { exportPlacesAtOnce } from "../src/contract/limits.ts";
import { exportPath, exportsIn } from "../src/store/read-model/export-path.ts";
import type { Answers, Question } from "../src/store/read-model/question.ts";
import { ReadModelServer } from "../src/store/read-model/server.ts";

const { values } = parseArgs({
  options: {
    records: { type: "string", default: "100000" },
    rounds: { type: "string", default: "20" },
    keep: { type: "string" },
  },
});
const records = Number(values.records);
const rounds = Number(values.rounds);
const organizations = 100;
const keys = 10_000;
/** The records are of thirty days. */
const start = Date.parse("2026-01-01T00:00:00Z");
const spanMs = 30 * 86_400_000;
const eventsAtOnce = 20_000;

/** mulberry32: the same records each time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const next = random(24);
const models = Array.from({ length: 20 }, (_, i) => `openai/model-${i}`);
const requestIdOf = (i: number): string => `5mUyOhPrRjuCXXcYRSkHKg-${i}`;

function eventOf(i: number): RequestEvent {
  // Few keys ask much.
  const key = Math.floor(keys * next() ** 3);
  const kind = next();
  const failed = kind > 0.97;
  const blocked = !failed && kind > 0.96;
  const model = models[Math.floor(models.length * next() ** 2)] ?? null;
  const output = Math.floor(next() * 800);
  const latency = 200 + 2_000 * next() ** 3;
  return {
    eventType: failed ? "request.failed" : blocked ? "request.blocked" : "request.completed",
    orgId: `org_${key % organizations}`,
    requestId: requestIdOf(i),
    httpStatus: failed ? 502 : blocked ? 403 : 200,
    costStatus: failed || blocked ? "non_billable" : "calculated",
    inputSha256: null,
    tags: next() < 0.1 ? { feature: `f${Math.floor(next() * 8)}` } : null,
    totalMs: latency,
    facts: {
      ...{ route: next() < 0.7 ? "chat" : "messages", isScan: false, apiKeyId: `key_${key}` },
      ...{ team: key % 3 === 0 ? `team_${key % 40}` : null, provider: "openai", model },
      servedModel: model,
      ...{ account: "openai", calls: [{ account: "openai", status: 200, ms: latency - 1 }] },
      ...{ upstreamStatus: 200, cache: null, findingCounts: null, stream: next() < 0.5 },
      ...{ errorCode: failed ? "upstream_error" : null, end: "complete", clientGone: false },
      ...{ injection: { verdict: blocked ? "block" : "allow", score: 0.02 }, policy: null },
      cost: {
        costMicroUsd: microUsd(BigInt(output * 10)),
        buckets: { ...noUsage, uncachedInput: Math.floor(next() * 4_000), outputText: output },
        assumedPrice: null,
        serviceTier: null,
      },
      ...{ inputTokens: null, scanId: null, bodyMs: 0.1, queueMs: 0.02, scanMs: 0.5 },
      ...{ holdMs: 0.01, firstByteMs: latency / 3 },
    },
  };
}

function report(what: string, value: string): void {
  console.log(`${what.padEnd(58)} ${value}`);
}

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "weir-records-"));
const isMade = existsSync(join(folder, "weir.mdb"));
if (!isMade) {
  const opened = await openStore({ dataDir: folder });
  if (!opened.ok) throw new Error(opened.fault);
  await opened.value.close();
}
const root = openRoot(join(folder, "weir.mdb"));
const tables = openJournalTables(root);
if (!isMade) {
  const begunMs = performance.now();
  const packer = new EventPacker();
  for (let at = 0; at < records; at += eventsAtOnce) {
    const end = Math.min(at + eventsAtOnce, records);
    for (let i = at; i < end; i += 1) packer.request(eventOf(i), start + (spanMs * i) / records);
    const lines = unpackLines([packer.take()]);
    root.transactionSync(() => appendEvents(tables, lines), abortableAndFlushed);
  }
  report("events made and appended to the log", `${seconds(begunMs)} s`);
}
const log = new LmdbLog(tables);
const told = new Map<number, (message: FromReadModel) => void>();
const { promise: hasEnded, resolve: ended } = Promise.withResolvers<null>();
const directory = join(folder, "records");
const server = new ReadModelServer({
  directory,
  log,
  freeBytes: () => Infinity,
  tell: (message) => {
    if ("id" in message) told.get(message.id)?.(message);
    if (message.kind === "ended") ended(null);
    if (message.kind === "trouble") console.log(message.message);
  },
});
let ids = 0;
function ask(question: Question): Promise<FromReadModel> {
  ids += 1;
  const id = ids;
  const answer = new Promise<FromReadModel>((resolve) => told.set(id, resolve));
  server.receive({ kind: "ask", id, caller: "bench", reach: log.size, question });
  return answer;
}

const [cpuBefore, followed] = [process.cpuUsage(), performance.now()];
server.start();
const first: Question = { kind: "records", filter: {}, before: null, limit: 1 };
// While it is far behind, a question is refused at once.
while ((await ask(first)).kind !== "answer") await new Promise((again) => setTimeout(again, 100));
const cpu = process.cpuUsage(cpuBefore);
const followedMs = performance.now() - followed;
report("followed by the read model", `${(followedMs / 1_000).toFixed(1)} s`);
report("CPU a record", `${((cpu.user + cpu.system) / log.size).toFixed(1)} µs`);
report("log a record", `${Math.round(statSync(join(folder, "weir.mdb")).size / log.size)} bytes`);
const file = statSync(join(directory, "records.duckdb")).size;
report("read model a record", `${Math.round(file / log.size)} bytes`);
report("memory of the process, without the log's pages", `${anonymousMebibytes()} MiB`);

const untilMs = start + spanMs;
const day = { sinceMs: untilMs - 86_400_000, untilMs };
const month = { sinceMs: start, untilMs };
const series = { kind: "series", groupBy: null, groupsMax: 10, zone: "Europe/Berlin" } as const;
const questions: readonly (readonly [string, () => Question])[] = [
  ["latest 50", () => ({ kind: "records", filter: {}, before: null, limit: 50 })],
  [
    "latest 50 of a key, failed",
    () => ({
      kind: "records",
      filter: { key: anyKey(), status: "failed" },
      before: null,
      limit: 50,
    }),
  ],
  [
    "latest 50 of an organization",
    () => ({ kind: "records", filter: { orgId: anyOrganization() }, before: null, limit: 50 }),
  ],
  [
    "50 of an organization, further back",
    () => ({
      kind: "records",
      filter: { orgId: anyOrganization() },
      before: Math.floor(next() * records),
      limit: 50,
    }),
  ],
  [
    "latest 50, none passes",
    () => ({ kind: "records", filter: { model: "none" }, before: null, limit: 50 }),
  ],
  [
    "look up a request",
    () => ({ kind: "lookup", requestId: requestIdOf(Math.floor(next() * records)), filter: {} }),
  ],
  ["facets of a day", () => ({ kind: "facets", filter: day })],
  ["facets of thirty days", () => ({ kind: "facets", filter: month })],
  [
    "facets of thirty days, one organization",
    () => ({ kind: "facets", filter: { ...month, orgId: "org_7" } }),
  ],
  [
    "latency of a day by quarter hours, one organization",
    () => ({ ...series, filter: { ...day, orgId: "org_7" }, metric: "latency_ms", step: "15m" }),
  ],
  [
    "tokens of thirty days by day and model",
    () => ({ ...series, filter: month, metric: "tokens", step: "1d", groupBy: "model" }),
  ],
  [
    "breakdown of a day by key",
    () => ({ kind: "breakdown", filter: day, groupBy: "key", groupsMax: 100 }),
  ],
  [
    "8,192 lines of a CSV, one organization",
    () => {
      const first = Math.floor(next() * records);
      return { kind: "csv", filter: { orgId: "org_7" }, first, end: records, limit: 8_192 };
    },
  ],
  [
    "breakdown of thirty days by model",
    () => ({ kind: "breakdown", filter: month, groupBy: "model", groupsMax: 100 }),
  ],
];
for (const [name, question] of questions) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begunMs = performance.now();
    const answered = await ask(question());
    if (answered.kind !== "answer") throw new Error(`${name}: ${JSON.stringify(answered)}`);
    times.push(performance.now() - begunMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.ceil(share * times.length) - 1] ?? 0).toFixed(1);
  report(name, `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}
mkdirSync(exportsIn(directory), { recursive: true });
const id = "0".repeat(32);
const exportedMs = performance.now();
let rows = 0;
for (let first = 0; first < log.size; first += exportPlacesAtOnce) {
  const end = Math.min(first + exportPlacesAtOnce, log.size);
  const answered = await ask({ kind: "export", id, filter: {}, first, end });
  if (answered.kind !== "answer") throw new Error("the export failed");
  rows += (answered.answer as Answers["export"]).rows;
}
report("export", `${Math.round((rows * 1_000) / (performance.now() - exportedMs))} rows/s`);
rmSync(exportPath(directory, id));
server.receive({ kind: "end" });
await hasEnded;
await root.close();
if (values.keep === undefined) rmSync(folder, { recursive: true });

function anyOrganization(): string {
  return `org_${Math.floor(next() * organizations)}`;
}

function anyKey(): string {
  return `key_${Math.floor(next() * keys)}`;
}

/** The log's file is mapped into memory: its pages are the system's cache. */
function anonymousMebibytes(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024);
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(1);
}
