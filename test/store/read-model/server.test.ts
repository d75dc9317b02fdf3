import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  recordsFreeBytesMin,
  recordsQueriesWaitingMax,
  recordsQueryMsMax,
} from "../../../src/contract/limits.ts";
import { RecordsDatabase } from "../../../src/store/read-model/database.ts";
import type { FromReadModel, ToReadModel } from "../../../src/store/read-model/messages.ts";
import { formatUsd, microUsd } from "../../../src/contract/money.ts";
import { noUsage } from "../../../src/contract/usage.ts";
import {
  groupings,
  metrics,
  type Grouping,
  type Metric,
  type Question,
} from "../../../src/store/read-model/question.ts";
import { ReadModelServer } from "../../../src/store/read-model/server.ts";
import { Random } from "../../sim/random.ts";
import { temporaryDirectory } from "../temporary-store.ts";
import { debitLine, requestLine, start, TestLog } from "./log.ts";

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
  const ask = async (
    question: Question,
    more: Partial<Extract<ToReadModel, { readonly kind: "ask" }>> = {},
  ) => {
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
    served_model: "gpt-5.1",
    provider: "openai",
    account: "openai",
    attempts: [{ account: "openai", status: 200, ms: 10.5 }],
    status: "completed",
    http_status: 200,
    error_code: null,
    upstream_status: 200,
    verdict: "allow",
    score: 0.02,
    policy_action: null,
    dry_run_action: null,
    findings: null,
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
  ["was deleted", (path) => rmSync(path)],
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
  const path = join(first.directory, "records.duckdb");
  await damage(path);
  // One that is not there is made without a word.
  const existed = existsSync(path);
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
  expect(troubles(second.told)).toHaveLength(existed ? 1 : 0);
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

describe("a question that takes long", () => {
  const question: Question = { kind: "facets", filter: {} };

  /** Gives the next question's connection a statement that takes minutes. */
  function slowNext(): { readonly running: Promise<null> } {
    const { promise: running, resolve } = Promise.withResolvers<null>();
    const spy = vi.spyOn(RecordsDatabase.prototype, "connect");
    onTestFinished(() => spy.mockRestore());
    spy.mockImplementationOnce(async function (this: RecordsDatabase) {
      // This call takes the real one.
      const connection = await this.connect();
      const prepare = connection.prepare.bind(connection);
      vi.spyOn(connection, "prepare").mockImplementationOnce(async () => {
        const slow = await prepare(
          "SELECT sum(a.range * b.range) FROM range(9000000) a, range(9000000) b",
        );
        vi.spyOn(slow, "bind").mockImplementation(() => undefined);
        resolve(null);
        return slow;
      });
      return connection;
    });
    return { running };
  }

  test("is interrupted once its asker has left; the next one of this caller is answered", async () => {
    const served = serve(logOf(10));
    await served.answerTo(question);
    const slow = slowNext();
    served.server.receive({ kind: "ask", id: 1_000, caller: "c", reach: 0, question });
    await slow.running;
    const next = served.ask(question, { caller: "c" });
    served.server.receive({ kind: "leave", id: 1_000 });
    expect(await next).toMatchObject({ kind: "answer" });
    // Nobody waits for its answer, so there is none.
    expect(served.told.filter((one) => "id" in one && one.id === 1_000)).toEqual([]);
    expect(troubles(served.told)).toEqual([]);
  });

  test("is refused after its time, and nothing is wrong with the file", async () => {
    const served = serve(logOf(10));
    await served.answerTo(question);
    const slow = slowNext();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = served.ask(question, { caller: "c" });
    await slow.running;
    vi.advanceTimersByTime(recordsQueryMsMax);
    expect(await asked).toMatchObject({ kind: "unable", why: "late" });
    vi.useRealTimers();
    expect(await served.ask(question, { caller: "c" })).toMatchObject({ kind: "answer" });
    expect(troubles(served.told)).toEqual([]);
  });

  test("keeps the others waiting, of its caller and of others, and more than so many are refused", async () => {
    const served = serve(logOf(10));
    await served.answerTo(question);
    const slow = slowNext();
    served.server.receive({ kind: "ask", id: 1_000, caller: "c", reach: 0, question });
    await slow.running;
    const waiting = Array.from({ length: recordsQueriesWaitingMax }, (_, i) =>
      served.ask(question, { caller: i % 2 === 0 ? "c" : "d" }),
    );
    expect(await served.ask(question, { caller: "e" })).toMatchObject({
      kind: "unable",
      why: "busy",
    });
    expect(served.told.filter(({ kind }) => kind === "answer")).toHaveLength(1);
    served.server.receive({ kind: "leave", id: 1_000 });
    const kinds = (await Promise.all(waiting)).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["answer"]));
  });
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
  const near = expect.closeTo(12.346, 0) as number;
  expect(JSON.parse((await served.answerTo(latency)) as string)).toContainEqual({
    start: "2026-10-25T00:00:00.000Z",
    group: null,
    ...{ p50: near, p95: near, p99: near },
  });
});

test("what was found and what a policy did is told by label, action and score", async () => {
  const log = new TestLog();
  const policy = { id: "p", version: 1, dryRun: false, input: null, output: null };
  const facts = [
    {
      injection: { verdict: "block", score: 1 },
      policy: { ...policy, action: "redact", input: { EMAIL: 2 }, output: { EMAIL: 1, PHONE: 1 } },
    },
    { policy: { ...policy, action: "block", dryRun: true, input: { PHONE: 0, IBAN: 1 } } },
    { injection: null, isScan: true, findingCounts: { EMAIL: 1 } },
    { injection: { verdict: "flag", score: 0.59 } },
  ];
  facts.forEach((more, i) => log.lines.push(requestLine(i, { facts: more })));
  const served = serve(log);
  const told = async (groupBy: Grouping) => {
    const filter = { sinceMs: start, untilMs: start + 60_000 };
    const question = { kind: "breakdown", filter, groupBy, groupsMax: 10 } as const;
    const rows = JSON.parse((await served.answerTo(question)) as string) as Row[];
    return Object.fromEntries(rows.map(({ key, requests }) => [String(key), requests]));
  };
  interface Row {
    readonly key: string | null;
    readonly requests: number;
  }
  expect(await told("finding")).toEqual({ EMAIL: 2, PHONE: 1, IBAN: 1 });
  expect(await told("policy_action")).toEqual({ redact: 1, null: 3 });
  expect(await told("dry_run_action")).toEqual({ block: 1, null: 3 });
  expect(await told("score")).toEqual({ "0.9": 1, "0.0": 1, "0.5": 1, null: 1 });
  const { requestIds } = served;
  expect(await requestIds({ filter: { finding: "EMAIL" } })).toEqual(["request-2", "request-0"]);
  expect(await requestIds({ filter: { dryRunAction: "block" } })).toEqual(["request-1"]);
  expect(await requestIds({ filter: { policyAction: "redact" } })).toEqual(["request-0"]);
  const shown = await served.answerTo({ kind: "records", filter: {}, before: 1, limit: 1 });
  expect(JSON.parse((shown as { readonly rows: string }).rows)).toMatchObject({
    policy_action: "redact",
    dry_run_action: null,
    findings: { EMAIL: 3, PHONE: 1 },
  });
});

test("the model that served is told: of a pool the member, of nobody null", async () => {
  const log = new TestLog();
  const of = [
    { model: "fast", provider: "p", account: "a", servedModel: "m-1" },
    { model: "fast", provider: "p", account: "b", servedModel: "m-2" },
    // Events say nothing of it if the request named it so.
    { model: "m-2", provider: "p", account: "b", servedModel: "m-2" },
    { model: "p/m-2", provider: "p", account: "b", servedModel: "m-2" },
    // Own keys, and what reached no account.
    { model: "m-2", provider: null, account: null, servedModel: null },
    { model: "none", provider: null, account: null, servedModel: null },
  ];
  log.lines.push(...of.map((facts, i) => requestLine(i, { facts })));
  const { answerTo, requestIds } = serve(log);
  const { rows } = (await answerTo({
    ...{ kind: "records", filter: {}, before: null, limit: 10 },
  })) as { readonly rows: string };
  const shown = JSON.parse(`[${rows}]`) as readonly { readonly served_model: unknown }[];
  const served = of.map(({ servedModel }) => servedModel);
  expect(shown.map(({ served_model }) => served_model).toReversed()).toEqual(served);
  expect(await requestIds({ filter: { servedModel: "m-1" } })).toEqual(["request-0"]);
  expect(await requestIds({ filter: { servedModel: "m-2", model: "fast" } })).toEqual([
    "request-1",
  ]);
  const breakdown = await answerTo({
    ...{ kind: "breakdown", filter: {}, groupBy: "served_model", groupsMax: 10 },
  });
  expect(JSON.parse(breakdown as string)).toMatchObject([
    { key: "m-2", requests: 3 },
    { key: null, requests: 2 },
    { key: "m-1", requests: 1 },
  ]);
});

describe("numbers of many records", () => {
  const log = new TestLog();
  const models = ["a", "b", "c", "d", null];
  const chance = new Random(7);
  const random = () => chance.next();
  const all = Array.from({ length: 600 }, (_, i) => {
    const model = models[Math.floor(random() ** 2 * models.length)] ?? null;
    const kind = random();
    const eventType =
      kind < 0.1 ? "request.failed" : kind < 0.2 ? "request.blocked" : "request.completed";
    const totalMs = 10 ** (random() * 6 - 2);
    const firstByteMs = random() < 0.3 ? null : totalMs * random();
    const costMicroUsd = microUsd(BigInt(Math.floor(random() * 1e6)));
    const buckets = { ...noUsage, uncachedInput: Math.floor(random() * 100), reasoning: 3 };
    const cost = { costMicroUsd, buckets, assumedPrice: null, serviceTier: null };
    const isCosted = random() < 0.8;
    const tags = Math.floor(random() * 3);
    log.lines.push(
      requestLine(i, {
        eventType,
        totalMs,
        tags: [null, { a: "1" }, { a: "1", b: "2" }][tags] ?? null,
        facts: { model, firstByteMs, cost: isCosted ? cost : null },
      }),
    );
    return { model, eventType, totalMs, firstByteMs, tags, cost: isCosted ? cost : null };
  });
  type One = (typeof all)[number];
  /** The groups by their size, the rest as one. */
  const groups = (most: number) => {
    const sizes = models.map((key) => ({ key, of: all.filter(({ model }) => model === key) }));
    sizes.sort((x, y) => y.of.length - x.of.length);
    const rest = sizes.slice(most).flatMap(({ of }) => of);
    return [...sizes.slice(0, most), { key: null, rest: true, of: rest }];
  };
  const count = (of: readonly One[], type: string) =>
    of.filter(({ eventType }) => eventType === type).length;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  /** The nearest ranks, of the latencies that are known. */
  const percentiles = (latencies: readonly (number | null)[]) => {
    const sorted = latencies.filter((one) => one !== null).sort((x, y) => x - y);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  };
  const isNear = (found: number, meant: number) => Math.abs(found / meant - 1) < 0.0115;
  const expectNear = (found: unknown, meant: ReturnType<typeof percentiles>) => {
    for (const share of ["p50", "p95", "p99"] as const) {
      const value = (found as Record<string, number>)[share] ?? NaN;
      expect(isNear(value, meant[share]), `${share}: ${value} for ${meant[share]}`).toBe(true);
    }
  };
  const rows = async (question: Question) =>
    JSON.parse((await serve(log).answerTo(question)) as string) as Record<string, unknown>[];
  const range = { sinceMs: start - 900_000, untilMs: start + 86_400_000 };

  test("in a breakdown are those of each one", async () => {
    const found = await rows({ kind: "breakdown", filter: range, groupBy: "model", groupsMax: 2 });
    const meant = groups(2);
    expect(found).toMatchObject(
      meant.map(({ key, of, ...rest }) => ({
        ...{ key, ...rest, requests: of.length },
        errors: count(of, "request.failed"),
        blocked: count(of, "request.blocked"),
        tokens: sum(of.map(({ cost }) => (cost === null ? 0 : cost.buckets.uncachedInput + 3))),
        cost_usd: formatUsd(
          microUsd(of.reduce((total, { cost }) => total + (cost?.costMicroUsd ?? 0n), 0n)),
        ),
      })),
    );
    for (const [i, { of }] of meant.entries()) {
      expectNear(found[i]?.["latency_ms"], percentiles(of.map(({ totalMs }) => totalMs)));
    }
  });

  test("in a series are those of each one", async () => {
    const series = { kind: "series", filter: range, groupBy: "model", groupsMax: 2 } as const;
    const whole = { ...series, step: "1d", zone: "UTC" } as const;
    const meant = groups(2).map(({ key, of, ...rest }) => ({ group: key, ...rest, of }));
    const valuesOf = async (metric: Metric) => {
      const found = await rows({ ...whole, metric });
      return meant.map(({ group, rest }) =>
        found.find((one) => one["group"] === group && one["rest"] === rest),
      );
    };
    const errors = meant.map(({ of }) => count(of, "request.failed") / of.length);
    expect((await valuesOf("error_share")).map((one) => one?.["value"])).toEqual(
      errors.map((share) => expect.closeTo(share, 12) as number),
    );
    const blocked = meant.map(({ of }) => count(of, "request.blocked"));
    expect((await valuesOf("blocked")).map((one) => one?.["value"])).toEqual(blocked);
    for (const [i, found] of (await valuesOf("first_byte_ms")).entries()) {
      const of = meant[i]?.of ?? [];
      expectNear(found, percentiles(of.map(({ firstByteMs }) => firstByteMs)));
    }
  });

  test.each(groupings)("are told by %s, and over time", async (groupBy) => {
    const breakdown = await rows({ kind: "breakdown", filter: range, groupBy, groupsMax: 100 });
    const series = { kind: "series", filter: range, groupBy, groupsMax: 100 } as const;
    for (const metric of metrics) {
      const found = await rows({ ...series, metric, step: "1d", zone: "UTC" });
      expect(found.map(({ group }) => group).sort()).toEqual(
        breakdown.map(({ key }) => key).sort(),
      );
    }
    const requests = sum(breakdown.map((group) => Number(group["requests"])));
    const members = { tag: sum(all.map(({ tags }) => tags)), finding: 0 };
    expect(requests).toBe(groupBy in members ? members[groupBy as "tag"] : all.length);
    const isGrouped = ["model", "status", "tag"].includes(groupBy);
    expect(breakdown.length > 1).toBe(isGrouped);
  });

  test("in facets are those of each one", async () => {
    const answer = await serve(log).answerTo({ kind: "facets", filter: range });
    const facets = JSON.parse(answer as string) as Record<string, unknown>;
    const counted = groups(5).filter(({ key }) => key !== null);
    expect(facets["model"]).toEqual(
      counted.map(({ key, of }) => ({ value: key, count: of.length })),
    );
    expect(facets["cache"]).toEqual([]);
  });
});
