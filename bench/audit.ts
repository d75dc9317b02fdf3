// A log of a million records, written and read as the gateway does: `node bench/audit.ts [RECORDS]`.
// Writing and reading run in separate processes, so that the memory of reading is measured alone.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AuditEvent } from "../src/contract/audit.ts";
import { noUsage } from "../src/contract/usage.ts";
import { exportBundle, exportCsv } from "../src/endpoints/audit/exports.ts";
import { listEvents } from "../src/endpoints/audit/events.ts";
import type { FilteredCall } from "../src/endpoints/audit/filter.ts";
import type { DownloadExchange } from "../src/endpoints/csv.ts";
import type { Exchange } from "../src/exchange/exchange.ts";
import { openLedger, type OpenedLedger } from "../src/store/embedded/ledger/open-ledger.ts";
import { openStore, type Store } from "../src/store/embedded/store.ts";

const orgs = 10;
const keysPerOrg = 10;
const day = 24 * 3_600_000;
const firstDay = Date.parse("2026-01-01T00:00:00Z");

async function open(dataDir: string, clock = { wallMs: Date.now, monotonicMs: () => 0 }) {
  const opened = await openStore({ dataDir });
  if (!opened.ok) throw new Error(opened.fault);
  const books = await openLedger(opened.value, {
    billingUrl: () => "",
    onFailure: console.error,
    clock,
  });
  if (!books.ok) throw new Error(books.refusal.message);
  return { store: opened.value, books: books.value };
}

async function close({ store, books }: { store: Store; books: OpenedLedger }): Promise<void> {
  await books.close();
  await store.close();
}

function recordOf(i: number): AuditEvent {
  const org = i % orgs;
  const isScan = i % 5 === 0;
  const flagged = i % 1_000 === 7;
  return {
    eventType: isScan ? "scan.completed" : "request.completed",
    message: isScan ? "A scan was answered." : "A request was answered.",
    orgId: `org_${org}`,
    requestId: `request-${i}`,
    data: {
      route: isScan ? "rest" : "chat",
      type: isScan ? "scan" : "request",
      api_key_id: `key_${org}_${Math.floor(i / orgs) % keysPerOrg}`,
      provider: isScan ? null : "openai",
      model: isScan ? null : `openai/model-${i % 7}`,
      http_status: 200,
      error_code: null,
      verdict: flagged ? "flag" : "allow",
      score: 0.02,
      usage: { ...noUsage, uncachedInput: 812, outputText: 96 },
      cost_usd: "0.000031",
      cost_status: "calculated",
      latency_ms: 812.417,
    },
  };
}

/** Thirty days of records. */
async function write(dataDir: string, records: number): Promise<void> {
  const clock = { now: firstDay, wallMs: () => clock.now, monotonicMs: () => performance.now() };
  const opened = await open(dataDir, clock);
  const begun = performance.now();
  for (let i = 0; i < records; i += 1) {
    clock.now = firstDay + Math.floor((i / records) * 30 * day);
    opened.books.ledger.record([recordOf(i)]);
    if (i % 2_000 === 1_999) await opened.books.journal.appliedAll(null);
  }
  await opened.books.journal.appliedAll(null);
  report("written, with tree and checkpoints", begun, `${records} records`);
  await close(opened);
  const { size } = statSync(join(dataDir, "weir.mdb"));
  console.log(`the store takes ${Math.round(size / 2 ** 20)} MiB`);
}

async function read(dataDir: string): Promise<void> {
  const before = performance.now();
  const opened = await open(dataDir);
  const { auditLog } = opened.books;
  report("reopened", before, `${auditLog.size} events`);
  const queries = ["", "verdict=flag", "key=key_3_4", "model=openai/model-2", "day=2026-01-20"];
  for (const query of queries) {
    const begun = performance.now();
    const pages = await listAll(auditLog, query);
    report(`listed, ${query || "all"}`, begun, pages);
  }
  const exports = [
    ["export.csv", exportCsv, null],
    ["export.jsonl, the whole log", exportBundle, null],
    ["export.jsonl with proofs, one organization", exportBundle, "org_3"],
  ] as const;
  for (const [name, run, orgId] of exports) {
    const begun = performance.now();
    const sink = { bytes: 0 };
    const done = await run(auditLog, callOf("", orgId), exchangeInto(sink));
    if (!done.ok) throw new Error(done.refusal.message);
    report(name, begun, `${Math.round(sink.bytes / 1e6)} MB`);
  }
  await close(opened);
}

async function listAll(auditLog: OpenedLedger["auditLog"], query: string): Promise<string> {
  let [events, pages] = [0, 0];
  for (let cursor: string | null = ""; cursor !== null; pages += 1) {
    const asked = `${query}&limit=1000${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const answer = await listEvents(auditLog, callOf(asked, null));
    if (!answer.ok) throw new Error(answer.refusal.message);
    const page = JSON.parse(String(answer.value.body)) as {
      readonly data: readonly unknown[];
      readonly nextCursor: string | null;
    };
    events += page.data.length;
    cursor = page.nextCursor;
  }
  return `${events} events in ${pages} pages`;
}

function callOf(query: string, orgId: string | null): FilteredCall {
  return { orgId, query: new URLSearchParams(query) };
}

/** A client that takes everything at once. It has the parts of an exchange that an export uses. */
function exchangeInto(sink: { bytes: number }): DownloadExchange {
  let state: Exchange["state"] = "open";
  return {
    head: { method: "GET", path: "", query: "", headers: [] },
    get state() {
      return state;
    },
    begin: () => (state = "streaming"),
    write: (chunk) => {
      sink.bytes += chunk.length;
      return true;
    },
    cut: () => undefined,
    end: () => (state = "done"),
    onDrained: () => undefined,
    onGone: () => undefined,
  };
}

function report(what: string, begun: number, how: string): void {
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.log(
    `${what}: ${seconds} s, ${how}; RSS ${megabytes} MiB, ${ownMebibytes()} of it its own`,
  );
}

/** The process's own memory, without mapped pages of the database's file, which the kernel may free. */
function ownMebibytes(): string {
  if (process.platform !== "linux") return "?";
  const kibibytes = /RssAnon:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return String(Math.round(Number(kibibytes) / 1024));
}

const [half, dataDir = ""] = process.argv.slice(2);
if (half === "write") await write(dataDir, Number(process.argv[4]));
else if (half === "read") await read(dataDir);
else {
  const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
  for (const one of ["write", "read"]) {
    const args = [fileURLToPath(import.meta.url), one, folder, half ?? "1000000"];
    spawnSync(process.execPath, args, { stdio: "inherit" });
  }
  rmSync(folder, { recursive: true });
}
