import fc from "fast-check";
import { expect, test } from "vitest";
import { tailRowsPerSecond } from "../../../src/contract/limits.ts";
import { microUsd } from "../../../src/contract/money.ts";
import { noUsage } from "../../../src/contract/usage.ts";
import { RecordsDatabase } from "../../../src/store/read-model/database.ts";
import { passesFilter, type RecordFilter } from "../../../src/store/read-model/filter.ts";
import { follow } from "../../../src/store/read-model/follower.ts";
import type { FromReadModel } from "../../../src/store/read-model/messages.ts";
import { rowOf, type RecordRow } from "../../../src/store/read-model/record-row.ts";
import { recordsSql } from "../../../src/store/read-model/sql.ts";
import { Tails } from "../../../src/store/read-model/tails.ts";
import { temporaryDirectory } from "../temporary-store.ts";
import { requestLine, start, TestLog, type Event } from "./log.ts";

const word = fc.constantFrom("a", "b", "'");
const event = fc.record({
  atMs: fc.integer({ min: start, max: start + 5 }),
  orgId: word,
  eventType: fc.constantFrom("request.completed", "request.blocked", "request.failed"),
  httpStatus: fc.constantFrom(0, 200, 429),
  costStatus: fc.constantFrom("calculated", "byok"),
  tags: fc.constantFrom(null, { t: "a" }, { t: "b", u: "'" }),
  totalMs: fc.constantFrom(1, 1.5, 2),
  facts: fc.record({
    route: fc.constantFrom("chat", "messages"),
    apiKeyId: fc.option(word),
    team: fc.option(word),
    account: fc.option(word),
    provider: fc.option(word),
    model: fc.option(word),
    servedModel: fc.option(word),
    errorCode: fc.option(fc.constantFrom("no_route", "upstream_error")),
    injection: fc.constantFrom(null, { verdict: "flag", score: 0.5 } as const),
    cache: fc.constantFrom(null, "hit", "miss"),
    cost: fc.option(
      fc.record({
        costMicroUsd: fc.constantFrom(null, microUsd(1n), microUsd(2n)),
        buckets: fc.constant(noUsage),
        assumedPrice: fc.constant(null),
        serviceTier: fc.constant(null),
      }),
    ),
  }),
});

const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });
const filter = fc
  .record({
    sinceMs: optional(fc.integer({ min: start, max: start + 5 })),
    untilMs: optional(fc.integer({ min: start, max: start + 6 })),
    type: optional(fc.constantFrom("request", "scan")),
    route: optional(fc.constantFrom("chat", "rest")),
    orgId: optional(word),
    key: optional(word),
    team: optional(word),
    model: optional(word),
    servedModel: optional(word),
    provider: optional(word),
    account: optional(word),
    status: optional(fc.constantFrom("completed", "blocked", "failed")),
    httpStatus: optional(fc.constantFrom(0, 200, 429)),
    errorCode: optional(fc.constantFrom("no_route", "none")),
    verdict: optional(fc.constantFrom("flag", "allow")),
    costStatus: optional(fc.constantFrom("calculated", "byok")),
    cache: optional(fc.constantFrom("hit", "miss")),
    tag: optional(fc.constantFrom("t:a", "u:'", "t:c")),
    minLatencyMs: optional(fc.constantFrom(0, 1.5, 3)),
    minCost: optional(fc.constantFrom(0n, 1n, 2n)),
  })
  .map(
    (all) =>
      Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== undefined),
      ) as RecordFilter,
  );

test("a tail's filter passes what the filter of a list finds", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 20 }),
      fc.array(filter, { minLength: 5, maxLength: 20 }),
      async (events, filters) => {
        const log = new TestLog();
        log.lines.push(...events.map((one, i) => requestLine(i, one)));
        const database = await RecordsDatabase.open(temporaryDirectory());
        const rows = await follow(database, log);
        const connection = await database.connect();
        for (const one of [{}, ...filters]) {
          const asked = { kind: "records", filter: one, before: null, limit: 100 } as const;
          const { text, values } = recordsSql(asked);
          const prepared = await connection.prepare(text);
          prepared.bind(
            values.map(({ value }) => value),
            values.map(({ type }) => type),
          );
          const found = (await prepared.runAndReadAll())
            .getRowsJS()
            .map(([index]) => Number(index));
          const passed = rows.filter((row) => passesFilter(row, one));
          expect(passed.map(({ index }) => index).toReversed()).toEqual(found);
          prepared.destroySync();
        }
        connection.closeSync();
        database.close();
      },
    ),
    { numRuns: 25 },
  );
});

function rowsFrom(first: number, count: number, more: Event = {}): RecordRow[] {
  return Array.from({ length: count }, (_, i) => {
    const row = rowOf(first + i, requestLine(first + i, more));
    if (row.kind !== "record") throw new Error("a request is a record");
    return row;
  });
}

type Told = Extract<FromReadModel, { kind: "tail" }>;

function tails() {
  const told: Told[] = [];
  let nowMs = 0;
  const made = new Tails(
    (message) => {
      if (message.kind === "tail") told.push(message);
    },
    () => nowMs,
  );
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  const take = () =>
    told.splice(0).map(({ id, rows, skipped }) => ({
      id,
      indexes: rows.map(({ index }) => index),
      skipped,
    }));
  return { made, pass, take };
}

test("a tail is told of what passes, from its place on, until it is removed", () => {
  const { made, take } = tails();
  made.add(1, {}, 3);
  made.add(2, { orgId: "org_2" }, 0);
  made.offer([...rowsFrom(0, 4), ...rowsFrom(4, 1, { orgId: "org_2" })]);
  expect(take()).toEqual([
    { id: 1, indexes: [3, 4], skipped: 0 },
    { id: 2, indexes: [4], skipped: 0 },
  ]);
  made.remove(1);
  made.offer(rowsFrom(5, 1));
  expect(take()).toEqual([]);
});

test("no more rows than the bound in a second; the others are counted", () => {
  const { made, pass, take } = tails();
  made.add(1, {}, 0);
  const rowsOf = (first: number, count: number) => {
    made.offer(rowsFrom(first, count));
    return take().map(({ indexes, skipped }) => [indexes.length, skipped]);
  };
  expect(rowsOf(0, tailRowsPerSecond - 1)).toEqual([[tailRowsPerSecond - 1, 0]]);
  pass(999);
  expect(rowsOf(1_000, 10)).toEqual([[1, 9]]);
  expect(rowsOf(2_000, 10)).toEqual([[0, 10]]);
  pass(1);
  expect(rowsOf(3_000, tailRowsPerSecond + 5)).toEqual([[tailRowsPerSecond, 5]]);
});

test("nothing is told twice where the database is made anew", () => {
  const { made, take } = tails();
  made.add(1, {}, 3);
  made.offer(rowsFrom(2, 3));
  made.offer(rowsFrom(0, 6));
  expect(take().map(({ indexes }) => indexes)).toEqual([[3, 4], [5]]);
});
