import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordsFreeBytesMin } from "../../../src/contract/limits.ts";
import { RecordsDatabase } from "../../../src/store/read-model/database.ts";
import type { FromReadModel, ToReadModel } from "../../../src/store/read-model/messages.ts";
import type { Question } from "../../../src/store/read-model/question.ts";
import { ReadModelServer } from "../../../src/store/read-model/server.ts";
import { temporaryDirectory } from "../temporary-store.ts";
import { debitLine, requestLine, TestLog } from "./log.ts";

/** A server in this thread, and what it tells. */
function serve(log: TestLog, directory = temporaryDirectory(), freeBytes = recordsFreeBytesMin) {
  const told: FromReadModel[] = [];
  const listeners = new Set<() => void>();
  const tell = (message: FromReadModel): void => {
    told.push(message);
    for (const listener of [...listeners]) listener();
  };
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  const server = new ReadModelServer({ directory, log, freeBytes: () => freeBytes, tell });
  let ids = 0;
  const end = async (): Promise<void> => {
    server.receive({ kind: "end" });
    await until(() => told.find(({ kind }) => kind === "ended"));
  };
  onTestFinished(end);
  server.start();
  const ask = async (question: Question, more: Partial<ToReadModel> = {}) => {
    ids += 1;
    const id = ids;
    server.receive({
      kind: "ask",
      id,
      caller: `${id}`,
      reach: log.size,
      question,
      ...more,
    });
    return until(() => told.find((one) => "id" in one && one.id === id));
  };
  const answerTo = async (question: Question): Promise<unknown> => {
    const answered = await ask(question);
    if (answered.kind !== "answer") throw new Error(JSON.stringify(answered));
    return answered.answer;
  };
  const requestIds = async (more: Partial<Extract<Question, { kind: "records" }>> = {}) => {
    const answer = await answerTo({
      kind: "records",
      filter: {},
      before: null,
      limit: 1_000,
      ...more,
    });
    const { rows } = answer as { readonly rows: string };
    return (JSON.parse(`[${rows}]`) as { request_id: string }[]).map(
      ({ request_id }) => request_id,
    );
  };
  return { directory, told, ask, answerTo, requestIds, end, server, until };
}

function logOf(count: number): TestLog {
  const log = new TestLog();
  for (let i = 0; i < count; i += 1) log.lines.push(requestLine(i), debitLine(i));
  return log;
}

const troubles = (told: readonly FromReadModel[]): readonly string[] =>
  told.flatMap((one) => (one.kind === "trouble" ? [one.message] : []));

test("a record is shown as its event has it", async () => {
  const log = new TestLog();
  log.lines.push(
    requestLine(7, { tags: { app: "we:b" }, facts: { team: "search", cache: "miss" } }),
  );
  const { rows } = (await serve(log).answerTo({
    kind: "records",
    filter: {},
    before: null,
    limit: 10,
  })) as { readonly rows: string };
  expect(JSON.parse(rows)).toEqual({
    index: 0,
    request_id: "request-7",
    created_at: "2026-03-01T00:00:07.000Z",
    type: "request",
    route: "chat",
    org_id: "org_1",
    api_key_id: "key_1",
    team: "search",
    tags: { app: "we:b" },
    model: "openai/gpt-5.1",
    provider: "openai",
    account: "openai",
    attempts: [{ account: "openai", status: 200, ms: 10.5 }],
    status: "completed",
    http_status: 200,
    error_code: null,
    upstream_status: 200,
    verdict: "allow",
    score: 0.02,
    stream: true,
    cache: "miss",
    tokens: { input: 812, cache_read: 10, cache_write: 0, output: 96, reasoning: 4 },
    billable_tokens: null,
    cost_usd: "0.000031",
    cost_status: "calculated",
    latency_ms: 12.346,
    first_byte_ms: 3.14,
  });
});

test("pages neither skip nor repeat a row while rows arrive", async () => {
  const log = logOf(25);
  const served = serve(log);
  const seen: number[] = [];
  let before: number | null = null;
  do {
    const answer = await served.answerTo({ kind: "records", filter: {}, before, limit: 7 });
    const { rows, next } = answer as { readonly rows: string; readonly next: number | null };
    seen.push(...(JSON.parse(`[${rows}]`) as { index: number }[]).map(({ index }) => index));
    before = next;
    log.lines.push(requestLine(100 + seen.length));
  } while (before !== null);
  expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => 48 - 2 * i));
});

test("what was recorded before a question is in its answer", async () => {
  const log = logOf(3);
  const served = serve(log);
  expect(await served.requestIds()).toEqual(["request-2", "request-1", "request-0"]);
  for (let i = 3; i < 30; i += 1) {
    log.lines.push(requestLine(i));
    expect((await served.requestIds({ limit: 1 }))[0]).toBe(`request-${i}`);
  }
});

test("a file is taken up where it was left", async () => {
  const log = logOf(50);
  const first = serve(log);
  expect(await first.requestIds()).toHaveLength(50);
  await first.end();
  log.lines.push(requestLine(50));
  const second = serve(log, first.directory);
  expect((await second.requestIds())[0]).toBe("request-50");
  expect(troubles(second.told)).toEqual([]);
});

test.each<[string, (path: string) => void | Promise<void>]>([
  ["is empty", (path) => writeFileSync(path, "")],
  ["is no database", (path) => writeFileSync(path, "something else".repeat(1_000))],
  ["is cut", (path) => writeFileSync(path, readFileSync(path).subarray(0, 5_000))],
  [
    "has a byte that has changed",
    (path) => {
      const file = readFileSync(path);
      for (let at = 12_288; at < file.length; at += 4_096) file[at] = (file[at] ?? 0) ^ 0xff;
      writeFileSync(path, file);
    },
  ],
  [
    "has another form",
    async (path) => {
      const { DuckDBInstance } = await import("@duckdb/node-api");
      const instance = await DuckDBInstance.create(path);
      const connection = await instance.connect();
      await connection.run("UPDATE progress SET form = 0");
      connection.closeSync();
      instance.closeSync();
    },
  ],
])("a file that %s is made anew and equals the log", async (_, damage) => {
  const log = logOf(5_000);
  const first = serve(log);
  expect(await first.requestIds({ limit: 1 })).toEqual(["request-4999"]);
  await first.end();
  await damage(join(first.directory, "records.duckdb"));
  const second = serve(log, first.directory);
  const breakdown = await second.answerTo({
    kind: "breakdown",
    filter: {},
    groupBy: "model",
    groupsMax: 10,
  });
  expect(JSON.parse(breakdown as string)).toMatchObject([
    { key: "openai/gpt-5.1", requests: 5_000, tokens: 5_000 * 922, cost_usd: "0.155000" },
  ]);
  expect(await second.requestIds({ limit: 1 })).toEqual(["request-4999"]);
  expect(troubles(second.told)).toHaveLength(1);
});

test("the file of another log is made anew", async () => {
  const first = serve(logOf(20));
  expect(await first.requestIds()).toHaveLength(20);
  await first.end();
  const other = new TestLog();
  for (let i = 0; i < 100; i += 1) other.lines.push(requestLine(1_000 + i));
  const second = serve(other, first.directory);
  expect(await second.requestIds()).toHaveLength(100);
  expect(troubles(second.told)).toEqual([
    "the file of the records is of another log, and is made anew",
  ]);
});

test("a shorter log is another one", async () => {
  const log = logOf(20);
  const first = serve(log);
  expect(await first.requestIds()).toHaveLength(20);
  await first.end();
  log.lines.length = 10;
  expect(await serve(log, first.directory).requestIds()).toHaveLength(5);
});

test("a disk without room is left alone, and questions are refused with how far it is", async () => {
  const log = logOf(10);
  const served = serve(log, temporaryDirectory(), recordsFreeBytesMin - 1);
  expect(await served.ask({ kind: "facets", filter: {} })).toMatchObject({
    kind: "unable",
    why: "behind",
  });
  expect(troubles(served.told)).toEqual([
    "the disk has no room for more records; questions on them wait",
  ]);
});

test("each caller has one question answered at a time, and all are", async () => {
  const served = serve(logOf(100));
  const question: Question = { kind: "facets", filter: {} };
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => served.ask(question, { caller: `${i % 3}` })),
  );
  expect(answers.map(({ kind }) => kind)).toEqual(answers.map(() => "answer"));
});

test("nothing beside the file is left", async () => {
  const served = serve(logOf(1));
  await served.requestIds();
  await served.end();
  expect(existsSync(join(served.directory, "records.duckdb"))).toBe(true);
  RecordsDatabase.remove(served.directory);
  for (const name of ["records.duckdb", "records.duckdb.wal", "spill"]) {
    expect(existsSync(join(served.directory, name))).toBe(false);
  }
});

test("a series counts by local days, with the rest of the groups as one", async () => {
  const log = new TestLog();
  const at = (iso: string, model: string): void => {
    log.lines.push(requestLine(log.size, { atMs: Date.parse(iso), facts: { model } }));
  };
  at("2026-10-24T21:59:00Z", "a");
  at("2026-10-24T22:00:00Z", "a");
  at("2026-10-25T00:30:00Z", "a");
  at("2026-10-25T01:30:00Z", "b");
  at("2026-10-25T22:59:59Z", "c");
  at("2026-10-25T23:00:00Z", "a");
  const range = {
    sinceMs: Date.parse("2026-10-20T00:00:00Z"),
    untilMs: Date.parse("2026-10-30T00:00:00Z"),
  };
  const question = {
    kind: "series",
    filter: range,
    metric: "requests",
    groupBy: "model",
    groupsMax: 1,
    step: "1d",
    zone: "Europe/Berlin",
  } as const;
  const served = serve(log);
  expect(JSON.parse((await served.answerTo(question)) as string)).toEqual([
    { start: "2026-10-23T22:00:00.000Z", group: "a", value: 1 },
    { start: "2026-10-24T22:00:00.000Z", group: "a", value: 2 },
    { start: "2026-10-24T22:00:00.000Z", group: null, rest: true, value: 2 },
    { start: "2026-10-25T23:00:00.000Z", group: "a", value: 1 },
  ]);
  const cost = { ...question, metric: "cost_usd", groupBy: null, step: "1h" } as const;
  expect(JSON.parse((await served.answerTo(cost)) as string)).toContainEqual({
    start: "2026-10-25T00:00:00.000Z",
    group: null,
    value: "0.000031",
  });
  const latency = { ...cost, metric: "latency_ms" } as const;
  expect(JSON.parse((await served.answerTo(latency)) as string)).toContainEqual({
    start: "2026-10-25T00:00:00.000Z",
    group: null,
    p50: 12.346,
    p95: 12.346,
    p99: 12.346,
  });
});
