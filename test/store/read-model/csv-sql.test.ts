import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { csvLine } from "../../../src/contract/csv.ts";
import { formatUsd, microUsd } from "../../../src/contract/money.ts";
import { RecordsDatabase } from "../../../src/store/read-model/database.ts";
import type { RecordRow } from "../../../src/store/read-model/record-row.ts";
import { exportSql } from "../../../src/store/read-model/sql.ts";
import { temporaryDirectory } from "../temporary-store.ts";

/** The cells that the contract names, written once more in JavaScript. */
function expectedLine(row: RecordRow): string {
  const isScan = row.type === "scan";
  return csvLine([
    ...[new Date(row.atMs).toISOString(), row.requestId, row.requestId, row.orgId, row.keyId],
    ...[row.route, row.type, row.provider, row.model, row.status, row.httpStatus, row.errorCode],
    row.input,
    row.output === null ? null : row.output + (row.reasoning ?? 0),
    ...[isScan ? null : row.cacheRead, isScan ? null : row.cacheWrite, row.billable],
    row.cost === null ? null : formatUsd(microUsd(row.cost)),
    ...[row.costStatus, row.verdict, row.latencyMs, row.index],
    row.tags?.map((tag) => tag.replace(":", "=")).join(",") ?? null,
    ...[row.team, row.account, row.upstreamStatus, row.cache],
    row.stream === null ? null : String(row.stream),
    ...[row.reasoning, row.firstByteMs],
  ]);
}

const hostile = fc.string({
  unit: fc.constantFrom(...Array.from("=+-@＝＋－＠\t\r\n\",':;1.5aé😀%{}\\$ ")),
  maxLength: 8,
});
const text = fc.option(fc.oneof(hostile, fc.constantFrom("-12.50", "-1", "1.5", "--1", "=1")));
const tokens = fc.option(fc.integer({ min: 0, max: 4_000_000_000 }));
const milliseconds = fc.option(
  fc.integer({ min: 0, max: 2_000_000_000 }).map((microseconds) => microseconds / 1_000),
);
const rowOf = (index: number): fc.Arbitrary<RecordRow> =>
  fc.record({
    kind: fc.constant("record" as const),
    index: fc.constant(index),
    atMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    quarter: fc.constant(0),
    type: fc.constantFrom("request", "scan", null),
    ...{ status: hostile, route: text, requestId: text, orgId: text, keyId: text, team: text },
    tags: fc.option(
      fc.array(
        hostile.map((value) => `name:${value}`),
        { maxLength: 3 },
      ),
    ),
    ...{ model: text, servedModel: text, provider: text, account: text, attempts: fc.constant([]) },
    httpStatus: fc.option(fc.integer({ min: 100, max: 599 })),
    upstreamStatus: fc.option(fc.integer({ min: 100, max: 599 })),
    ...{ errorCode: text, verdict: text, score: fc.constant(null) },
    ...{ policyAction: text, dryRunAction: text, findings: fc.constant(null) },
    ...{ stream: fc.option(fc.boolean()), cache: text },
    ...{ input: tokens, cacheRead: tokens, cacheWrite: tokens, billable: tokens },
    output: fc.option(fc.integer({ min: 0, max: 2_000_000_000 })),
    reasoning: fc.option(fc.integer({ min: 0, max: 2_000_000_000 })),
    cost: fc.option(fc.bigInt({ min: 0n, max: 10n ** 15n })),
    ...{ costStatus: text, latencyMs: milliseconds, firstByteMs: milliseconds },
  });

test("the lines that the database makes are those of the rule for cells, whatever stands in them", async () => {
  const database = await RecordsDatabase.open(temporaryDirectory());
  onTestFinished(() => database.close());
  const count = 400;
  const rows = fc.sample(fc.tuple(...Array.from({ length: count }, (_, i) => rowOf(i))), 3).flat();
  const records = rows.map((row, index) => ({ ...row, index }));
  await database.append({ records, others: [] }, { next: records.length, last: "" });
  const connection = await database.connect();
  const { text: sql, values } = exportSql({
    ...{ kind: "export", id: "", filter: {}, first: 0, end: records.length },
  });
  const prepared = await connection.prepare(sql);
  prepared.bind(
    values.map(({ value }) => value),
    values.map(({ type }) => type),
  );
  const [[rowCount, lines] = []] = (await prepared.runAndReadAll()).getRowsJS();
  expect(rowCount).toBe(BigInt(records.length));
  expect(Buffer.from(lines as Uint8Array).toString()).toBe(records.map(expectedLine).join(""));
});
